// Values that the schemas of OpenAPI allow; packages/contract has each keyword, the bounds of numbers and the
// formats, the CLI the suite of JSON Schema.
import { describe, expect, it } from '@jest/globals';
import { parseText } from '@stubwright/cli/editor';
import { Contract, type Direction, type Node } from '@stubwright/contract';
import { Coercions, Validators } from '@stubwright/contract/values';

/** @param schema as YAML @param others the other components, to which `T` and further names refer */
function validators(
  version: string,
  schema: string,
  others = '',
  direction: Direction = 'request',
) {
  const components = others === '' ? `S: ${schema}` : `S: ${schema}, ${others}`;
  const schemas = components.replaceAll(/\$ref: (\w+)/g, '$ref: "#/components/schemas/$1"');
  const text = `openapi: ${version}\npaths: {}\ncomponents: {schemas: {${schemas}}}`;
  const compiled = new Validators(new Contract(parse(text)), direction);
  const pointer = '/components/schemas/S';
  return {
    accepts: (value: unknown) => compiled.at(pointer)(value) === true,
    typed: (value: unknown) => new Coercions(compiled).at(pointer)?.(value) ?? value,
  };
}

type Row = [schema: string, good: unknown[], bad: unknown[], others?: string];

/** The document as a start reads it, with exact integers. */
function parse(text: string): Node {
  return (parseText(text, false) as { value: Node }).value;
}

const MAX = 9223372036854775807n;
const ODD = 9007199254740993n;
const KIND = 'discriminator: {propertyName: kind';

const COMMON: Row[] = [
  ['{type: string, minLength: 2, maxLength: 3}', ['ab', '\u{1f331}b'], ['a', 'abcd', 1, null]],
  ['{type: string, maxLength: 9223372036854775807}', ['a'], [1]],
  ['{type: integer}', [5, ODD, -(2n ** 70n), 2 ** 63, 1e30], [1.5, '5', Number.NaN, Infinity]],
  ['{type: integer, format: int64, enum: [1, 3]}', [1, 3], [2]],
  ['{type: integer, maximum: 9223372036854776000}', [MAX, MAX + 193n], [MAX + 194n]],
  ['{type: integer, minimum: 9007199254740993}', [ODD, 2 ** 60], [2 ** 53, ODD - 1n]],
  ['{type: integer, multipleOf: 10}', [9007199254740990, 10n * ODD], [10n * ODD + 1n]],
  ['{type: number}', [1.5, ODD], ['5', Number.NaN]],
  ['{enum: [9007199254740993, 1]}', [ODD, 1, 1n], [9007199254740992, '1']],
  ['{enum: [{a: 1, b: [2]}]}', [{ b: [2n], a: 1n }], [{ a: 1 }, { a: 1, b: 2 }, [['a', 1]]]],
  [
    '{uniqueItems: true}',
    [[1, '1', true]],
    [
      [1, 1n],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  ['{oneOf: [{type: integer}, {type: string}]}', [ODD, 'a'], [1.5]],
  ['{type: string, format: base64}', ['YWI='], ['YWI', '*']],
  // Annotations.
  ['{type: string, contentEncoding: base64}', ['', 'YWI=', 'YWI', '*'], [1]],
  ['{contentMediaType: application/json, contentSchema: {type: object}}', ['{:}', 1], []],
  ['{type: string, contentSchema: {type: object}}', ['[]'], [{}]],
  ['{type: string, pattern: "^[\\\\w-.]+$"}', ['a-b.c'], ['a b']],
  ['{type: string, pattern: "(?i)^ab$"}', ['AB'], ['ac']],
  ['{type: string, pattern: "\\\\Aab\\\\z"}', ['ab'], ['xab']],
  [
    '{properties: {next: {$ref: S}}, type: object}',
    [{ next: { next: {} } }],
    [{ next: { next: 1 } }],
  ],
  // A readOnly property, which a request does not need.
  [
    '{properties: {id: {readOnly: true}, kids: {type: array, items: {required: [id]}}}}',
    [{ kids: [{ id: 1 }] }],
    [{ kids: [{}] }],
  ],
  [
    '{allOf: [{$ref: T}, {required: [id]}]}',
    [{}, { id: 1 }],
    [1],
    'T: {type: object, properties: {id: {readOnly: true}}}',
  ],
  [
    '{allOf: [{$ref: T}, {properties: {id: {readOnly: true}}}]}',
    [{ a: 1 }, { a: 1, id: 1 }],
    [{ id: 1 }],
    'T: {type: object, required: [id, a]}',
  ],
  [
    '{type: object, required: [id], properties: {id: {type: integer, readOnly: true}}}',
    [{}, { id: 1 }, { id: 'of another type' }],
    [1],
  ],
  // A discriminator never changes the outcome (OpenAPI 3.0.4, Discriminator Object).
  [
    `{oneOf: [{$ref: Cat}, {$ref: Dog}], ${KIND}}}`,
    [
      { kind: 'Cat', n: 9 },
      { kind: 'Dog', n: 9 },
      { kind: 'Cow', n: 'one' },
    ],
    [{ kind: 'Cat', n: true }],
    'Cat: {properties: {n: {type: integer}}}, Dog: {properties: {n: {type: string}}}',
  ],
  [
    `{oneOf: [{$ref: Cat}], ${KIND}, mapping: {c: "#/components/schemas/Cat", d: Dog}}}`,
    [
      { kind: 'c', c: 1 },
      { kind: 'd', c: 1 },
    ],
    [{ kind: 'c' }, { kind: 'd', d: 1 }],
    'Cat: {required: [c]}, Dog: {required: [d]}',
  ],
];

const ONLY_30: Row[] = [
  ['{type: string, nullable: true}', ['a', null], [1]],
  ['{type: string, nullable: true, enum: [a]}', ['a', null], ['b']],
  ['{nullable: true, allOf: [{$ref: T}]}', ['a', null], [1], 'T: {type: string}'],
  ['{type: integer, format: int64, nullable: true}', [1, null, 2n ** 60n], ['a']],
  ['{type: integer, minimum: 1, exclusiveMinimum: true}', [2], [1]],
  ['{type: integer, maximum: 9, exclusiveMaximum: false}', [9], [10]],
  ['{$ref: T, minLength: 5}', ['a'], [1], 'T: {type: string}'],
];

const ONLY_31: Row[] = [
  ['{type: [string, "null"]}', ['a', null], [1]],
  ['{type: [integer, "null"], format: int64}', [1n, null], ['a', MAX + 1n]],
  ['{$ref: T, minLength: 2}', ['ab'], ['a', 1], 'T: {type: string}'],
  ['{$ref: "#named"}', ['a'], [1], 'T: {$anchor: named, type: string}'],
  [
    '{$ref: "https://a.b/t"}',
    ['a'],
    [1],
    'T: {$id: "https://a.b/t", $ref: "#/$defs/U", $defs: {U: {type: string}}}',
  ],
  [
    '{$ref: List, $defs: {T: {$dynamicAnchor: T, type: integer}}}',
    [[1]],
    [['a']],
    'List: {items: {$dynamicRef: "#T"}, $defs: {T: {$dynamicAnchor: T, not: {}}}}',
  ],
  ['true', [1, null], []],
];

describe.each(['3.0.3', '3.1.0'])('a schema of OpenAPI %s', (version) => {
  const own = version === '3.0.3' ? ONLY_30 : ONLY_31;
  // jest passes a callback as an argument that a row does not have.
  const rows = [...COMMON, ...own].map(
    ([schema, good, bad, others = '']) => [schema, good, bad, others] as const,
  );
  it.each(rows)('%s accepts only valid values', (schema, good, bad, others) => {
    const { accepts } = validators(version, schema, others);
    expect(good.filter((value) => !accepts(value))).toEqual([]);
    expect(bad.filter((value) => accepts(value))).toEqual([]);
  });

  it('does not require writeOnly properties in a response', () => {
    const schema =
      '{type: object, required: [a, b], properties: {a: {type: string, writeOnly: true}, b: {readOnly: true}}}';
    expect(validators(version, schema, '', 'response').accepts({ b: 1 })).toBe(true);
    expect(validators(version, schema).accepts({ a: '' })).toBe(true);
  });
});

describe('a valid value', () => {
  const id = '{type: integer, format: int64}';
  it.each<[string, string, unknown, unknown]>([
    ['at the root', id, 5, 5n],
    ['of 64 bits without a sign', '{type: integer, format: uint64}', 5, 5n],
    ['in a property', `{properties: {id: ${id}}}`, { id: 5, n: 5 }, { id: 5n, n: 5 }],
    ['in items', `{type: array, items: ${id}}`, [1, 2], [1n, 2n]],
    ['in additionalProperties', `{additionalProperties: ${id}}`, { a: 1 }, { a: 1n }],
    ['by pattern', `{patternProperties: {"^a": ${id}}}`, { a: 1, b: 1 }, { a: 1n, b: 1 }],
    ['through allOf and $ref', '{allOf: [{$ref: T}]}', { id: 1 }, { id: 1n }],
    [
      'in the branch that is met',
      `{oneOf: [{required: [a], properties: {id: ${id}}}, {required: [b], properties: {id: {type: integer}}}]}`,
      { b: 1, id: 1 },
      { b: 1, id: 1 },
    ],
    ['in a branch of anyOf', `{anyOf: [${id}, {type: string}]}`, 1, 1n],
    [
      'in a tree',
      `{properties: {id: ${id}, kids: {type: array, items: {$ref: S}}}}`,
      { id: 1, kids: [{ id: 2, kids: [] }] },
      { id: 1n, kids: [{ id: 2n, kids: [] }] },
    ],
  ])('has a bigint for an int64 %s', (_, schema, value, typed) => {
    expect(validators('3.1.0', schema, `T: {properties: {id: ${id}}}`).typed(value)).toEqual(typed);
  });

  it('is coerced by the alternative that a readOnly property selects', () => {
    const kind = (value: string, id: string) =>
      `{allOf: [{$ref: Base}, {properties: {kind: {enum: [${value}]}, id: {type: integer${id}}}}]}`;
    const { accepts, typed } = validators(
      '3.0.3',
      `{oneOf: [${kind('a', ', format: int64')}, ${kind('b', '')}]}`,
      'Base: {type: object, properties: {kind: {type: string, readOnly: true}}}',
    );
    const values = [{ kind: 'a', id: 1 }, { kind: 'c', id: 1 }, { id: 1 }];
    expect(values.map(accepts)).toEqual([true, false, false]);
    expect(typed({ kind: 'a', id: 1 })).toEqual({ id: 1n });
    expect(typed({ kind: 'b', id: 1 })).toEqual({ id: 1 });
  });

  it.each<[string, string, string, unknown, unknown]>([
    [
      'no readOnly property in a request, also where a $ref declares it',
      '{allOf: [{$ref: T}, {properties: {id: {default: 1}}}], properties: {list: {type: array, items: {$ref: T}}}}',
      'T: {properties: {id: {$ref: Id}, a: {}}}, Id: {type: integer, readOnly: true}',
      { id: 1, a: 1, list: [{ id: 2, a: 3 }] },
      { a: 1, list: [{ a: 3 }] },
    ],
    [
      'no default that violates its own schema',
      '{properties: {a: {type: integer, default: x}, b: {type: string, minLength: 2, default: y}, c: {$ref: T}}}',
      'T: {enum: [1, 2], default: 2}',
      {},
      { c: 2 },
    ],
    [
      'its defaults, inside compositions too',
      '{allOf: [{properties: {a: {default: [1]}}}], properties: {b: {type: object, default: {}, properties: {c: {default: x}}}}}',
      '',
      {},
      { a: [1], b: { c: 'x' } },
    ],
  ])('has %s', (_, schema, others, value, expected) => {
    expect(validators('3.0.3', schema, others).typed(value)).toEqual(expected);
  });
});
