// References of schemas by `$id`, anchor and `$self` (JSON Schema 2020-12, section 8.2), through the loader.
import { describe, expect, it } from '@jest/globals';
import { codePoint } from '@stubwright/test-support/codePoint';
import { errorsOf, loadToy, toy, warningsOf } from '@stubwright/test-support/contractFiles';
import fc from 'fast-check';
import { escapeToken, fragmentOf, unescapeUri } from '../src/document/node.ts';
import { SchemaModel } from '../src/schema/model.ts';
import { Validators } from '../src/schema/validator.ts';

/** @returns the values that are valid against the schema `S` */
async function validOf(files: Record<string, string>, values: unknown[]): Promise<unknown[]> {
  const { definition } = await loadToy(files);
  const validate = new Validators(definition, 'request').at('/components/schemas/S');
  return values.filter((value) => validate(value));
}

const inOne = (schemas: string) => ({ 'a.json': toy({ openapi: '3.1.0', schemas }) });

describe('a $ref', () => {
  it.each([
    ['an absolute URI', '{"$ref":"https://a.b/t"}', '{"$id":"https://a.b/t","type":"integer"}'],
    ['a URN', '{"$ref":"urn:example:t"}', '{"$id":"urn:example:t","type":"integer"}'],
    ['an anchor', '{"$ref":"#t"}', '{"$anchor":"t","type":"integer"}'],
    ['a dynamic anchor', '{"$ref":"#t"}', '{"$dynamicAnchor":"t","type":"integer"}'],
    ['an anchor of a URI', '{"$ref":"urn:t#t"}', '{"$id":"urn:t","$anchor":"t","type":"integer"}'],
    [
      'a URI relative to $id',
      '{"$id":"https://a.b/c/s","$ref":"t"}',
      '{"$id":"https://a.b/c/t","type":"integer"}',
    ],
    [
      'a pointer in its schema resource',
      '{"$id":"urn:s","$ref":"#/$defs/t","$defs":{"t":{"type":"integer"}}}',
      'true',
    ],
    [
      'a pointer in the document from a schema with $id',
      '{"$id":"https://a.b/s","$ref":"#/components/schemas/T"}',
      '{"type":"integer"}',
    ],
  ])('resolves %s', async (_, s, t) => {
    const files = inOne(`{"S":${s},"T":${t}}`);
    expect(await validOf(files, [1, 'a'])).toEqual([1]);
    expect(await warningsOf(files)).toEqual([]);
  });

  it.each(['#', '#/x', '#t', '', '#/components/schemas/T'])(
    'resolves pointers of the document beside a schema whose $id %j is only a fragment',
    async ($id) => {
      const schemas = {
        S: { $ref: '#/components/schemas/U' },
        T: { $id, properties: { a: { $ref: '#/components/schemas/U' } } },
        U: { type: 'integer' },
      };
      const files = inOne(JSON.stringify(schemas));
      expect(await validOf(files, [1, 'a'])).toEqual([1]);
      const validate = new Validators((await loadToy(files)).definition, 'request').at(
        '/components/schemas/T',
      );
      expect([{ a: 1 }, { a: 'a' }].map((value) => validate(value))).toEqual([true, false]);
    },
  );

  it('resolves a pointer in its own schema resource if another has the same $id', async () => {
    const resource = (type: string) => ({
      $id: 'https://a.b/same',
      $ref: '#/$defs/t',
      $defs: { t: { type } },
    });
    for (const [first, second] of [
      ['S', 'T'],
      ['T', 'S'],
    ] as const) {
      const types = { S: 'integer', T: 'string' };
      const schemas = { [first]: resource(types[first]), [second]: resource(types[second]) };
      expect(await validOf(inOne(JSON.stringify(schemas)), [1, 'a'])).toEqual([1]);
    }
  });

  it('resolves a URI relative to $self', async () => {
    const document = JSON.parse(
      toy({
        openapi: '3.2.0',
        schemas: '{"S":{"$ref":"/api#/components/schemas/T"},"T":{"type":"integer"}}',
      }),
    );
    const files = { 'a.json': JSON.stringify({ ...document, $self: 'https://a.b/api' }) };
    expect(await validOf(files, [1, 'a'])).toEqual([1]);
  });

  it('resolves a file from a schema with $id', async () => {
    const files = {
      ...inOne('{"S":{"$id":"https://a.b/s","$ref":"t.json"}}'),
      't.json': '{"type":"integer"}',
    };
    expect(await validOf(files, [1, 'a'])).toEqual([1]);
  });

  it('resolves $id, anchors and pointers of another file', async () => {
    const files = {
      ...inOne('{"S":{"$ref":"t.json"}}'),
      't.json': JSON.stringify({
        $id: 'https://a.b/t',
        properties: {
          a: { $ref: '#/$defs/a' },
          b: { $ref: '#b' },
          c: { $ref: 'c' },
          d: { $ref: 'https://a.b/t#b' },
        },
        $defs: {
          a: { type: 'integer' },
          b: { $anchor: 'b', type: 'integer' },
          c: { $id: 'c', type: 'integer' },
        },
      }),
    };
    const valid = { a: 1, b: 1, c: 1, d: 1 };
    const invalid = ['a', 'b', 'c', 'd'].map((name) => ({ [name]: '' }));
    expect(await validOf(files, [valid, ...invalid])).toEqual([valid]);
  });

  it('is an error if it does not resolve, with its location', async () => {
    const files = inOne('{"S":{"$id":"https://a.b/s","$ref":"https://a.b/none"}}');
    expect(await errorsOf(files)).toEqual([
      expect.stringMatching(/^a\.json:3:60 {2}\$ref cannot be resolved: https:\/\/a\.b\/none/),
    ]);
  });

  it('is published as it is written', async () => {
    const schemas = '{"S":{"$ref":"#t"},"T":{"$anchor":"t"}}';
    const { definition } = await loadToy(inOne(schemas));
    expect(definition.document['components'].schemas).toEqual(JSON.parse(schemas));
  });
});

describe('an identifier in a value', () => {
  const decoy = '{"$anchor":"t","$id":"urn:t","type":"string"}';

  it.each(['enum', 'const', 'default', 'example', 'examples', 'x-other'])(
    'of %s is not a schema',
    async (keyword) => {
      const value = keyword.startsWith('e') && keyword !== 'example' ? `[${decoy}]` : decoy;
      const files = inOne(`{"A":{"${keyword}":${value}},
"S":{"anyOf":[{"$ref":"#t"},{"$ref":"urn:t"}]},"T":{"$id":"urn:t","type":"integer"},
"U":{"$anchor":"t","type":"boolean"},"Z":{"${keyword}":${value}}}`);
      expect(await validOf(files, [1, true, 'a'])).toEqual([1, true]);
    },
  );

  it('of a property with such a name is one', async () => {
    const files = inOne(
      '{"A":{"properties":{"enum":{"$anchor":"t","type":"integer"}}},"S":{"$ref":"#t"}}',
    );
    expect(await validOf(files, [1, 'a'])).toEqual([1]);
  });
});

describe('a $dynamicRef', () => {
  const tree = `"Tree":{"$id":"https://a.b/tree","$dynamicAnchor":"node","type":"object",
"properties":{"children":{"type":"array","items":{"$dynamicRef":"#node"}}}}`;

  it('refers to the outermost schema resource with its anchor', async () => {
    const files = inOne(`{${tree},
"S":{"$id":"https://a.b/s","$dynamicAnchor":"node","$ref":"tree","required":["name"]}}`);
    const named = { name: '', children: [{ name: '' }] };
    expect(await validOf(files, [named, { name: '', children: [{}] }])).toEqual([named]);
  });

  it('refers to the outermost schema resource also inside of a schema', async () => {
    const files = inOne(`{${tree},
"S":{"items":{"$id":"https://a.b/i","$dynamicAnchor":"node","$ref":"tree","required":["name"]}}}`);
    const named = [{ name: '', children: [{ name: '' }] }];
    expect(await validOf(files, [named, [{ name: '', children: [{}] }]])).toEqual([named]);
  });

  it('may refer to each schema with its anchor, the one of its own resource first', async () => {
    const part = (name: string) => `{"$id":"urn:${name}","$dynamicAnchor":"a"}`;
    const schemas = `{"A":${part('a')},"S":{"$id":"urn:s","$dynamicAnchor":"a","not":{"items":{"$dynamicRef":"#a"}}}}`;
    const { definition } = await loadToy(inOne(schemas));
    const items = SchemaModel.of(definition).at('/components/schemas/S/not/items')!;
    expect(items.dynamicRefs.map(({ pointer }) => pointer)).toEqual([
      ...['/components/schemas/S', '/components/schemas/A'],
    ]);
  });

  it('refers to its own schema resource without an outer one', async () => {
    const files = inOne(`{${tree},"S":{"$ref":"https://a.b/tree"}}`);
    expect(await validOf(files, [{ children: [{}] }, { children: [1] }])).toEqual([
      { children: [{}] },
    ]);
  });

  it('is an error if it does not resolve, with its location', async () => {
    const files = inOne('{"S":{"items":{"$dynamicRef":"#none"}}}');
    expect(await errorsOf(files)).toEqual([
      expect.stringMatching(/^a\.json:3:54 {2}\$dynamicRef cannot be resolved: #none/),
    ]);
  });
});

it('a pointer with any characters is a URI fragment, and is read back', () => {
  const pointers = fc
    .array(fc.string({ unit: codePoint }))
    .map((tokens) => tokens.map((token) => `/${escapeToken(token)}`).join(''));
  const examples = [['/a b'], ['/50%'], ['/x%41'], ['/a#b'], ['/é'], ['/a~1b"^|']] as [string][];
  fc.assert(
    fc.property(pointers, (pointer) => {
      const fragment = fragmentOf(pointer);
      // RFC 3986, section 3.5.
      expect(fragment).toMatch(/^#(?:[\w.~!$&'()*+,;=:@/?-]|%[\dA-F]{2})*$/);
      expect(unescapeUri(fragment.slice(1))).toBe(pointer);
    }),
    { examples },
  );
});
