import { describe, expect, it } from '@jest/globals';
import { parseText } from '@stubwright/cli/editor';
import { Contract, type Node } from '@stubwright/contract';
import { Coercions, Validators } from '@stubwright/contract/values';

/** The components of a toy contract; `S` is the schema under test. */
function validators(
  version: string,
  schemas: string,
  direction: 'request' | 'response' = 'request',
) {
  const text = `openapi: ${version}\npaths: {}\ncomponents: {schemas: ${schemas}}`;
  const definition = new Contract(parse(text));
  const compiled = new Validators(definition, direction);
  const pointer = '/components/schemas/S';
  return {
    accepts: (value: unknown) => compiled.at(pointer)(value) === true,
    typed: (value: unknown) => new Coercions(compiled).at(pointer)?.(value) ?? value,
  };
}

type Row = [schemas: string, good: unknown[], bad: unknown[]];

/** The document as a start reads it, with exact integers. */
function parse(text: string): Node {
  return (parseText(text, false) as { value: Node }).value;
}

const COMMON: Row[] = [
  ['{S: {type: string, minLength: 2, maxLength: 3}}', ['ab', '\u{1f331}b'], ['a', 'abcd', 1, null]],
  ['{S: {type: integer, format: int32}}', [-(2 ** 31), 2 ** 31 - 1, 1.0], [2 ** 31, 1.5, '1']],
  [
    '{S: {type: integer, format: int64}}',
    [1, 2n ** 63n - 1n, -(2n ** 63n)],
    [2n ** 63n, 1.5, 2 ** 63],
  ],
  ['{S: {type: integer, format: int64, minimum: 1, maximum: 9}}', [1, 9], [0, 10]],
  [
    '{S: {type: integer, format: int64, multipleOf: 3}}',
    [9007199254740993n, 0],
    [9007199254740994n],
  ],
  ['{S: {type: integer, format: int64, enum: [1, 3]}}', [1, 3], [2]],
  [
    '{S: {type: integer}}',
    [5, 9007199254740993n, -(2n ** 70n), 2 ** 63, 1e30],
    [1.5, '5', Number.NaN, Number.POSITIVE_INFINITY],
  ],
  ['{S: {type: number}}', [1.5, 9007199254740993n], ['5', Number.NaN]],
  ['{S: {type: integer, format: uint64}}', [0, 2n ** 64n - 1n], [-1, 2n ** 64n, 2 ** 64]],
  ['{S: {type: integer, format: int32}}', [1], [2n ** 60n]],
  [
    '{S: {type: integer, maximum: 9223372036854776000, minimum: -9223372036854776000}}',
    [9223372036854775807n, 9223372036854776000n],
    [9223372036854776001n],
  ],
  [
    '{S: {type: integer, minimum: 9007199254740993}}',
    [9007199254740993n, 2 ** 60],
    [2 ** 53, 9007199254740992n],
  ],
  [
    '{S: {type: integer, multipleOf: 10}}',
    [9007199254740990, 90071992547409930n],
    [90071992547409931n],
  ],
  ['{S: {type: number, multipleOf: 0.5}}', [1.5, 9007199254740993n], [1.25]],
  ['{S: {type: number, multipleOf: 0}}', [1.5], ['a']],
  ['{S: {enum: [9007199254740993, 1]}}', [9007199254740993n, 1, 1n], [9007199254740992, '1']],
  [
    '{S: {enum: [{a: 1, b: [2]}]}}',
    [
      { b: [2], a: 1 },
      { a: 1n, b: [2n] },
    ],
    [{ a: 1 }, { a: 1, b: 2 }, [['a', 1]]],
  ],
  [
    '{S: {type: array, items: {}, uniqueItems: true}}',
    [[1, '1', true]],
    [
      [1, 1n],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  ['{S: {type: string, maxLength: 9223372036854775807}}', ['a'], [1]],
  ['{S: {oneOf: [{type: integer}, {type: string}]}}', [9007199254740993n, 'a'], [1.5]],
  ['{S: {type: number, format: float}}', [1.5, 3e38], [4e38]],
  ['{S: {type: number, multipleOf: 0.01}}', [0.01], [0.005]],
  ['{S: {type: string, format: date}}', ['2024-02-29'], ['2023-02-29', 'today']],
  [
    '{S: {type: string, format: date-time}}',
    ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.5+02:00'],
    ['2024-01-01', '2024-01-01T25:00:00Z'],
  ],
  ['{S: {type: string, format: uuid}}', ['123e4567-e89b-12d3-a456-426614174000'], ['123']],
  ['{S: {type: string, format: email}}', ['a@b.de'], ['a']],
  ['{S: {type: string, format: uri}}', ['https://a.b/c'], ['/c']],
  ['{S: {type: string, format: byte}}', ['', 'YWI='], ['YWI', '*']],
  ['{S: {type: string, format: base64}}', ['YWI='], ['YWI', '*']],
  ['{S: {type: string, contentEncoding: base64}}', ['', 'YWI=', 'YWI', '*'], [1]],
  ['{S: {contentMediaType: application/json, contentSchema: {type: object}}}', ['{:}', 1], []],
  ['{S: {type: string, contentSchema: {type: object}}}', ['[]'], [{}]],
  ['{S: {type: string, format: ipv4}}', ['1.2.3.4'], ['1.2.3.400']],
  ['{S: {type: string, format: no-such-format}}', ['anything'], [1]],
  ['{S: {type: string, pattern: "^[\\\\w-.]+$"}}', ['a-b.c'], ['a b']],
  ['{S: {type: string, pattern: "(?i)^ab$"}}', ['AB'], ['ac']],
  ['{S: {type: string, pattern: "\\\\Aab\\\\z"}}', ['ab'], ['xab']],
  [
    '{S: {type: array, items: {$ref: "#/components/schemas/T"}, uniqueItems: true, minItems: 1}, T: {type: integer}}',
    [[1, 2]],
    [[], [1, 1], ['a']],
  ],
  [
    '{S: {type: object, properties: {a: {type: string}}, additionalProperties: false}}',
    [{}, { a: '' }],
    [{ b: 1 }],
  ],
  ['{S: {type: object, additionalProperties: {type: integer}}}', [{ a: 1 }], [{ a: 'x' }]],
  [
    '{S: {type: object, minProperties: 1, maxProperties: 2}}',
    [{ a: 1 }],
    [{}, { a: 1, b: 2, c: 3 }],
  ],
  [
    '{S: {allOf: [{$ref: "#/components/schemas/T"}, {required: [b]}]}, T: {type: object, required: [a]}}',
    [{ a: 1, b: 1 }],
    [{ a: 1 }, { b: 1 }],
  ],
  ['{S: {oneOf: [{type: integer}, {type: number}]}}', [1.5], [1, 'a']],
  ['{S: {anyOf: [{type: integer}, {type: string}]}}', [1, 'a'], [null, true]],
  ['{S: {not: {type: string}}}', [1], ['a']],
  [
    '{S: {type: object, properties: {next: {$ref: "#/components/schemas/S"}}}}',
    [{ next: { next: {} } }],
    [{ next: { next: 1 } }],
  ],
  [
    '{S: {type: object, properties: {id: {readOnly: true}, kids: {type: array, items: {required: [id]}}}}}',
    [{ kids: [{ id: 1 }] }],
    [{ kids: [{}] }],
  ],
  [
    '{S: {allOf: [{$ref: "#/components/schemas/T"}, {required: [id]}]}, T: {type: object, properties: {id: {readOnly: true}}}}',
    [{}, { id: 1 }],
    [1],
  ],
  [
    '{S: {allOf: [{$ref: "#/components/schemas/T"}, {properties: {id: {readOnly: true}}}]}, T: {type: object, required: [id, a]}}',
    [{ a: 1 }, { a: 1, id: 1 }],
    [{ id: 1 }],
  ],
  [
    '{S: {type: object, required: [id], properties: {id: {type: integer, readOnly: true}}}}',
    [{}, { id: 1 }, { id: 'of another type' }],
    [1],
  ],
  [
    '{S: {oneOf: [{$ref: "#/components/schemas/Cat"}, {$ref: "#/components/schemas/Dog"}], discriminator: {propertyName: kind}}, Cat: {type: object, properties: {lives: {type: integer}}}, Dog: {type: object, properties: {lives: {type: string}}}}',
    // A discriminator never changes the outcome (OpenAPI 3.0.4, Discriminator Object).
    [
      { kind: 'Cat', lives: 9 },
      { kind: 'Dog', lives: 9 },
      { kind: 'Cow', lives: 'one' },
    ],
    [{ kind: 'Cat', lives: true }],
  ],
  [
    '{S: {oneOf: [{$ref: "#/components/schemas/Cat"}], discriminator: {propertyName: kind, mapping: {c: "#/components/schemas/Cat", d: Dog}}}, Cat: {required: [c]}, Dog: {required: [d]}}',
    [
      { kind: 'c', c: 1 },
      { kind: 'd', c: 1 },
    ],
    [{ kind: 'c' }, { kind: 'd', d: 1 }],
  ],
];

const ONLY_30: Row[] = [
  ['{S: {type: string, nullable: true}}', ['a', null], [1]],
  ['{S: {type: string, nullable: true, enum: [a]}}', ['a', null], ['b']],
  [
    '{S: {nullable: true, allOf: [{$ref: "#/components/schemas/T"}]}, T: {type: string}}',
    ['a', null],
    [1],
  ],
  ['{S: {type: integer, format: int64, nullable: true}}', [1, null, 2n ** 60n], ['a']],
  ['{S: {type: integer, minimum: 1, exclusiveMinimum: true}}', [2], [1]],
  ['{S: {type: integer, maximum: 9, exclusiveMaximum: false}}', [9], [10]],
  ['{S: {$ref: "#/components/schemas/T", minLength: 5}, T: {type: string}}', ['a'], [1]],
];

const ONLY_31: Row[] = [
  ['{S: {type: [string, "null"]}}', ['a', null], [1]],
  ['{S: {type: [integer, "null"], format: int64}}', [1n, null], ['a', 2n ** 63n]],
  ['{S: {const: a}}', ['a'], ['b']],
  ['{S: {exclusiveMinimum: 1}}', [2], [1]],
  [
    '{S: {prefixItems: [{type: string}, {type: integer}], items: false}}',
    [['a', 1]],
    [[1], ['a', 1, 2]],
  ],
  ['{S: {contains: {type: integer}, minContains: 2}}', [[1, 2, 'a']], [[1, 'a']]],
  [
    '{S: {allOf: [{properties: {a: true}}], properties: {b: true}, unevaluatedProperties: false}}',
    [{ a: 1, b: 1 }],
    [{ c: 1 }],
  ],
  [
    '{S: {if: {required: [a]}, then: {required: [b]}, else: {required: [c]}}}',
    [{ a: 1, b: 1 }, { c: 1 }],
    [{ a: 1 }, {}],
  ],
  [
    '{S: {dependentRequired: {a: [b]}, dependentSchemas: {c: {required: [d]}}}}',
    [{ a: 1, b: 1 }],
    [{ a: 1 }, { c: 1 }],
  ],
  ['{S: {propertyNames: {pattern: "^a"}}}', [{ ab: 1 }], [{ b: 1 }]],
  ['{S: {$ref: "#/components/schemas/T", minLength: 2}, T: {type: string}}', ['ab'], ['a', 1]],
  ['{S: {$ref: "#/components/schemas/S/$defs/T", $defs: {T: {type: string}}}}', ['a'], [1]],
  ['{S: {$ref: "#named"}, T: {$anchor: named, type: string}}', ['a'], [1]],
  [
    '{S: {$ref: "https://a.b/t"}, T: {$id: "https://a.b/t", $ref: "#/$defs/U", $defs: {U: {type: string}}}}',
    ['a'],
    [1],
  ],
  [
    '{S: {$dynamicAnchor: node, properties: {next: {$dynamicRef: "#node"}}, unevaluatedProperties: false}}',
    [{ next: { next: {} } }],
    [{ next: { other: 1 } }],
  ],
  [
    '{S: {$ref: "#/components/schemas/List", $defs: {T: {$dynamicAnchor: T, type: integer}}}, List: {type: array, items: {$dynamicRef: "#T"}, $defs: {T: {$dynamicAnchor: T, not: {}}}}}',
    [[1]],
    [['a']],
  ],
  ['{S: true}', [1, null], []],
];

describe.each(['3.0.3', '3.1.0'])('a schema of OpenAPI %s', (version) => {
  const own = version === '3.0.3' ? ONLY_30 : ONLY_31;
  it.each([...COMMON, ...own])('%s accepts only valid values', (schemas, good, bad) => {
    const { accepts } = validators(version, schemas);
    expect(good.filter((value) => !accepts(value))).toEqual([]);
    expect(bad.filter((value) => accepts(value))).toEqual([]);
  });

  it('does not require writeOnly properties in a response', () => {
    const schema =
      '{S: {type: object, required: [a, b], properties: {a: {type: string, writeOnly: true}, b: {readOnly: true}}}}';
    expect(validators(version, schema, 'response').accepts({ b: 1 })).toBe(true);
    expect(validators(version, schema, 'request').accepts({ a: '' })).toBe(true);
  });
});

describe('a valid value', () => {
  const id = '{type: integer, format: int64}';
  it.each<[string, string, unknown, unknown]>([
    ['at the root', `{S: ${id}}`, 5, 5n],
    ['in a property', `{S: {properties: {id: ${id}}}}`, { id: 5, n: 5 }, { id: 5n, n: 5 }],
    ['in items', `{S: {type: array, items: ${id}}}`, [1, 2], [1n, 2n]],
    ['in additionalProperties', `{S: {additionalProperties: ${id}}}`, { a: 1 }, { a: 1n }],
    [
      'in patternProperties',
      `{S: {patternProperties: {"^a": ${id}}}}`,
      { a: 1, b: 1 },
      { a: 1n, b: 1 },
    ],
    [
      'through allOf and $ref',
      `{S: {allOf: [{$ref: "#/components/schemas/T"}]}, T: {properties: {id: ${id}}}}`,
      { id: 1 },
      { id: 1n },
    ],
    [
      'in the branch that is met',
      `{S: {oneOf: [{required: [a], properties: {id: ${id}}}, {required: [b], properties: {id: {type: integer}}}]}}`,
      { b: 1, id: 1 },
      { b: 1, id: 1 },
    ],
    ['in a branch of anyOf', `{S: {anyOf: [${id}, {type: string}]}}`, 1, 1n],
    [
      'in a tree',
      `{S: {properties: {id: ${id}, kids: {type: array, items: {$ref: "#/components/schemas/S"}}}}}`,
      { id: 1, kids: [{ id: 2, kids: [] }] },
      { id: 1n, kids: [{ id: 2n, kids: [] }] },
    ],
  ])('has a bigint for an int64 %s', (_, schemas, value, typed) => {
    expect(validators('3.1.0', schemas).typed(value)).toEqual(typed);
  });

  it('has a bigint for a uint64', () => {
    expect(validators('3.1.0', '{S: {type: integer, format: uint64}}').typed(5)).toBe(5n);
  });

  it('is coerced by the alternative that a readOnly property selects', () => {
    const kind = (value: string, id: string) =>
      `{allOf: [{$ref: "#/components/schemas/Base"}, {properties: {kind: {enum: [${value}]}, id: {type: integer${id}}}}]}`;
    const schemas = `{S: {oneOf: [${kind('a', ', format: int64')}, ${kind('b', '')}]}, Base: {type: object, properties: {kind: {type: string, readOnly: true}}}}`;
    const { accepts, typed } = validators('3.0.3', schemas);
    expect([{ kind: 'a', id: 1 }, { kind: 'c', id: 1 }, { id: 1 }].map(accepts)).toEqual([
      true,
      false,
      false,
    ]);
    expect([typed({ kind: 'a', id: 1 }), typed({ kind: 'b', id: 1 })]).toEqual([
      { id: 1n },
      { id: 1 },
    ]);
  });

  it('has no readOnly property in a request, also where a $ref declares it', () => {
    const schemas =
      '{S: {allOf: [{$ref: "#/components/schemas/T"}, {properties: {id: {default: 1}}}], properties: {list: {type: array, items: {$ref: "#/components/schemas/T"}}}}, T: {properties: {id: {$ref: "#/components/schemas/Id"}, a: {}}}, Id: {type: integer, readOnly: true}}';
    const value = { id: 1, a: 1, list: [{ id: 2, a: 3 }] };
    expect(validators('3.0.3', schemas).typed(value)).toEqual({ a: 1, list: [{ a: 3 }] });
  });

  it('has no default that violates its own schema', () => {
    const schemas =
      '{S: {properties: {a: {type: integer, default: x}, b: {type: string, minLength: 2, default: y}, c: {$ref: "#/components/schemas/T"}}}, T: {enum: [1, 2], default: 2}}';
    expect(validators('3.0.3', schemas).typed({})).toEqual({ c: 2 });
  });

  it('has its defaults, inside compositions too', () => {
    const schemas =
      '{S: {allOf: [{properties: {a: {default: [1]}}}], properties: {b: {type: object, default: {}, properties: {c: {default: x}}}}}}';
    expect(validators('3.0.3', schemas).typed({})).toEqual({ a: [1], b: { c: 'x' } });
  });
});
