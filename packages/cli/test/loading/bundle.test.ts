// One document of a contract that is split over files with any names.
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { escapeToken, isObject, tokensOf, valueAt } from '@stubwright/contract';
import { changesBetween } from '@stubwright/diff';
import { RICH } from '@stubwright/test-support/richContracts';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { memoryTree } from '../../src/loading/containment.ts';
import { loadContractFiles } from '../../src/loading/load.ts';

type Files = Readonly<Record<string, unknown>>;

const cwd = resolve('/');
const ROOT = 'a.json';

function load(files: Files) {
  const texts = Object.entries(files).map(([name, value]): [string, string] => [
    name,
    JSON.stringify(value),
  ]);
  return loadContractFiles(ROOT, { cwd, sources: memoryTree(cwd, new Map(texts)) });
}

/** Values that a reference may replace; the parts of a form are binary without one only. */
const REFERABLE = [
  /^\/components\/(?:schemas|responses|parameters|headers|examples|requestBodies|links|callbacks)\/[^/]+$/,
  /^\/paths\/[^/]+$/,
  /\/schema$/,
  /\/properties\/[^/]+$/,
  /\/items$/,
  /\/responses\/[^/]+$/,
  /\/parameters\/\d$/,
  /\/(?:allOf|oneOf)\/\d$/,
  /\/requestBody$/,
];

function referable(document: unknown): string[] {
  const found: string[] = [];
  const visit = (node: unknown, pointer: string) => {
    if (typeof node !== 'object' || node === null) return;
    const isBinary = isObject(node) && node.format === 'binary';
    if (isObject(node) && !isBinary && REFERABLE.some((each) => each.test(pointer))) {
      found.push(pointer);
    }
    for (const [key, value] of Object.entries(node)) visit(value, `${pointer}/${escapeToken(key)}`);
  };
  visit(document, '');
  return found;
}

/** Where a part goes: a file, and a property of it, or the file as a whole. */
interface Place {
  readonly name: string;
  readonly key: string | undefined;
}

const NAMES = [
  ...['a b', 'é', 'x@v1', '50%', 'x%41', 'xA', '#', '?q', 'Toy', 'schemas', "it's", 'a.b', '日本'],
  ...['constructor', 'Part', 'x-y', '~0', '100%25', 'a+b', '&'],
];
const places = fc.record({
  name: fc.constantFrom(...NAMES),
  key: fc.option(fc.constantFrom('Toy', 'a/b', '~', 'é', 'z-z', '%41', '__proto__x', ''), {
    nil: undefined,
  }),
});

/** Moves parts of a contract to files, the deepest first. */
function split(contract: object, pointers: readonly string[], at: readonly Place[]): Files {
  const root = structuredClone(contract) as Record<string, unknown>;
  const files: Record<string, unknown> = {};
  const deepest = [...new Set(pointers)].sort(
    (one, other) => other.split('/').length - one.split('/').length,
  );
  for (const [index, pointer] of deepest.entries()) {
    const end = pointer.lastIndexOf('/');
    const holder = valueAt(root, pointer.slice(0, end)) as Record<string, unknown>;
    const [last = ''] = tokensOf(pointer.slice(end));
    const { name, key } = at[index % at.length]!;
    // A file as a whole belongs to one part.
    const file = `${name}-${key === undefined ? index : 'parts'}.json`;
    const part = withRootReferences(holder[last]);
    const entry = key === undefined ? '' : `${key}${index}`;
    if (key === undefined) files[file] = part;
    else files[file] = { ...(files[file] as object), [entry]: part };
    const fragment = key === undefined ? '' : `#/${encodeURIComponent(escapeToken(entry))}`;
    holder[last] = { $ref: encodeURIComponent(file) + fragment };
  }
  return { [ROOT]: root, ...files };
}

/** References to the document lead to the first file. */
function withRootReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withRootReferences);
  if (typeof node === 'string' && /^#\/(?:components|paths)\//.test(node)) return ROOT + node;
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withRootReferences(value)]),
  );
}

const REQUESTS = [
  ['GET', '/v2/toys/1?json={}', undefined],
  ['POST', '/v3/toys/1', { name: 'a', parts: [{ kind: 'wheel', name: 'b' }] }],
  ['POST', '/v3/toys/1', { name: 'A', size: 3, parts: [{ kind: 'Toy' }] }],
] as const;

type Loaded = Awaited<ReturnType<typeof load>>;

async function answers(contract: Loaded): Promise<unknown[]> {
  const authenticate = { key: async () => ({ name: 'a' }), oauth: async () => ({ name: 'a' }) };
  const api = await createApi({ contract, mock: 'all', authenticate } as never);
  const handle = fetchHandler(api);
  return Promise.all(
    REQUESTS.map(async ([method, path, body]) => {
      const headers = { 'Content-Type': 'application/json', key: 'k' };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const reply = await handle(new Request(`http://a${path}`, init));
      return [reply.status, await reply.text()];
    }),
  );
}

function changes(...[before, after, ignored]: [Loaded, Loaded, string]): unknown[] {
  return changesBetween(before, after).filter(({ rule }) => rule !== ignored);
}

const COMPONENT_NAME = /^[a-zA-Z0-9._-]+$/;

describe.each(['3.0.3', '3.1.0'])('the bundle of a contract of OpenAPI %s', (version) => {
  const contract = RICH[version]!;
  const splits = fc.tuple(
    fc.subarray(referable(contract), { minLength: 1 }),
    fc.array(places, { minLength: 1, maxLength: 12 }),
  );

  it('has the meaning of the contract, whatever files it is split over', async () => {
    const source = await load({ [ROOT]: contract });
    const expected = await answers(source);
    await fc.assert(
      fc.asyncProperty(splits, async ([pointers, at]) => {
        const bundled = await load(split(contract, pointers, at));
        const { document } = bundled.definition;
        // A file is a schema with a name.
        expect(changes(source, bundled, 'schema-added')).toEqual([]);
        expect(changes(bundled, source, 'schema-removed')).toEqual([]);
        const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)];
        expect(refs.map(([, ref]) => ref).filter((ref) => !ref!.startsWith('#'))).toEqual([]);
        const names = Object.values(document.components).flatMap((group) =>
          Object.keys(group as object),
        );
        expect(names.filter((name) => !COMPONENT_NAME.test(name))).toEqual([]);
        expect(await new Validator().validate(structuredClone(document))).toMatchObject({
          valid: true,
        });
        expect(await answers(bundled)).toEqual(expected);
      }),
      { numRuns: isTestAll ? 60 : 2 },
    );
  }, 300_000);
});

it('has path items that contain each other through callbacks once', async () => {
  const item = (next: string) => ({
    post: {
      responses: { 204: { description: 'ok' } },
      callbacks: { done: { '{$request.body#/url}': { $ref: next } } },
    },
  });
  const { definition } = await load({
    [ROOT]: {
      ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1' } },
      paths: { '/toys': { $ref: 'b.json' } },
    },
    'b.json': item('c.json#/item'),
    'c.json': { item: item('b.json') },
  });
  const callback = '/post/callbacks/done/{$request.body#~1url}';
  expect(valueAt(definition.document, `/paths/~1toys${callback}${callback}`)).toEqual({
    $ref: '#/paths/~1toys',
  });
});

it.each([
  [90, 'has them'],
  [3_000, 'is refused with a location'],
])('a row of %i path items that contain each other %s', async (count) => {
  const items = Array.from({ length: count }, (_, at) => [
    `p${at}`,
    { post: { responses: {}, callbacks: { c: { '/x': { $ref: `#/p${at + 1}` } } } } },
  ]);
  const files = {
    [ROOT]: {
      ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1' } },
      paths: { '/toys': { $ref: 'b.json#/p0' } },
    },
    'b.json': Object.fromEntries([...items, [`p${count}`, {}]]),
  };
  if (count < 1_000) expect((await load(files)).definition.operations).toHaveLength(1);
  else
    await expect(load(files)).rejects.toThrow(/^b\.json:1:\d+ {2}the contract is nested too deep/);
});
