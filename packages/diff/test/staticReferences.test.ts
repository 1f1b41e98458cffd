// Schemas with `$dynamicRef`: their meaning without it, and the changes that a dynamic scope makes visible.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Contract, schemaLocations } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { changesBetween } from '../src/contract/changes.ts';
import { withStaticReferences } from '../src/contract/staticReferences.ts';

type Json = Readonly<Record<string, unknown>>;

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly data: unknown; readonly valid: boolean }[];
}

const SUITE = '../../cli/test/conformance/json-schema-test-suite/tests/draft2020-12/';
const TESTED = '/components/schemas/Tested';
/** The schemas of other servers. */
const REMOTE = '"$ref":"http://localhost:1234/';

function contract(schemas: Json, paths: Json = {}): Contract {
  return new Contract({ openapi: '3.1.0', info: {}, paths, components: { schemas } });
}

const groups = ['dynamicRef', 'unevaluatedItems', 'unevaluatedProperties'].flatMap((file) => {
  const text = readFileSync(new URL(`${SUITE}${file}.json`, import.meta.url), 'utf8');
  return (JSON.parse(text) as Group[]).filter(({ schema }) => {
    const written = JSON.stringify(schema);
    return written.includes('$dynamicRef') && !written.includes(REMOTE);
  });
});

describe('a contract without dynamic references', () => {
  it.each(groups)('has the same meaning: $description', ({ schema, tests }) => {
    // A pointer of the suite starts at its schema.
    const tested = { $id: 'https://toys.example/tested', ...(schema as Json) };
    const { contract: replaced } = withStaticReferences(contract({ Tested: tested }));
    const isValid = new Validators(replaced, 'request').at(TESTED);
    for (const { data, valid } of tests) expect([data, isValid(data)]).toEqual([data, valid]);
    const keywords = [...schemaLocations(replaced.document)].flatMap(({ node }) =>
      Object.keys(node),
    );
    expect(keywords).not.toContain('$dynamicRef');
  });

  it('is the contract itself if it has none', () => {
    const plain = contract({ Tested: { type: 'object' } });
    expect(withStaticReferences(plain).contract).toBe(plain);
  });
});

const PAGE = {
  $id: 'https://toys.example/page',
  type: 'object',
  properties: { items: { type: 'array', items: { $dynamicRef: '#item' } } },
  $defs: { any: { $dynamicAnchor: 'item' } },
};

/** Two kinds of pages, each with its own items. */
function pages(toy: Json, page: Json = {}, book: Json = {}): { definition: Contract } {
  const pageOf = (name: string, item: Json) => ({
    $id: `https://toys.example/${name}`,
    $ref: 'https://toys.example/page',
    $defs: { item: { ...item, $dynamicAnchor: 'item' } },
  });
  const operation = (name: string) => {
    const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
    return {
      post: { requestBody: { content }, responses: { 200: { description: 'd', content } } },
    };
  };
  const schemas = {
    Page: { ...PAGE, ...page },
    Toys: pageOf('toys', toy),
    Books: pageOf('books', book),
  };
  return {
    definition: contract(schemas, { '/toys': operation('Toys'), '/books': operation('Books') }),
  };
}

const object = (keywords: Json) => ({ type: 'object', ...keywords });

describe('a change of what a dynamic anchor overrides', () => {
  it.each<[string, Json, Json, string]>([
    ['maximum', { maximum: 9 }, { maximum: 5 }, 'request-maximum-narrowed /items/*'],
    ['maxLength', { maxLength: 9 }, { maxLength: 5 }, 'request-max-length-narrowed /items/*'],
    ['enum', { enum: ['a', 'b'] }, { enum: ['a'] }, 'request-enum-value-removed /items/*'],
    [
      'required',
      object({}),
      object({ required: ['size'] }),
      'request-property-became-required /items/*',
    ],
    [
      'a property',
      object({ properties: { size: { maximum: 9 } } }),
      object({ properties: { size: { maximum: 5 } } }),
      'request-maximum-narrowed /items/*/size',
    ],
  ])('is breaking where it is used: %s', (_, before, after, expected) => {
    const found = changesBetween(pages(before), pages(after));
    const breaking = found.filter(({ severity }) => severity === 'breaking');
    expect(breaking.map(({ rule, part }) => `${rule} ${part.split(' ').at(-1)}`)).toEqual([
      expected,
    ]);
    const [change] = breaking;
    expect(change).toMatchObject({ operations: ['POST /toys'], example: expect.anything() });
    expect(change!.after).toMatch(/^\/components\/schemas\/Toys\/\$defs\/item/);
  });

  it('has no finding if both contracts are equal', () => {
    expect(changesBetween(pages({ maximum: 9 }), pages({ maximum: 9 }))).toEqual([]);
  });

  it('reports a change of the shared schema once, where it is written', () => {
    const limited = (maxItems: number) => {
      const items = { ...PAGE.properties.items, maxItems };
      return pages({}, { properties: { items } });
    };
    const [change, ...others] = changesBetween(limited(9), limited(5)).filter(
      ({ severity }) => severity === 'breaking',
    );
    expect(others).toEqual([]);
    expect(change).toMatchObject({
      rule: 'request-max-items-narrowed',
      operations: ['POST /toys', 'POST /books'],
      after: '/components/schemas/Page/properties/items/maxItems',
    });
  });

  it('finds the recursive property of an extended tree', () => {
    const tree = (size: Json) => {
      const node = { type: 'object', properties: { inner: { $dynamicRef: '#node' } } };
      const schemas = {
        Tree: { $id: 'https://toys.example/tree', $dynamicAnchor: 'node', ...node },
        Sized: {
          ...{ $id: 'https://toys.example/sized', $dynamicAnchor: 'node' },
          ...{ $ref: 'https://toys.example/tree', properties: { size } },
        },
      };
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/Sized' } } };
      const post = { requestBody: { content }, responses: { 204: { description: 'd' } } };
      return { definition: contract(schemas, { '/trees': { post } }) };
    };
    const found = changesBetween(tree({ maximum: 9 }), tree({ maximum: 5 }));
    expect(found.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual([
      'breaking request-maximum-narrowed',
    ]);
  });
});
