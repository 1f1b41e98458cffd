import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openPlantFile, plantStoreOn } from '../support/plantStore.ts';
import { startTestService, type TestService, temporaryFolder } from '../support/service.ts';

let folder: ReturnType<typeof temporaryFolder>;
let database: ReturnType<typeof openPlantFile>;
let service: TestService;

beforeEach(async () => {
  folder = temporaryFolder();
  database = openPlantFile(`${folder.path}/plants.db`);
  service = await startTestService({}, {}, plantStoreOn(database));
});
afterEach(async () => {
  await service.remove();
  folder.remove();
});

describe('a store without free space', () => {
  it('returns 503 with Retry-After, and 200 again when there is space', async () => {
    const plant = { id: 1, name: 'x'.repeat(50_000) };
    database.exec('PRAGMA max_page_count = 3');
    const refused = await service.create(plant);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(refused.body).error).toBe(50300);
    database.exec('PRAGMA max_page_count = 1000000');
    expect((await service.create(plant)).status).toBe(200);
  });
});

describe('an internal error', () => {
  it('is 500, without its cause', async () => {
    database.exec('ALTER TABLE plant RENAME TO elsewhere');
    const { status, body } = await service.create({ id: 1, name: 'x' });
    expect(status).toBe(500);
    expect(body).toBe('{"error":50000,"message":"internal error"}');
  });
});
