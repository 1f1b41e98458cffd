// Patches of resources over HTTP: merged, validated, exact, and without changes of readOnly properties.
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeServers, serve } from '@stubwright/test-support/served';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { applyPatch } from '../../src/patch.ts';

afterEach(closeServers);

const yaml = `
paths:
  /toys/{id}:
    patch:
      operationId: patchToy
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody:
        required: true
        content:
          application/merge-patch+json:
            x-patch-of: {$ref: '#/components/schemas/Toy'}
          application/json-patch+json:
            x-patch-of: {$ref: '#/components/schemas/Toy'}
          application/json: {schema: {type: object}}
      responses:
        200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
components:
  schemas:
    Toy:
      type: object
      additionalProperties: false
      required: [id, name, count, secret]
      properties:
        id: {type: integer, format: int64, readOnly: true}
        name: {type: string, minLength: 1}
        count: {type: integer, format: int64}
        tag: {type: string}
        secret: {type: string, minLength: 3, writeOnly: true}
        more: {type: object}
        hidden: {type: object, writeOnly: true, properties: {code: {type: integer}, keys: {type: array}}}
        size: {type: object, required: [width], properties: {width: {type: number}, unit: {type: string}}}
        by: {type: object, readOnly: true, properties: {name: {type: string}, age: {type: integer}}}
        parts:
          type: array
          maxItems: 3
          items: {type: object, required: [name], properties: {id: {type: integer, format: int64, readOnly: true}, name: {type: string}}}
`;
const BIG = 9007199254740993n;
const toy = () => ({
  ...{ id: BIG, name: 'kite', count: 7n, tag: 'red', size: { width: 1.5, unit: 'm' } },
  by: { name: 'ann', age: 7 },
  parts: [
    { id: 1n, name: 'tail' },
    { id: 2n, name: 'line' },
  ],
});

const secretToy = () => ({ ...toy(), secret: 'long', more: {}, hidden: { code: 5, keys: ['k'] } });

const patchToy = ({ body }: { body: object }) => ({ status: 200, body: applyPatch(toy(), body) });
const patching = { handlers: { patchToy: patchToy as never } };

type Kind = 'merge' | 'json';

/** Sends a patch of the toy as text. @returns the answer, and what applyPatch returned */
async function patched(kind: Kind, text: string, current: object = toy()) {
  const before = structuredClone(current);
  let result: unknown;
  const patchToy = ({ body }: { body: object }) => {
    result = applyPatch(current, body);
    return { status: 200, body: result };
  };
  const { ask, errors } = await serve(yaml, {
    handlers: { patchToy: patchToy as never },
    errors: 'numbered',
  });
  const headers = { 'content-type': `application/${kind}-patch+json` };
  const { status, body } = await ask('/toys/1', { method: 'PATCH', headers, text });
  expect(current).toEqual(before);
  const { error, message } = body === '' ? ({} as never) : JSON.parse(body);
  return { status, body, error, message, result, errors };
}

const json = (patch: unknown) => patched('json', JSON.stringify(patch));
const merge = (patch: unknown) => patched('merge', JSON.stringify(patch));

describe('a merge patch', () => {
  it('changes, adds and removes properties', async () => {
    const { status, result } = await merge({ name: 'ball', tag: null, size: { unit: null } });
    const { tag: _, ...rest } = toy();
    expect([status, result]).toEqual([200, { ...rest, name: 'ball', size: { width: 1.5 } }]);
  });

  it('is exact for int64', async () => {
    const { body, result } = await patched('merge', '{"count":9223372036854775807}');
    expect(result).toEqual({ ...toy(), count: 9223372036854775807n });
    expect(body).toContain('"count":9223372036854775807');
    expect(body).toContain('"id":9007199254740993');
    expect((await merge({ count: 3 })).result).toEqual({ ...toy(), count: 3n });
    expect(await patched('merge', '{"count":9223372036854775808}')).toMatchObject({ error: 42202 });
  });

  it.each([
    [{ name: '' }, '/name '],
    [{ name: null }, '/name is required'],
    [{ size: { width: 'x' } }, '/size/width expected'],
    [{ size: { width: null } }, '/size/width is required'],
    [{ other: 1 }, '/other'],
    [{ secret: 'x' }, '/secret '],
    [{ parts: [1] }, '/parts/0 expected'],
    [JSON.parse('{"__proto__":{"x":1}}'), '/__proto__'],
  ])('%j violates the schema: 42202', async (patch, message) => {
    const answer = await merge(patch);
    expect(answer).toMatchObject({ status: 422, error: 42202 });
    expect(answer.message.startsWith(message)).toBe(true);
    expect(answer.message).not.toContain(', ');
  });

  it('may change a writeOnly property, which the resource need not have', async () => {
    expect((await merge({ secret: 'long' })).result).toEqual({ ...toy(), secret: 'long' });
  });

  it.each([
    [{ id: 1 }, '/id'],
    [{ id: null }, '/id is required'],
    [{ by: null }, '/by'],
    [{ by: { age: 8 } }, '/by'],
    [{ parts: [{ id: 9, name: 'new' }] }, '/parts/0/id'],
  ])('%j changes a readOnly property: 42202', async (patch, message) => {
    const answer = await merge(patch);
    expect(answer).toMatchObject({ status: 422, error: 42202 });
    expect(answer.message.startsWith(message)).toBe(true);
  });

  it.each([
    ['{"id":9007199254740993,"name":"a"}'],
    ['{"by":{"age":7,"name":"ann"},"name":"a"}'],
    ['{"parts":[{"id":2,"name":"line"},{"name":"new"}],"name":"a"}'],
    ['{"parts":null,"name":"a"}'],
  ])('%s keeps the readOnly properties', async (text) => {
    expect((await patched('merge', text)).status).toBe(200);
  });

  it.each(['[]', '"a"', 'null', '1'])('%s is a 400', async (text) => {
    expect(await patched('merge', text)).toMatchObject({ status: 400, error: 40000 });
  });
});

describe('a JSON patch', () => {
  it('applies its operations in order', async () => {
    const { status, result } = await json([
      { op: 'test', path: '/count', value: 7 },
      { op: 'replace', path: '/name', value: 'ball' },
      { op: 'remove', path: '/tag' },
      { op: 'move', from: '/parts/0', path: '/parts/1' },
      { op: 'add', path: '/parts/-', value: { name: 'new' } },
    ]);
    const { tag: _, ...rest } = toy();
    const [tail, line] = toy().parts;
    const parts = [line, tail, { name: 'new' }];
    expect([status, result]).toEqual([200, { ...rest, name: 'ball', parts }]);
  });

  it.each([
    [[{ op: 'test', path: '/id', value: 9007199254740992 }], 409, 40902],
    [[{ op: 'remove', path: '/none' }], 422, 42201],
    [[{ op: 'replace', path: '/id', value: 1 }], 422, 42202],
    [[{ op: 'replace', path: '/parts/0/id', value: 3 }], 422, 42202],
    [[{ op: 'replace', path: '/name', value: 1 }], 422, 42202],
    [[{ op: 'replace', path: '', value: [] }], 422, 42202],
    [[{ op: 'none', path: '' }], 400, 40000],
    [{}, 400, 40000],
    [null, 400, 40000],
  ])('%j is %d', async (patch, status, error) => {
    expect(await json(patch)).toMatchObject({ status, error });
  });

  it.each([
    [[{ op: 'copy', from: '/secret', path: '/name' }], '/name'],
    [[{ op: 'move', from: '/secret', path: '/tag' }], '/tag'],
    [[{ op: 'move', from: '/hidden/keys', path: '/more/keys' }], '/more/keys/0'],
    [
      [
        { op: 'copy', from: '/hidden', path: '/more/a' },
        { op: 'remove', path: '/more/a/keys' },
      ],
      '/more/a/code',
    ],
  ])('%j shows a writeOnly value: 42202', async (patch, pointer) => {
    const answer = await patched('json', JSON.stringify(patch), secretToy());
    expect(answer).toMatchObject({ status: 422, error: 42202 });
    expect(answer.message).toBe(`${pointer} expected no value that responses do not have`);
  });

  it('may test, move, change and remove writeOnly values', async () => {
    const patch = [
      { op: 'test', path: '/secret', value: 'long' },
      { op: 'test', path: '/hidden', value: { code: 5, keys: ['kkk'] } },
      { op: 'copy', from: '/hidden/keys/0', path: '/secret' },
      { op: 'replace', path: '/hidden/code', value: 6 },
      { op: 'move', from: '/hidden/code', path: '/hidden/old' },
      { op: 'copy', from: '/hidden/keys', path: '/name' },
      { op: 'replace', path: '/name', value: 'new' },
    ];
    const current = { ...secretToy(), hidden: { code: 5, keys: ['kkk'] } };
    const { result } = await patched('json', JSON.stringify(patch), current);
    const hidden = { old: 6, keys: ['kkk'] };
    expect(result).toEqual({ ...current, name: 'new', secret: 'kkk', hidden });
  });

  it('that doubles an array again and again is a 422', async () => {
    const patch = Array(40).fill({ op: 'copy', from: '/parts', path: '/parts/-' });
    expect(await json(patch)).toMatchObject({ status: 422, error: 42201 });
  });

  it('names the operation and the pointer in problem details', async () => {
    const { ask } = await serve(yaml, patching);
    const headers = { 'content-type': 'application/json-patch+json' };
    const text = '[{"op":"remove","path":"/tag"},{"op":"remove","path":"/tag"}]';
    const { status, body } = await ask('/toys/1', { method: 'PATCH', headers, text });
    expect([status, JSON.parse(body)]).toMatchObject([
      422,
      { detail: '/1/path: /tag does not exist', errors: [{ pointer: '#/1/path' }] },
    ]);
  });
});

describe('applyPatch', () => {
  it('rejects a value that is no body of a content with x-patch-of', async () => {
    expect(() => applyPatch(toy(), {})).toThrow(TypeError);
    const { ask, errors } = await serve(yaml, patching);
    expect((await ask('/toys/1', { method: 'PATCH', body: {} })).status).toBe(500);
    expect(errors).toEqual([
      'applyPatch: expected the body of a request whose content has x-patch-of',
    ]);
  });

  it('never returns an invalid resource, or one with another id', async () => {
    const name = fc.constantFrom(
      ...['id', 'name', 'count', 'tag', 'size', 'by', 'parts', 'width', '0', '-'],
    );
    const path = fc
      .array(name, { minLength: 1, maxLength: 3 })
      .map((names) => `/${names.join('/')}`);
    const value = fc.constantFrom<unknown>('a', '', 1, null, {}, [], { width: 2 }, [{ name: 'x' }]);
    const operation = fc.oneof(
      fc.record({ op: fc.constantFrom('add', 'replace'), path, value }),
      fc.record({ op: fc.constant('remove'), path }),
      fc.record({ op: fc.constantFrom('move', 'copy'), from: path, path }),
    );
    const outcomes = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 3 }), async (patch) => {
        const { status, result } = await json(patch);
        outcomes.add(status);
        if (status === 200) expect(result).toMatchObject({ id: BIG, by: toy().by });
        else expect(status).toBe(422);
        closeServers();
      }),
      { numRuns: isTestAll ? 500 : 100 },
    );
    expect([...outcomes].sort()).toEqual([200, 422]);
  });
});
