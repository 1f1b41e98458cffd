// The locations that a comparison leaves out, against comparisons of every location.
import { describe, expect, it } from '@jest/globals';
import { Contract, SchemaModel } from '@stubwright/contract';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { SchemaComparison } from '../src/schema/comparison.ts';
import { termOf } from '../src/schema/term.ts';
import { Unchanged } from '../src/schema/unchanged.ts';
import { type Json, schemas } from './generatedSchemas.ts';

const NAMES = ['A', 'B', 'C', 'D'] as const;
const refs = fc.constantFrom(...NAMES).map(ref);
const discriminators = fc.constantFrom<Json>(
  { propertyName: 'kind' },
  { propertyName: 'kind', mapping: { a: 'A', b: '#/components/schemas/B' } },
  { propertyName: 'kind', mapping: { e: 'E' } },
);

/** Components that refer to one another: in properties in cycles too, in compositions to later ones. */
function component(name: string): fc.Arbitrary<Json> {
  const later = NAMES.filter((each) => each > name).map(ref);
  const objects = fc.tuple(refs, refs).map(([a, b]): Json => {
    return { type: 'object', properties: { a, b } };
  });
  const discriminated = fc.tuple(discriminators, refs).map(([discriminator, a]): Json => {
    return { type: 'object', discriminator, properties: { kind: { type: 'string' }, a } };
  });
  const compositions =
    later.length === 0
      ? []
      : [
          fc.tuple(fc.constantFrom(...later), schemas).map((all): Json => ({ allOf: all })),
          // A branch that occurs twice is reported as added.
          fc.subarray(later, { minLength: 1 }).map((anyOf): Json => ({ anyOf })),
          fc.constantFrom(...later),
        ];
  const items = refs.map((each): Json => ({ type: 'array', items: each }));
  return fc.oneof(schemas, objects, discriminated, items, ...compositions);
}

const components = fc.record(
  {
    A: component('A'),
    B: component('B'),
    C: component('C'),
    D: component('D'),
    E: fc.tuple(refs, schemas).map((all): Json => ({ allOf: all })),
  },
  { requiredKeys: [...NAMES] },
);
/** Components, and the same with up to two of them replaced or removed. */
const edits = fc
  .tuple(
    components,
    fc.dictionary(fc.constantFrom(...NAMES), component('D'), { maxKeys: 2 }),
    fc.boolean(),
  )
  .map(([before, replaced, keepsE]) => {
    const { E, ...rest } = { ...before, ...replaced };
    return [before, keepsE && E !== undefined ? { ...rest, E } : rest] as const;
  });

type Components = Readonly<Record<string, unknown>>;

function definitionOf(components: Json, openapi = '3.1.0'): Contract {
  return new Contract(
    structuredClone({ openapi, info: {}, paths: {}, components: { schemas: components } }),
  );
}

function schemaIn(definition: Contract, name: string) {
  return SchemaModel.of(definition).at(`/components/schemas/${name}`)!;
}

function isUnchanged(before: Contract, after: Contract, name: string): boolean {
  const unchanged = new Unchanged(before, after);
  return unchanged.hasSchema(schemaIn(before, name), schemaIn(after, name));
}

/** @returns the names of the components that a component reaches by text, by any path */
function reached(components: Components, start: string): string[] {
  const names = new Set([start]);
  for (const name of names) {
    const text = JSON.stringify(components[name]) ?? '';
    for (const each of [...NAMES, 'E']) {
      const isExtended =
        text.includes('discriminator') && JSON.stringify(components[each])?.includes('$ref');
      if (text.includes(`schemas/${each}"`) || text.includes(`"${each}"`) || isExtended)
        names.add(each);
    }
  }
  return [...names];
}

describe('an unchanged schema', () => {
  it('has no findings', () => {
    const versions = fc.constantFrom('3.0.3', '3.1.0');
    const property = fc.property(edits, versions, ([was, is], openapi) => {
      const [before, after] = [definitionOf(was, openapi), definitionOf(is)];
      const some = new SchemaComparison(new Unchanged(before, after));
      const every = new SchemaComparison({ hasSchema: () => false });
      for (const name of Object.keys(is).filter((each) => each in was)) {
        for (const direction of ['request', 'response'] as const) {
          const terms = [before, after].map((each) => {
            return termOf(schemaIn(each, name), `/components/schemas/${name}`);
          });
          const [one, other] = [some, every].map((comparison) =>
            comparison
              .differences(terms[0]!, terms[1]!, { direction, wire: 'json' })
              .map(({ values: _, ...difference }) => difference),
          );
          expect(one).toEqual(other);
        }
      }
    });
    fc.assert(property, { numRuns: runs(200) });
  });

  it('is equal with all components that it reaches', () => {
    const property = fc.property(edits, ([was, is]) => {
      const [before, after] = [definitionOf(was), definitionOf(is)];
      for (const name of Object.keys(is).filter((each) => each in was)) {
        const all = [...reached(was, name), ...reached(is, name)];
        const isEqual = all.every(
          (each) =>
            JSON.stringify((was as Components)[each]) === JSON.stringify((is as Components)[each]),
        );
        const isFound = isUnchanged(before, after, name);
        if (isEqual) expect(isFound).toBe(true);
        // A discriminator reaches fewer components than `reached`.
        else if (!JSON.stringify([was, is]).includes('discriminator')) expect(isFound).toBe(false);
      }
    });
    fc.assert(property, { numRuns: runs(500) });
  });

  it.each<[change: string, before: Json, after: Json]>([
    [
      'a component at the end of a cycle',
      {
        A: { items: ref('B') },
        B: { items: ref('C') },
        C: { anyOf: [ref('A'), { type: 'null' }] },
      },
      { A: { items: ref('B') }, B: { items: ref('C') }, C: { anyOf: [ref('A')] } },
    ],
    [
      'a new extension of a discriminated schema',
      { A: { discriminator: { propertyName: 'kind' } } },
      { A: { discriminator: { propertyName: 'kind' } }, B: { allOf: [ref('A')] } },
    ],
    [
      'the extension of an extension',
      {
        A: { discriminator: { propertyName: 'kind' } },
        B: { allOf: [ref('A')] },
        C: { allOf: [ref('B'), {}] },
      },
      {
        A: { discriminator: { propertyName: 'kind' } },
        B: { allOf: [ref('A')] },
        C: { allOf: [ref('B')] },
      },
    ],
    [
      'a schema that a mapping names',
      {
        A: { discriminator: { propertyName: 'kind', mapping: { b: 'B' } } },
        B: { type: 'object' },
      },
      { A: { discriminator: { propertyName: 'kind', mapping: { b: 'B' } } }, B: { type: 'array' } },
    ],
    [
      'a bound beyond the precision of a double',
      { A: { maximum: 9007199254740993n } },
      { A: { maximum: 9007199254740992n } },
    ],
    ['a number that became a string', { A: { const: 1 } }, { A: { const: '1' } }],
    [
      'another base URI',
      { A: { $ref: 'b' }, B: { $id: 'b' } },
      { A: { $ref: 'b' }, B: { $id: 'c' } },
    ],
  ])('does not reach %s', (_, before, after) => {
    expect(isUnchanged(definitionOf(before), definitionOf(after), 'A')).toBe(false);
  });

  it.each<[isSame: boolean, schema: Json]>([
    [true, { type: 'string', minLength: 1 }],
    [true, { properties: { b: ref('B') } }],
    [false, { properties: { c: ref('C') } }],
    [false, { type: 'string', nullable: true }],
    [false, { ...ref('B'), minLength: 1 }],
    [false, { additionalProperties: { ...ref('B'), minLength: 1 } }],
  ])('is unchanged from OpenAPI 3.0 to 3.1: %s for %j', (isSame, A) => {
    const components = { A, B: { type: 'string' }, C: { type: 'string', nullable: true } };
    const [was, is] = ['3.0.3', '3.1.0'].map((openapi) => definitionOf(components, openapi));
    expect(isUnchanged(was!, is!, 'A')).toBe(isSame);
    expect(isUnchanged(definitionOf(components, '3.0.2'), was!, 'A')).toBe(true);
  });
});

function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

describe('the number of compared pairs', () => {
  /** Components in a row; each refers to the next two, the last to the first. */
  function row(count: number): Record<string, Json> {
    const name = (at: number) => `N${at % count}`;
    const entries = Array.from({ length: count }, (_, at) => {
      const properties = { a: ref(name(at + 1)), b: ref(name(at + 2)), c: { type: 'string' } };
      return [name(at), { type: 'object', properties }];
    });
    return Object.fromEntries(entries);
  }

  function compared(was: Json, is: Json): number {
    const [before, after] = [definitionOf(was), definitionOf(is)];
    const comparison = new SchemaComparison(new Unchanged(before, after));
    for (const name of Object.keys(was)) {
      const terms = [before, after].map((each) => termOf(schemaIn(each, name), name));
      comparison.differences(terms[0]!, terms[1]!, { direction: 'request', wire: 'json' });
    }
    return comparison.size;
  }

  it('is 0 for identical contracts', () => {
    expect(compared(row(40), row(40))).toBe(0);
  });

  it('does not depend on the components that reach no change', () => {
    const counts = [20, 40, 80].map((count) => {
      const changed = { Z: { type: 'object', properties: { z: { type: 'string' } } } };
      const other = { Z: { type: 'object', properties: { z: { type: 'integer' } } } };
      return compared({ ...row(count), ...changed }, { ...row(count), ...other });
    });
    expect(counts).toEqual([2, 2, 2]);
  });

  it('is proportional to the components that reach a change', () => {
    const counts = [20, 40, 80].map((count) => {
      const changed = { ...row(count), N3: { type: 'string' } };
      return compared(row(count), changed) / count;
    });
    expect(Math.max(...counts)).toBeLessThan(1.1);
  });
});
