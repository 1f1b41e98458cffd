import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { serviceProcesses } from '@stubwright/test-support/serviceProcesses';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import { createAt, spawnService, storedPlants, TOKEN, temporaryFolder } from './support/service.ts';

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
const spawn = serviceProcesses(spawnService);
const start = (env: Record<string, string> = {}) =>
  spawn({ API_TOKENS: TOKEN, DATABASE_URL: `sqlite:${file}`, ...env });

beforeEach(() => {
  folder = temporaryFolder();
  file = `${folder.path}/plants.db`;
});
afterEach(() => folder.remove());

/** Creates plants one after another on `lanes` connections; @returns the ids acknowledged so far. */
function load(url: string, lanes: number) {
  const acknowledged: bigint[] = [];
  let nextId = 1n;
  const lane = async () => {
    for (;;) {
      const id = nextId++;
      const { status } = await createAt(url, `{"id":${id},"name":"plant ${id}"}`);
      if (status === 200) acknowledged.push(id);
    }
  };
  const ended = Promise.allSettled(Array.from({ length: lanes }, lane));
  return { acknowledged, ended };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('make start', () => {
  it('prints the address, the database file and a curl line that works; the plant outlives kill -9', async () => {
    const first = spawn({ DATABASE_URL: `sqlite:${file}` });
    await first.url;
    await until(() => first.output().includes("}'"));
    expect(first.output()).toContain(file);
    expect(first.output()).toContain(`docs       ${await first.url}/docs\n`);
    const curl = /^ *(curl .*)$/m.exec(first.output())![1]!;
    const answer = () => execFileSync('sh', ['-c', `${curl} -sS`]).toString();
    expect(answer()).toBe('{"name":"Monstera deliciosa","tag":"tropical"}');
    await first.stop('SIGKILL');
    expect(storedPlants(file)).toEqual([{ id: 1n, name: 'Monstera deliciosa', tag: 'tropical' }]);

    expect(first.output()).toContain(`"file":"${file}","msg":"created the database"`);

    const second = start();
    await second.url;
    expect(second.output()).toContain(`"file":"${file}","msg":"opened the database"`);
    const other = await createAt(await second.url, { id: 1, name: 'another' });
    expect(other.status).toBe(409);
  });
});

/** `make test` starts the first; packages/store/test/ and migrateStore.test.ts refuse the others. */
const REFUSALS: readonly (readonly [
  what: string,
  prepare: () => Record<string, string> | Promise<Record<string, string>>,
  output: RegExp,
])[] = [
  [
    'the file is not a database',
    () => {
      writeFileSync(file, 'no database '.repeat(1000));
      return {};
    },
    /^.*plants\.db.*\n$/,
  ],
  [
    'the folder of the database is missing',
    () => ({ DATABASE_URL: `sqlite:${folder.path}/missing/x.db` }),
    /^Expected the folder of .*\/missing\/x\.db to exist, but it does not; create it, or correct the path\n$/,
  ],
  [
    'the database is of an unknown kind',
    () => ({ DATABASE_URL: 'mysql://x' }),
    /^DATABASE_URL.*expected.*\n$/,
  ],
  [
    'another service has locked the database',
    async () => {
      await start().url;
      return {};
    },
    /^.*plants\.db.*locked.*\n$/,
  ],
];

describe('a start that cannot succeed', () => {
  it.each(isTestAll ? REFUSALS : REFUSALS.slice(0, 1))(
    'ends with one line and exit code 1 when %s',
    async (_, prepare, line) => {
      const { exited, output } = start(await prepare());
      expect((await exited).code).toBe(1);
      expect(output()).toMatch(line);
    },
  );
});

// test/faults/faults.test.ts kills it in `make test`.
inTestAll(describe)('kill -9 in the middle of load', () => {
  it('loses no acknowledged plant', async () => {
    const { url, child, exited } = start();
    const { acknowledged, ended } = load(await url, 16);
    await until(() => acknowledged.length > 300);
    child.kill('SIGKILL');
    await exited;
    await ended;
    const again = start();
    await again.url;
    expect((await again.stop('SIGTERM')).code).toBe(0);
    const stored = new Map(storedPlants(file).map(({ id, name }) => [id, name]));
    for (const id of acknowledged) expect(stored.get(id)).toBe(`plant ${id}`);
  });
});

describe.each([
  ['SIGTERM', it],
  ['SIGINT', inTestAll(it)],
] as const)('%s', (signal, test) => {
  test('under load ends with exit code 0 and loses no acknowledged plant', async () => {
    const { url, child, exited, output } = start();
    const { acknowledged, ended } = load(await url, 16);
    await until(() => acknowledged.length > 200);
    child.kill(signal);
    expect(await exited).toEqual({ code: 0, signal: null });
    await ended;
    expect(output()).toContain('"msg":"stopped"');
    const stored = new Set(storedPlants(file).map(({ id }) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  });
});
