// Parts of requests with names that look like another part: recorded by a service, compared by `diff --traffic`.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import { changesBetween } from '@stubwright/diff';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { readTraffic } from '@stubwright/traffic';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { recorder } from 'stubwright/recording';
import { withTraffic } from '../../diff/src/traffic/changeTraffic.ts';
import { checkTraffic } from '../src/traffic/trafficCheck.ts';

const NAMES = [
  'a',
  '0',
  '1',
  '*',
  '',
  '/',
  '~',
  'a b',
  'x "y"',
  '(then)',
  '(x)/y',
  '[]',
  '{}',
  '__proto__',
];

const loaded = (definition: Contract) =>
  ({
    definition,
    ...{ warnings: [], files: [], name: 'a', errors: [], locations: undefined },
  }) as never;

function contractOf(operation: Node): Contract {
  return new Contract({
    openapi: '3.1.0',
    info: { title: 'Toys', version: '1' },
    paths: {
      '/a': {
        post: { operationId: 'a', ...operation, responses: { default: { description: 'ok' } } },
      },
    },
  });
}

interface Sent {
  readonly query?: string;
  readonly body?: unknown;
}

/** @returns the uses of the changes, and the unused parts, by requests that a service records */
async function usesOf([before, after]: readonly [Node, Node], sent: Sent) {
  const folder = temporaryFolder();
  const [was, is] = [contractOf(before), contractOf(after)] as const;
  const recording = recorder({ file: join(folder.path, 'a.jsonl') });
  const options = { contract: loaded(was), mock: 'all', recorder: recording };
  const handle = fetchHandler(await createApi(options as never));
  const init =
    sent.body === undefined
      ? {}
      : { body: JSON.stringify(sent.body), headers: { 'Content-Type': 'application/json' } };
  const { status } = await handle(
    new Request(`http://localhost/a${sent.query ?? ''}`, { method: 'POST', ...init }),
  );
  expect(status).toBeLessThan(300);
  await recording.close();
  const records = () =>
    readTraffic(readdirSync(folder.path), { cwd: folder.path, callerHeader: undefined });
  const { changes } = await withTraffic(
    changesBetween(loaded(was), loaded(is)),
    { before: was, after: is },
    { records: records(), minimumDays: 0 },
  );
  const { unused } = await checkTraffic(was, records());
  folder.remove();
  return { uses: changes.map(({ traffic }) => traffic?.isUsed), unused };
}

const body = (schema: Node) => ({ requestBody: { content: { 'application/json': { schema } } } });
/** Objects with one of the names each, in which another property is longer. */
function bodyOf(changed?: string): Node {
  const inner = (name: string) => ({
    type: 'object',
    properties: { v: { type: 'string', ...(name === changed && { maxLength: 1 }) } },
  });
  const entries = NAMES.map((name) => [name, inner(name)] as const);
  return body({ type: 'object', properties: Object.fromEntries(entries) });
}

/** An assignment would change the prototype. */
const objectOf = (name: string, value: unknown) => Object.fromEntries([[name, value]]);

describe('the parts of recorded requests', () => {
  it.each(NAMES)('a property named %j is used, and no other', async (name) => {
    for (const changed of NAMES) {
      const sent = { body: objectOf(name, { v: 'long' }) };
      const { uses } = await usesOf([bodyOf(), bodyOf(changed)], sent);
      expect([changed, uses]).toEqual([changed, [changed === name]]);
    }
  });

  it.each(NAMES)('a value named %j is used, and no other', async (name) => {
    const enumOf = (names: readonly string[]) =>
      body({ type: 'object', properties: { k: { type: 'string', enum: names } } });
    for (const removed of NAMES) {
      const after = enumOf(NAMES.filter((each) => each !== removed));
      const { uses } = await usesOf([enumOf(NAMES), after], { body: { k: name } });
      expect([removed, uses]).toEqual([removed, [removed === name]]);
    }
  });

  it.each(NAMES)('a property named %j is missing, and no other', async (name) => {
    const of = (required: readonly string[]) =>
      body({
        type: 'object',
        properties: Object.fromEntries(NAMES.map((each) => [each, {}])),
        required,
      });
    for (const required of NAMES) {
      const { uses } = await usesOf([of([]), of([required])], { body: objectOf(name, 1) });
      expect([required, uses]).toEqual([required, [required !== name]]);
    }
  });

  it('an exploded object with a default is used if it is sent', async () => {
    const of = (more: Node) => ({
      parameters: [
        {
          name: 'o',
          in: 'query',
          schema: {
            type: 'object',
            properties: { a: { type: 'string', ...more }, b: {} },
            default: { a: 'long' },
          },
        },
      ],
    });
    const contracts = [of({}), of({ maxLength: 1 })] as const;
    expect((await usesOf(contracts, { query: '?a=text' })).uses).toContain(true);
    expect((await usesOf(contracts, { query: '?b=text' })).uses).not.toContain(true);
    expect((await usesOf(contracts, {})).uses).not.toContain(true);
  });

  it('reports the unused parts of any name', async () => {
    const { unused } = await usesOf([bodyOf(), bodyOf('a')], { body: { '*': { v: 'a' } } });
    expect(unused).toHaveLength(NAMES.length - 1);
  });
});
