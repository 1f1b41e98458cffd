// Contracts whose schemas refer to each other: the number of references in a row is no nesting.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { loadContractFiles } from '../src/loading/load.ts';
import { runCommand } from './support/command.ts';

const { path: folder, remove } = temporaryFolder();
afterAll(() => remove());

type Targets = (at: number, count: number) => readonly number[];

/** The entities that each entity refers to. */
const GRAPHS: Readonly<Record<string, Targets>> = {
  ring: (at, count) => [(at + 1) % count],
  'five references each': (at, count) => [1, 2, 3, 7, 11].map((step) => (at + step) % count),
  tree: (at, count) => [2 * at + 1, 2 * at + 2].filter((to) => to < count),
};

const ref = (at: number) => ({ $ref: `#/components/schemas/E${at}` });
/** How a property refers to an entity. */
const STEPS = [ref, (at: number) => ({ type: 'array', items: ref(at) })];

function contractOf(targetsOf: Targets, count: number, required: readonly string[] = []) {
  const schemas = Array.from({ length: count }, (_, at) => {
    const targets = targetsOf(at, count).map((to, index) => [`to${index}`, STEPS[index % 2]!(to)]);
    const id = { type: 'integer', format: 'int64' };
    const properties = { id, name: { type: 'string' }, ...Object.fromEntries(targets) };
    const isLast = at === count - 1;
    const names = ['id', ...(isLast ? required : [])];
    return [`E${at}`, { type: 'object', required: names, properties }];
  });
  const content = { 'application/json': { schema: ref(0) } };
  return {
    openapi: '3.1.0',
    info: { title: 'Connected', version: '1.0.0' },
    paths: {
      '/entities': {
        post: {
          operationId: 'storeEntity',
          requestBody: { required: true, content },
          responses: { 200: { description: 'ok', content } },
        },
      },
    },
    components: { schemas: Object.fromEntries(schemas) },
  };
}

function write(name: string, contract: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(contract));
  return path;
}

const COUNT = isTestAll ? 1_500 : 750;

describe.each(isTestAll ? Object.keys(GRAPHS) : ['ring'])(
  'entities that are connected as a %s',
  (name) => {
    const targetsOf = GRAPHS[name]!;
    const path = write(`${name.replaceAll(' ', '-')}.json`, contractOf(targetsOf, COUNT));

    it('are checked without an error', async () => {
      const { status, out } = await runCommand(['check', path], { cwd: folder });
      expect([status, out.match(/: 1 operation, 0 errors/)?.length]).toEqual([0, 1]);
      expect(out).not.toContain('never used');
    });

    it('get types, a bundle and a client', async () => {
      const target = mkdtempSync(join(folder, 'project-'));
      writeFileSync(join(target, 'openapi.json'), JSON.stringify(contractOf(targetsOf, COUNT)));
      const at = { cwd: target };
      expect(await runCommand(['generate', 'openapi.json'], at)).toMatchObject({
        status: 0,
        err: '',
      });
      expect(await runCommand(['client', 'openapi.json'], at)).toMatchObject({
        status: 0,
        err: '',
      });
    });

    it('are compared, and one change of an entity is found', async () => {
      const after = write('after.json', contractOf(targetsOf, COUNT, ['name']));
      const { status, out } = await runCommand(['diff', path, after]);
      expect(status).toBe(1);
      expect(out).toContain('name became required');
      expect(out).not.toContain('too many combinations');
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(2_000);
    });

    it.each(isTestAll ? (['all', 'off'] as const) : (['off'] as const))(
      'are served with MOCK=%s',
      async (mock) => {
        const contract = await loadContractFiles(path);
        const handlers = { storeEntity: ({ body }: { body: unknown }) => ({ status: 200, body }) };
        const api = await createApi({ contract, mock, ...(mock === 'off' && { handlers }) });
        const send = async (body: unknown) => {
          const headers = { 'Content-Type': 'application/json' };
          const init = { method: 'POST', headers, body: JSON.stringify(body) };
          return fetchHandler(api)(new Request('http://t/entities', init));
        };
        const entity = { id: 1, to0: { id: 2, to0: { id: 3 } } };
        const stored = await send(entity);
        const expected = mock === 'off' ? entity : { id: expect.anything() };
        expect([stored.status, await stored.json()]).toEqual([
          200,
          expect.objectContaining(expected),
        ]);
        expect((await send({ id: 1, to0: { id: 'x' } })).status).toBe(400);
      },
    );
  },
);

inTestAll(it)('the work is linear in the number of entities', async () => {
  const counts: number[] = [];
  for (const count of [750, 1_500, 3_000]) {
    const path = write(`${count}.json`, contractOf(GRAPHS['five references each']!, count));
    const entries = jest.spyOn(Object, 'entries');
    await loadContractFiles(path);
    counts.push(entries.mock.calls.length);
    entries.mockRestore();
  }
  const [first, second, third] = counts as [number, number, number];
  expect([second / first, third / second].filter((ratio) => ratio > 2.5)).toEqual([]);
});
