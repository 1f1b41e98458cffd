// Labelled changes that length, count, range, names and dates decide, wherever they are in a realistic schema.
import { type ContractRow, contractOf, type SchemaRow } from './pair.ts';
import { get, OK } from './texts.ts';

const TOY =
  'name: {type: string}, price: {type: number}, tags: {type: array, items: {type: string}}, labels: {type: object, additionalProperties: {type: string}}';
const toy = (properties: string, rest = '') =>
  `{type: object, required: [name], properties: {${TOY}, ${properties}}${rest}}`;

// biome-ignore format: a table
export const GATE_SCHEMA_ROWS: readonly SchemaRow[] = [
  ['large maxLength set', '{type: string}', '{type: string, maxLength: 5000}', 'BC CB', 'A string of 5,001 characters is valid before only.'],
  ['very large maxLength set', '{type: string}', '{type: string, maxLength: 100000}', 'BC CB', 'A longer string is valid before only.'],
  ['maxLength of a megabyte lowered', '{type: string, maxLength: 1048576}', '{type: string, maxLength: 1048575}', 'BC CB', 'One length is valid before only.'],
  ['large minLength raised', '{type: string, minLength: 6000}', '{type: string, minLength: 6001}', 'BC CB', 'One length is valid before only.'],
  ['large maxItems set', '{type: array, items: {type: string}}', '{type: array, items: {type: string}, maxItems: 500}', 'BC CB', '501 items are valid before only.'],
  ['very large maxItems set', '{type: array, items: {type: integer}}', '{type: array, items: {type: integer}, maxItems: 20000}', 'BC CB', '20,001 items are valid before only.'],
  ['large maxProperties set', '{type: object, additionalProperties: {type: string}}', '{type: object, additionalProperties: {type: string}, maxProperties: 1000}', 'BC CB', '1,001 properties are valid before only.'],
  ['large maxItems set in a toy', toy('parts: {type: array, items: {type: object, properties: {id: {type: integer}}}}'), toy('parts: {type: array, maxItems: 800, items: {type: object, properties: {id: {type: integer}}}}'), 'BC CB', '801 parts are valid before only.'],
  ['maxLength of items set', '{type: array, minItems: 300, items: {type: string}}', '{type: array, minItems: 300, items: {type: string, maxLength: 9000}}', 'BC CB', 'A longer item is valid before only.'],
  ['maxLength implied by an enum', '{type: string, enum: [a, b]}', '{type: string, enum: [a, b], maxLength: 5000}', 'CC CC', 'Every value is shorter.'],
  ['maxLength implied by a pattern', "{type: string, pattern: '^[a-z]{1,20}$'}", "{type: string, pattern: '^[a-z]{1,20}$', maxLength: 5000}", 'CC CC', 'Every match is shorter.'],
  ['maxItems implied by uniqueItems of an enum', '{type: array, uniqueItems: true, items: {enum: [a, b]}}', '{type: array, uniqueItems: true, items: {enum: [a, b]}, maxItems: 500}', 'CC CC', 'There are two distinct items.'],
  ['propertyNames set on a toy', toy('a: {type: string}'), toy('a: {type: string}', ", propertyNames: {pattern: '^[a-z]+$'}"), 'BC CB', 'The name A is valid before only.'],
  ['propertyNames narrowed', '{type: object, propertyNames: {maxLength: 50}}', '{type: object, propertyNames: {maxLength: 40}}', 'BC CB', 'A name of 41 characters is valid before only.'],
  ['propertyNames enum narrowed', '{type: object, propertyNames: {enum: [a, b, c]}}', '{type: object, propertyNames: {enum: [a, b]}}', 'BC CB', 'The name c is valid before only.'],
  ['dependentSchemas that narrows a toy', toy('gift: {type: boolean}, card: {type: string}'), toy('gift: {type: boolean}, card: {type: string}', ', dependentSchemas: {gift: {required: [card]}}'), 'BC CB', 'A gift without a card is valid before only.'],
  ['dependentSchemas of a toy narrowed', toy('gift: {type: boolean}', ', dependentSchemas: {gift: {properties: {price: {minimum: 1}}}}'), toy('gift: {type: boolean}', ', dependentSchemas: {gift: {properties: {price: {minimum: 2}}}}'), 'BC CB', 'A gift of price 1 is valid before only.'],
  ['if and then that narrow a toy', toy('kind: {type: string}'), toy('kind: {type: string}', ', if: {properties: {kind: {const: car}}, required: [kind]}, then: {required: [price]}'), 'BC CB', 'A car without a price is valid before only.'],
  ['then narrowed in a toy', toy('kind: {type: string}', ', if: {properties: {kind: {const: car}}, required: [kind]}, then: {properties: {price: {minimum: 1}}}'), toy('kind: {type: string}', ', if: {properties: {kind: {const: car}}, required: [kind]}, then: {properties: {price: {minimum: 5}}}'), 'BC CB', 'A car of price 1 is valid before only.'],
  ['dependentRequired added to a toy', toy('gift: {type: boolean}, card: {type: string}'), toy('gift: {type: boolean}, card: {type: string}', ', dependentRequired: {gift: [card]}'), 'BC CB', 'A gift without a card is valid before only.'],
  ['exclusiveMaximum of a number', '{type: number, maximum: 1000000000}', '{type: number, exclusiveMaximum: 1000000000}', 'BC CB', 'The bound itself is valid before only.'],
  ['multipleOf of a large integer', '{type: integer, minimum: 1000001, maximum: 2000001}', '{type: integer, minimum: 1000001, maximum: 2000001, multipleOf: 7}', 'BC CB', 'Most integers are valid before only.'],
  ['property removed from an open object', toy('color: {type: string}'), toy('colour: {type: string}'), 'R- R-', 'It is ignored.'],
  ['property removed from a closed object', toy('color: {type: string}', ', additionalProperties: false'), `{type: object, required: [name], properties: {${TOY}}, additionalProperties: false}`, 'B- C-', 'It is refused.'],
  ['property removed, others of another type', '{type: object, properties: {a: {type: string}, b: {type: integer}}, additionalProperties: {type: integer}}', '{type: object, properties: {b: {type: integer}}, additionalProperties: {type: integer}}', 'B- ', 'Its strings are refused.'],
  ['digits by an escape', "{type: string, pattern: '^\\d+$'}", "{type: string, pattern: '^[0-9]+$'}", 'CC CC', 'The same strings.'],
  ['alternatives as a class', "{type: string, pattern: '^(a|b|c)$'}", "{type: string, pattern: '^[abc]$'}", 'CC CC', 'The same strings.'],
  ['needless group', "{type: string, pattern: '^(?:[a-z]+)$'}", "{type: string, pattern: '^[a-z]+$'}", 'CC CC', 'The same strings.'],
  ['needless escape', "{type: string, pattern: '^[a-z.]+$'}", "{type: string, pattern: '^[a-z\\.]+$'}", 'CC CC', 'The same strings.'],
  ['order of a class', "{type: string, pattern: '^[a-zA-Z0-9_-]+$'}", "{type: string, pattern: '^[-\\w]+$'}", 'CC CC', 'The same strings.'],
  ['counted digits', "{type: string, pattern: '^\\d\\d-\\d\\d$'}", "{type: string, pattern: '^\\d{2}-\\d{2}$'}", 'CC CC', 'The same strings.'],
  ['pattern widened by a letter', "{type: string, pattern: '^[a-y]+$'}", "{type: string, pattern: '^[a-z]+$'}", 'CB BC', 'z is valid after only.'],
  ['pattern widened by a rare branch', "{type: string, pattern: '^arn:aws(-cn)?:[a-z]+:\\d{12}:.*$'}", "{type: string, pattern: '^arn:aws(-cn|-us-gov)?:[a-z]+:\\d{12}:.*$'}", 'CB BC', 'arn:aws-us-gov is valid after only.'],
  ['pattern with a longer maximum', "{type: string, pattern: '^[A-Z0-9]{1,200}$'}", "{type: string, pattern: '^[A-Z0-9]{1,220}$'}", 'CB BC', '201 letters are valid after only.'],
  ['pattern as maxLength', "{type: string, pattern: '^[\\s\\S]{0,40}$'}", '{type: string, maxLength: 40}', 'CC CC', 'The same strings.'],
  ['lengths as a pattern', '{type: string, minLength: 2, maxLength: 5}', "{type: string, pattern: '^[^]{2,5}$'}", 'CC CC', 'The same strings.'],
  ['pattern .* that excludes line breaks', '{type: string}', "{type: string, pattern: '^.*$'}", 'BC CB', 'A line break is valid before only.'],
  ['pattern beside a length that it implies', "{type: string, pattern: '^[0-9]{4}$', minLength: 4}", "{type: string, pattern: '^[0-9]{4}$'}", 'CC CC', 'The pattern implies the length.'],
  ['anchored alternatives', "{type: string, pattern: '^a$|^b$'}", "{type: string, pattern: '^(a|b)$'}", 'CC CC', 'The same strings.'],
  ['half anchored alternatives', "{type: string, pattern: '^(a|b)$'}", "{type: string, pattern: '^a|b$'}", 'CB BC', 'ax is valid after only.'],
  ['word boundary', "{type: string, pattern: '\\bfoo\\b'}", "{type: string, pattern: 'foo'}", 'CB BC', 'xfoo is valid after only.'],
  ['lookahead removed', "{type: string, pattern: '^(?=.*[A-Z]).{8,}$'}", "{type: string, pattern: '^.{8,}$'}", 'CB BC', 'aaaaaaaa is valid after only.'],
  ['minItems beyond maxItems', '{type: array, items: {}, maxItems: 700}', '{type: array, items: {}, maxItems: 700, minItems: 600}', 'BC CB', 'Five items are valid before only.'],
  ['enum value of a toy removed', toy('size: {type: string, enum: [s, m, l]}'), toy('size: {type: string, enum: [s, m]}'), 'BC CB', 'l is valid before only.'],
  ['property of a toy required', toy('size: {type: string}'), `{type: object, required: [name, size], properties: {${TOY}, size: {type: string}}}`, 'BC CB', 'A toy without size is valid before only.'],
  ['uniqueItems set on a long array', '{type: array, minItems: 400, items: {type: integer}}', '{type: array, minItems: 400, items: {type: integer}, uniqueItems: true}', 'BC CB', 'Equal items are valid before only.'],
];

const of = (version: string, parts: string) => contractOf(parts, version);
const stream = (item: string) =>
  of(
    '3.2.0',
    get(
      `responses: {"200": {description: a, content: {application/jsonl: {itemSchema: ${item}}}}}`,
    ),
  );
const upload = (item: string) =>
  of(
    '3.2.0',
    `paths: {/toys: {post: {operationId: postToys, requestBody: {content: {application/jsonl: {itemSchema: ${item}}}}, ${OK}}}}`,
  );
const additional = (operations: string) =>
  of(
    '3.2.0',
    `paths: {/toys: {get: {operationId: getToys, ${OK}}, additionalOperations: {${operations}}}}`,
  );
const nullable = (version: string, schema: string) =>
  of(
    version,
    `paths: {/toys: {post: {operationId: postToys, requestBody: {content: {application/json: {schema: {type: object, properties: {a: ${schema}}}}}}, responses: {"200": {description: a, content: {application/json: {schema: {type: object, properties: {a: ${schema}}}}}}}}}}`,
  );
const secured = (scheme: string) =>
  of(
    '3.2.0',
    `${get(`security: [{token: []}], ${OK}`)}\ncomponents: {securitySchemes: {token: {type: http, scheme: bearer${scheme}}}}`,
  );
const parameter = (list: string) => get(`parameters: [${list}], ${OK}`);
const deprecated = (rest: string) => get(`${rest}${OK}`);
const LINK = `LINK: {operationId: linkToys, ${OK}}`;

// biome-ignore format: a table
export const GATE_CONTRACT_ROWS: readonly ContractRow[] = [
  ['item of a stream may be null', stream('{type: integer}'), stream("{type: [integer, 'null']}"), 'BC', 'Clients may get null.'],
  ['item of a stream gains a bound', stream('{type: integer}'), stream('{type: integer, maximum: 9}'), 'CB', 'Clients get fewer values.'],
  ['required property of an item removed', stream('{type: object, required: [a], properties: {a: {type: string}}}'), stream('{type: object, properties: {a: {type: string}}}'), 'BC', 'Clients may get an item without a.'],
  ['item of a sent stream gains a bound', upload('{type: integer}'), upload('{type: integer, maximum: 9}'), 'BC', '10 is refused.'],
  ['description of an item', stream('{type: integer}'), stream('{type: integer, description: d}'), 'CC', 'Only documentation.'],
  ['LINK operation removed', additional(LINK), additional(''), 'BC', 'Its clients get 405.'],
  ['LINK operation with a stricter parameter', additional(`LINK: {operationId: linkToys, parameters: [{name: a, in: query, schema: {type: integer}}], ${OK}}`), additional(`LINK: {operationId: linkToys, parameters: [{name: a, in: query, schema: {type: integer, maximum: 3}}], ${OK}}`), 'BC', '4 is refused.'],
  ['LINK becomes UNLINK', additional(LINK), additional(`UNLINK: {operationId: linkToys, ${OK}}`), 'BB', 'Another method.'],
  ['nullable added in 3.1', nullable('3.1.0', '{type: string}'), nullable('3.1.0', '{type: string, nullable: true}'), 'CC', 'It has no meaning in 3.1.'],
  ['nullable added in 3.2', nullable('3.2.0', '{type: string}'), nullable('3.2.0', '{type: string, nullable: true}'), 'CC', 'It has no meaning in 3.2.'],
  ['upgrade that leaves nullable behind', nullable('3.0.3', '{type: string, nullable: true}'), nullable('3.1.0', '{type: string, nullable: true}'), 'BB', 'null is valid before only, and in the reverse clients may get it.'],
  ['upgrade without nullable false', nullable('3.0.3', '{type: integer, nullable: false}'), nullable('3.1.0', '{type: integer}'), 'CC', 'null is valid in neither.'],
  ['security scheme deprecated', secured(''), secured(', deprecated: true'), 'CC', 'An annotation.'],
  ['bearerFormat of a scheme', secured(''), secured(', bearerFormat: JWT'), 'CC', 'An annotation.'],
  ['description of a scheme', secured(''), secured(', description: d'), 'CC', 'Only documentation.'],
  ['header parameter removed', parameter('{name: X-A, in: header, schema: {type: string}}'), get(OK), 'RC', 'It is ignored.'],
  ['cookie parameter removed', parameter('{name: a, in: cookie, schema: {type: string}}'), get(OK), 'RC', 'It is ignored.'],
  ['sunset earlier', deprecated("deprecated: true, x-sunset: '2031-06-01', "), deprecated("deprecated: true, x-sunset: '2031-01-01', "), 'BC', 'Clients relied on the later date.'],
  ['sunset in the past', deprecated("deprecated: true, x-sunset: '2031-06-01', "), deprecated("deprecated: true, x-sunset: '2020-01-01', "), 'B-', 'Clients relied on the later date.'],
  ['deprecated with a date in the past', deprecated(''), deprecated("deprecated: true, x-sunset: '2020-01-01', "), 'B-', 'Clients had no time.'],
  ['deprecated with a date in the future', deprecated(''), deprecated("deprecated: true, x-sunset: '2035-01-01', "), 'C-', 'Clients have time.'],
];
