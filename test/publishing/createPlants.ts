// Creates plants over HTTP with the generated client of the plant store, in another runtime.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { runCommand } from '../../packages/cli/test/support/command.ts';
import { startTestService, storedPlants, TOKEN } from '../support/service.ts';

const IDS = [-9223372036854775808n, 9007199254740993n, 9223372036854775807n];

const SCRIPT = `import process from 'node:process';
import { createClient, unwrap } from './client/index.js';

const plants = createClient({ baseUrl: process.argv[2], bearerAuth: process.argv[3] });
for (const id of [${IDS.map((id) => `${id}n`).join(', ')}]) {
  const { name, tag } = await unwrap(plants.createPlant({ body: { id, name: String(id), tag: 'é' } }));
  console.log(name, tag);
}
const { status, body } = await plants.createPlant({ body: { id: ${IDS[1]}n, name: 'other' } });
console.log(status, body.error);
`;

/**
 * @param project a folder with @stubwright/client installed
 * @param command the arguments of the runtime before the path of a script
 */
export async function expectExactCreates(
  project: string,
  [program, ...args]: readonly [string, ...string[]],
): Promise<void> {
  const folder = join(project, 'plants');
  mkdirSync(folder, { recursive: true });
  expect(await runCommand(['client', 'openapi.yaml', join(folder, 'client')])).toMatchObject({
    status: 0,
  });
  writeFileSync(join(folder, 'create.mjs'), SCRIPT);
  const service = await startTestService();
  try {
    const script = [...args, join(folder, 'create.mjs'), service.url, TOKEN];
    // The service is in this process.
    const { stdout } = await promisify(execFile)(program, script, {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
    });
    expect(stdout).toBe(`${IDS.map((id) => `${id} é\n`).join('')}409 40900\n`);
    await service.stop();
    expect(storedPlants(service.databaseFile).map(({ id }) => id)).toEqual(IDS);
  } finally {
    await service.remove();
  }
}
