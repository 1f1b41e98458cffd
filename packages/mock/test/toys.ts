// Schemas with each keyword, and with keywords that depend on each other; each has values.
import { parseText } from '@stubwright/cli/editor';
import type { Direction, Node } from '@stubwright/contract';

export interface Toy {
  readonly openapi?: '3.0.3' | '3.1.0';
  readonly direction?: Direction;
  readonly schemas?: Node;
  readonly seed?: string;
}

export const it30 = { openapi: '3.0.3' } as const;
export const string = { type: 'string' };
export const integer = { type: 'integer' };
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const NUMBERS = [...Array(60).keys()];
/** By what it shows: a schema, or an array with what else its contract needs. `$ref` has the name of a component. */
const TEXT = String.raw`
anything: true
no words: {}
an enum: {enum: [a, 1, null]}
a const: {const: {a: [1]}}
a type array: {type: [integer, 'null'], minimum: 3}
two enums in allOf: {allOf: [{enum: [1, 2]}, {enum: [2, 3]}]}
a nullable enum: [{type: string, nullable: true, enum: [a]}, {openapi: '3.0.3'}]
only null: [{type: string, nullable: true, enum: [null]}, {openapi: '3.0.3'}]
nullable without type: [{nullable: true, allOf: [{$ref: Name}]}, {openapi: '3.0.3',
  schemas: {Name: {type: string}}}]
minLength and maxLength: {type: string, minLength: 40, maxLength: 41}
maxLength 0: {type: string, maxLength: 0}
a pattern: {type: string, pattern: '^[A-Z]{2}(?:-\d{3})?$'}
a pattern that is not anchored: {type: string, pattern: '^pkg', minLength: 30}
a pattern and lengths: {type: string, pattern: '^[a-z-]+$', minLength: 36, maxLength: 36}
a pattern of properties: {type: string, pattern: '^\p{Lu}{3}\u{1F600}$'}
a pattern of lookaheads: {type: string, pattern: '^(?=.*[A-Z])(?=.*\d).{8,}$'}
a pattern of a negation: {type: string, pattern: '^(?!a)[a-c]{2}$'}
a pattern of a backreference: {type: string, pattern: '^(?<y>\d{4})-\k<y>(a|b)\2$'}
a pattern of another dialect: {type: string, pattern: '\A(?:a\-b|\_)\Z'}
a pattern of no dialect: {type: string, pattern: '(?P<y>a)['}
two patterns: {allOf: [{pattern: '^[a-z]+$'}, {pattern: '^.{5}$'}], type: string}
a format and a length: {type: string, format: uri, minLength: 60, maxLength: 60}
a format and a pattern: {type: string, format: date, pattern: '^20'}
an integer between: {type: integer, minimum: 5, maximum: 5}
exclusive bounds: {type: integer, exclusiveMinimum: 5, exclusiveMaximum: 7}
exclusive bounds of 3.0: [{type: integer, minimum: 5, exclusiveMinimum: true, maximum: 7,
  exclusiveMaximum: true}, {openapi: '3.0.3'}]
a fraction between: {type: number, exclusiveMinimum: 0.5, exclusiveMaximum: 0.53}
a multiple of a fraction: {type: number, multipleOf: 0.01, minimum: 0.57, maximum: 0.59}
multiples of two: {allOf: [{multipleOf: 4}, {multipleOf: 6}], type: integer}
a multiple above: {type: integer, multipleOf: 7, minimum: 1000, maximum: 1006}
negative ones: {type: integer, maximum: -3, multipleOf: 5}
a number too large for digits: {type: number, minimum: 1e+300}
int32 at its end: {type: integer, format: int32, minimum: 2147483647}
int64 at its end: {type: integer, format: int64, minimum: 9223372036854775807}
a nullable int64: [{type: integer, format: int64, nullable: true}, {openapi: '3.0.3'}]
minItems: {type: array, items: {type: string}, minItems: 3}
maxItems 0: {type: array, items: {type: string}, maxItems: 0}
unique booleans: {type: array, items: {type: boolean}, minItems: 2, uniqueItems: true}
unique numbers: {type: array, items: {type: integer}, minItems: 30, uniqueItems: true}
unique enums: {type: array, items: {enum: [1, 2, 3]}, minItems: 3, uniqueItems: true}
contains: {type: array, items: {type: integer}, contains: {const: 7}, minContains: 2}
prefixItems: {type: array, prefixItems: [{type: string}, {type: integer}], items: false,
  minItems: 2}
contains beside prefixItems: {type: array, prefixItems: [{type: string}], contains: {type: boolean}}
required without properties: {type: object, required: [a, b]}
minProperties: {type: object, minProperties: 3, properties: {a: {type: string}}}
maxProperties: {type: object, maxProperties: 1, properties: {a: {type: string}, b: {type: string}}}
additionalProperties: {type: object, additionalProperties: {type: integer, minimum: 9},
  minProperties: 2}
an empty closed object: {type: object, properties: {}, additionalProperties: false}
patternProperties: {type: object, patternProperties: {'^x-[a-z]{3}$': {type: integer}},
  additionalProperties: false, minProperties: 3}
propertyNames: {type: object, propertyNames: {pattern: '^k\d$'}, minProperties: 4,
  properties: {a: {}}}
dependentRequired: {type: object, properties: {a: {type: string}, b: {type: integer}},
  dependentRequired: {a: [b, c]}}
dependentSchemas: {type: object, properties: {a: {type: string}},
  dependentSchemas: {a: {required: [z]}}}
'if, then, else': {type: object, properties: {kind: {enum: [a, b]}}, required: [kind],
  if: {properties: {kind: {const: a}}}, then: {required: [x], properties: {x: {type: integer}}},
  else: {required: [y]}}
unevaluatedProperties: {allOf: [{type: object, properties: {a: {type: string}}}],
  properties: {b: {type: string}}, required: [a, b], unevaluatedProperties: false}
not an enum: {type: integer, minimum: 1, maximum: 3, not: {enum: [1, 2]}}
not a property: {properties: {a: {type: string}}, type: object, not: {required: [a]}}
not a type: {not: {type: [string, integer, object]}}
anyOf with words beside it: {type: object, required: [a], anyOf: [{required: [b]}]}
oneOf of objects that overlap: {oneOf: [{type: object, properties: {a: {type: integer}}},
  {type: object, properties: {b: {type: integer}}}]}
oneOf that differs inside allOf: [{oneOf: [{$ref: Token}, {$ref: Cash}, {$ref: Transfer}]},
  {schemas: {Base: {required: [type], properties: {type: {type: string}}},
  Token: {allOf: [{$ref: Base}, {required: [token], properties: {token: {type: string}}}]},
  Cash: {allOf: [{$ref: Base}, {type: object, properties: {until: {type: integer}}}]},
  Transfer: {allOf: [{$ref: Base}, {type: object, properties: {until: {type: integer}}}]}}}]
oneOf that differs by the schema of a property: [{oneOf: [{$ref: Cart}, {$ref: Order}]},
  {schemas: {Kind: {enum: [cart, order]}, Cart: {type: object, required: [kind, of],
  properties: {kind: {$ref: Kind}, of: {enum: [${NUMBERS}, a]}}}, Order: {type: object,
  required: [kind, of], properties: {kind: {$ref: Kind}, of: {enum: [${NUMBERS}]}}}}}]
oneOf of which one is the other: {oneOf: [{type: number}, {type: integer}]}
oneOf in allOf in oneOf: {oneOf: [{allOf: [{oneOf: [{type: string}, {type: integer}]},
  {enum: [3]}]}, {type: boolean}]}
anyOf with a branch that nothing meets: {anyOf: [false, {type: integer}]}
a branch that has no end: {anyOf: [{type: array, minItems: 1, items: {$ref: It}}, {type: 'null'}]}
a required recursion: {type: object, required: [left, right],
  properties: {left: {anyOf: [{$ref: It}, {type: string}]}, right: {anyOf: [{$ref: It},
  {type: integer}]}}}
a nullable recursion: [{type: object, required: [next], properties: {next: {oneOf: [{$ref: It}],
  nullable: true}}}, {openapi: '3.0.3'}]
a reference with words beside it: [{$ref: Name, maxLength: 2}, {schemas: {Name: {type: string}}}]
a $dynamicRef: {$dynamicAnchor: node, type: object, properties: {list: {type: array,
  items: {$dynamicRef: '#node'}}}}
an anchor: {$ref: '#word', $defs: {Word: {$anchor: word, type: string}}}
a discriminator: [{oneOf: [{$ref: Cat}, {$ref: Dog}], discriminator: {propertyName: kind,
  mapping: {miaow: '#/components/schemas/Cat'}}}, {openapi: '3.0.3', schemas: {Cat: {type: object,
  required: [kind, lives], properties: {lives: {type: integer}}}, Dog: {type: object,
  required: [kind], properties: {kind: {type: string}}}}}]
a readOnly property in a request: [{type: object, required: [id], properties: {id: {type: integer,
  readOnly: true}}}, {direction: request}]
an example of a wrong value: {type: integer, example: one, default: 1.5}
an example deep inside that breaks its schema: {type: object, properties: {a: {type: array,
  items: {type: string, maxLength: 2, example: long}}}}
`;

const read = parseText(
  TEXT.replaceAll(/\$ref: (\w+)/g, "$ref: '#/components/schemas/$1'"),
  false,
) as { value: Record<string, unknown> };
export const TOYS = Object.entries(read.value).map(
  ([title, toy]) => [title, ...[toy].flat()] as [string, unknown, Toy?],
);
