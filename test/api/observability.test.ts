// The metrics, spans and documents that the plant store adds to stubwright.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createAt,
  spawnService,
  startTestService,
  type TestService,
  TOKEN,
  temporaryFolder,
} from '../support/service.ts';

const SDK = pathToFileURL('packages/test-support/tracingSdk.ts').href;
const folder = temporaryFolder();
let service: TestService;

beforeEach(async () => {
  service = await startTestService({ ADMIN_PORT: '0' });
});
afterEach(() => service.remove());
afterAll(() => folder.remove());

describe('/metrics', () => {
  it('reports commits and the queue', async () => {
    await Promise.all([1, 2, 3].map((id) => service.create({ id, name: 'x' })));
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    const metric = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1];
    expect(metric('store_commit_creates_sum')).toBe('3');
    expect(metric('store_commit_creates_count')).toBe(
      metric('store_commit_duration_seconds_count'),
    );
    expect(metric('service_queue_length')).toBe('0');
  });

  it('counts commits by their creates and by their seconds', async () => {
    await service.create({ id: 1, name: 'x' });
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    const bounds = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}_bucket\\{le="(.*?)"\\}`, 'gm'))].map(([, le]) => le);
    expect(bounds('store_commit_creates').join(' ')).toBe('1 2 5 10 20 50 100 200 255 +Inf');
    expect(bounds('store_commit_duration_seconds').join(' ')).toBe(
      '0.00025 0.0005 0.001 0.0025 0.005 0.01 0.05 0.25 1 5 +Inf',
    );
  });
});

describe('a trace', () => {
  it('has a span for the commit, with its outcome, within that of the request', async () => {
    const spans = `${folder.path}/spans`;
    const { url, child, exited } = spawnService({
      API_TOKENS: TOKEN,
      DATABASE_URL: `sqlite:${folder.path}/plants.db`,
      NODE_OPTIONS: `--import=${SDK}`,
      SPANS_FILE: spans,
    });
    expect((await createAt(await url, { id: 1, name: 'x' })).status).toBe(200);
    child.kill('SIGTERM');
    await exited;
    const lines = readFileSync(spans, 'utf8').trim().split('\n');
    const byName = Object.fromEntries(
      lines.map((line) => JSON.parse(line)).map((span) => [span.name, span]),
    );
    expect(Object.keys(byName).sort()).toEqual(['POST /plants', 'commit', 'validate']);
    expect(byName['commit'].parentId).toBe(byName['POST /plants'].spanId);
    expect(byName['commit'].attributes).toEqual({ 'plant.outcome': 'created' });
  });
});

describe('GET /openapi.yaml', () => {
  it('is openapi.yaml, byte for byte', async () => {
    const response = await fetch(`${service.url}/openapi.yaml`);
    expect(await response.text()).toBe(readFileSync('openapi.yaml', 'utf8'));
  });
});
