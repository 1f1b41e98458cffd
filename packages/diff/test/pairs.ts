// Labelled pairs: two contracts and the severity of the change. A row yields both directions.
/** `equal`: no change is reported, the two are equivalent. */
export type Label = 'breaking' | 'risky' | 'compatible' | 'equal';

export interface LabelledPair {
  readonly name: string;
  /** YAML. */
  readonly before: string;
  readonly after: string;
  readonly label: Label;
}

const LABELS: Readonly<Record<string, Label>> = {
  B: 'breaking',
  R: 'risky',
  C: 'compatible',
  '=': 'equal',
};

/**
 * A change of a schema, and its labels: for the schema in a request and in a response, then for the
 * reverse change in a request and in a response.
 */
export type SchemaRow = readonly [what: string, before: string, after: string, labels: string];

// biome-ignore format: a table
export const SCHEMAS: readonly SchemaRow[] = [
  // Types
  ['type integer -> number', '{type: integer}', '{type: number}', 'CB BC'],
  ['type string -> integer', '{type: string}', '{type: integer}', 'BB BB'],
  ['any type -> string', '{}', '{type: string}', 'BC CB'],
  ['type string -> string or integer', '{type: string}', '{type: [string, integer]}', 'CB BC'],
  ['nullable -> not', '{type: string, nullable: true}', '{type: string}', 'BC CB'],
  ['nullable beside oneOf -> not', '{nullable: true, oneOf: [{type: string}, {type: integer}]}', '{oneOf: [{type: string}, {type: integer}]}', 'BC CB'],
  ['null in the types -> not', "{type: [string, 'null']}", '{type: string}', 'BC CB'],
  ['array -> its item', '{type: array, items: {type: string}}', '{type: string}', 'BB BB'],
  // Enums
  ['enum without one value', '{type: string, enum: [a, b]}', '{type: string, enum: [a]}', 'BC CB'],
  ['enum with another value', '{type: string, enum: [a]}', '{type: string, enum: [b]}', 'BB BB'],
  ['enum on a plain string', '{type: string}', '{type: string, enum: [a]}', 'BC CB'],
  ['const a -> const b', '{const: a}', '{const: b}', 'BB BB'],
  ['enum with null -> without', '{enum: [a, null]}', '{enum: [a]}', 'BC CB'],
  // Formats
  ['format set', '{type: string}', '{type: string, format: date}', 'BC CB'],
  ['format date -> date-time', '{type: string, format: date}', '{type: string, format: date-time}', 'BB BB'],
  ['format int64 -> int32', '{type: integer, format: int64}', '{type: integer, format: int32}', 'BC CB'],
  ['format that nothing checks', '{type: string}', '{type: string, format: color}', 'RR RR'],
  // Bounds
  ['minimum raised', '{type: integer, minimum: 1}', '{type: integer, minimum: 2}', 'BC CB'],
  ['maximum set', '{type: integer}', '{type: integer, maximum: 9}', 'BC CB'],
  ['maximum lowered at 19 digits', '{type: integer, format: int64, maximum: 9223372036854775807}', '{type: integer, format: int64, maximum: 9223372036854775806}', 'BC CB'],
  ['minimum becomes exclusive (3.0)', '{type: number, minimum: 1}', '{type: number, minimum: 1, exclusiveMinimum: true}', 'BC CB'],
  ['exclusiveMaximum lowered (3.1)', '{type: number, exclusiveMaximum: 9}', '{type: number, exclusiveMaximum: 8}', 'BC CB'],
  ['multipleOf 5 -> 10', '{type: integer, multipleOf: 5}', '{type: integer, multipleOf: 10}', 'BC CB'],
  ['multipleOf 5 -> 7', '{type: integer, multipleOf: 5}', '{type: integer, multipleOf: 7}', 'BB BB'],
  ['minLength raised', '{type: string, minLength: 1}', '{type: string, minLength: 2}', 'BC CB'],
  ['maxLength lowered', '{type: string, maxLength: 9}', '{type: string, maxLength: 8}', 'BC CB'],
  ['minItems set', '{type: array, items: {}}', '{type: array, items: {}, minItems: 1}', 'BC CB'],
  ['maxItems set', '{type: array, items: {}}', '{type: array, items: {}, maxItems: 9}', 'BC CB'],
  ['uniqueItems set', '{type: array, items: {}}', '{type: array, items: {}, uniqueItems: true}', 'BC CB'],
  ['minProperties set', '{type: object}', '{type: object, minProperties: 1}', 'BC CB'],
  ['maxProperties lowered', '{type: object, maxProperties: 3}', '{type: object, maxProperties: 2}', 'BC CB'],
  // Patterns
  ['pattern set', '{type: string}', "{type: string, pattern: '^a'}", 'BC CB'],
  ['pattern tightened', "{type: string, pattern: '^[a-z0-9]+$'}", "{type: string, pattern: '^[a-z]+$'}", 'BC CB'],
  ['pattern replaced', "{type: string, pattern: '^a+$'}", "{type: string, pattern: '^b+$'}", 'BB BB'],
  // Objects
  ['property removed', '{type: object, properties: {a: {}, b: {}}}', '{type: object, properties: {a: {}}}', 'RB CC'],
  ['property renamed', '{type: object, properties: {a: {}}}', '{type: object, properties: {b: {}}}', 'RB RB'],
  ['required property added', '{type: object, properties: {a: {}}}', '{type: object, properties: {a: {}, b: {}}, required: [b]}', 'BC RB'],
  ['property becomes required', '{type: object, properties: {a: {}}}', '{type: object, properties: {a: {}}, required: [a]}', 'BC CB'],
  ['property added to a closed object', '{type: object, additionalProperties: false}', '{type: object, properties: {a: {}}, additionalProperties: false}', 'CB BB'],
  ['object closed', '{type: object}', '{type: object, additionalProperties: false}', 'BC CB'],
  ['values of a map bounded', '{type: object, additionalProperties: {type: integer}}', '{type: object, additionalProperties: {type: integer, maximum: 9}}', 'BC CB'],
  ['property readOnly', '{type: object, properties: {a: {type: string}}}', '{type: object, properties: {a: {type: string, readOnly: true}}}', 'B= C='],
  ['property writeOnly', '{type: object, properties: {a: {type: string}}}', '{type: object, properties: {a: {type: string, writeOnly: true}}}', '=B =C'],
  ['required readOnly property added', '{type: object}', '{type: object, properties: {a: {readOnly: true}}, required: [a]}', '=C =B'],
  ['names of properties bounded', '{type: object}', '{type: object, propertyNames: {maxLength: 3}}', 'BC CB'],
  ['values by pattern of the name bounded', '{type: object, patternProperties: {^a: {type: integer}}}', '{type: object, patternProperties: {^a: {type: integer, minimum: 1}}}', 'BC CB'],
  ['dependentRequired set', '{type: object, properties: {a: {}, b: {}}}', '{type: object, properties: {a: {}, b: {}}, dependentRequired: {a: [b]}}', 'BC CB'],
  // Arrays
  ['items bounded', '{type: array, items: {type: integer}}', '{type: array, items: {type: integer, minimum: 1}}', 'BC CB'],
  ['first item bounded', '{type: array, prefixItems: [{type: string}]}', '{type: array, prefixItems: [{type: string, minLength: 1}]}', 'BC CB'],
  ['contains set', '{type: array}', '{type: array, contains: {const: 1}}', 'BC CB'],
  // Compositions
  ['oneOf without one branch', '{oneOf: [{type: string}, {type: integer}]}', '{oneOf: [{type: string}]}', 'BC CB'],
  ['oneOf of three without one', '{oneOf: [{type: string}, {type: integer}, {type: boolean}]}', '{oneOf: [{type: string}, {type: boolean}]}', 'BC CB'],
  ['branch bounded', '{anyOf: [{type: string}, {type: integer}]}', '{anyOf: [{type: string}, {type: integer, minimum: 1}]}', 'BC CB'],
  ['allOf with one more schema', '{allOf: [{type: string}]}', '{allOf: [{type: string}, {minLength: 2}]}', 'BC CB'],
  ['not set', '{type: string}', '{type: string, not: {const: a}}', 'BC CB'],
  ['not widened', '{type: string, not: {enum: [a]}}', '{type: string, not: {enum: [a, b]}}', 'BC CB'],
  ['then narrowed', '{if: {type: string}, then: {minLength: 1}}', '{if: {type: string}, then: {minLength: 2}}', 'BC CB'],
  ['if changed beside then and else', '{if: {minLength: 1}, then: {maxLength: 3}, else: {type: string}}', '{if: {minLength: 2}, then: {maxLength: 3}, else: {type: string}}', 'CC CC'],
  ['discriminator on another property', "{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind}}", "{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: sort}}", 'BB BB'],
  // References
  ['target of a $ref replaced', "{$ref: '#/components/schemas/Cat'}", "{$ref: '#/components/schemas/Dog'}", 'BB BB'],
  ['a recursive schema bounded', "{$ref: '#/components/schemas/Tree'}", "{$ref: '#/components/schemas/TallTree'}", 'BC CB'],
  // Hints
  ['default replaced', '{type: string, default: a}', '{type: string, default: b}', 'BR BR'],
  ['default removed', '{type: string, default: a}', '{type: string}', 'BR RR'],
  ['description', '{description: a}', '{description: b}', 'CC CC'],
  ['deprecated', '{type: string}', '{type: string, deprecated: true}', 'CC CC'],
  ['xml name', '{type: string, xml: {name: a}}', '{type: string, xml: {name: b}}', 'CC CC'],
  ['content encoding', '{type: string, contentEncoding: base64}', '{type: string}', 'BB BB'],
  // Equivalent schemas
  ['inlined $ref', "{$ref: '#/components/schemas/Cat'}", '{type: object, properties: {kind: {enum: [cat]}, sort: {enum: [cat]}}, required: [kind, sort]}', '== =='],
  ['allOf in one', '{allOf: [{type: object, properties: {a: {}}}, {required: [a]}]}', '{type: object, properties: {a: {}}, required: [a]}', '== =='],
  ['nullable in 3.1 keywords', '{type: string, nullable: true}', "{type: [string, 'null']}", '== =='],
  ['null as a branch', "{type: [string, 'null']}", "{anyOf: [{type: string}, {type: 'null'}]}", '== =='],
  ['a single branch', '{anyOf: [{type: string}]}', '{type: string}', '== =='],
  ['branches in another order', '{oneOf: [{type: string}, {type: integer}]}', '{oneOf: [{type: integer}, {type: string}]}', '== =='],
  ['const as enum', '{const: a}', '{enum: [a]}', '== =='],
  ['above 0 as from 1', '{type: integer, exclusiveMinimum: 0}', '{type: integer, minimum: 1}', '== =='],
  ['required in another order', '{type: object, properties: {a: {}, b: {}}, required: [a, b]}', '{type: object, properties: {b: {}, a: {}}, required: [b, a]}', '== =='],
];

/** A change outside schemas, and its labels: for the change and for its reverse. */
type Row = readonly [what: string, before: string, after: string, labels: string];

const GET = 'responses: {"204": {description: none}}';
const toys = (operation: string) => `paths: {/toys: {get: {operationId: getToys, ${operation}}}}`;
const parameter = (text: string) => toys(`parameters: [${text}], ${GET}`);
const response = (text: string) => toys(`responses: {${text}}`);
const body = (text: string) => `paths: {/toys: {post: {operationId: postToys, ${text}${GET}}}}`;
const schemes = (text: string) => `components: {securitySchemes: {${text}}}\n`;
const TOKEN = schemes(
  'token: {type: http, scheme: bearer}, key: {type: apiKey, in: header, name: X-Key}',
);
const OAUTH = schemes(
  'auth: {type: oauth2, flows: {clientCredentials: {tokenUrl: https://a.example/token, scopes: {read: r, write: w}}}}',
);
const STRING = 'content: {application/json: {schema: {type: string}}}';
const hook = (text: string) =>
  `paths: {}\nwebhooks: {sold: {post: {requestBody: {content: {application/json: {schema: ${text}}}}, ${GET}}}}`;
const callback = (text: string) =>
  toys(
    `callbacks: {sold: {'{$request.query.url}': {post: {requestBody: {content: {application/json: {schema: ${text}}}}, ${GET}}}}}, ${GET}`,
  );

const patched = (property: string) =>
  `paths: {/toys: {patch: {requestBody: {content: {application/merge-patch+json: {schema: {type: object}, x-patch-of: {$ref: '#/components/schemas/Toy'}}}}, ${GET}}}}\ncomponents: {schemas: {Toy: ${property}}}`;

// biome-ignore format: a table
const CONTRACTS: readonly Row[] = [
  // Paths and operations
  ['path removed', `paths: {/toys: {get: {${GET}}}, /cats: {get: {${GET}}}}`, `paths: {/toys: {get: {${GET}}}}`, 'BC'],
  ['path renamed', toys(GET), `paths: {/games: {get: {operationId: getToys, ${GET}}}}`, 'BB'],
  ['method removed', `paths: {/toys: {get: {${GET}}, put: {${GET}}}}`, `paths: {/toys: {get: {${GET}}}}`, 'BC'],
  ['method replaced', `paths: {/toys: {put: {${GET}}}}`, `paths: {/toys: {patch: {${GET}}}}`, 'BB'],
  ['operationId renamed', toys(GET), `paths: {/toys: {get: {operationId: listToys, ${GET}}}}`, 'BB'],
  ['operationId removed', toys(GET), `paths: {/toys: {get: {${GET}}}}`, 'BR'],
  ['path parameter renamed', `paths: {'/toys/{id}': {get: {parameters: [{name: id, in: path, required: true, schema: {}}], ${GET}}}}`, `paths: {'/toys/{toyId}': {get: {parameters: [{name: toyId, in: path, required: true, schema: {}}], ${GET}}}}`, 'RR'],
  ['tag replaced', toys(`tags: [a], ${GET}`), toys(`tags: [b], ${GET}`), 'RR'],
  ['a patched property of another type', patched('{properties: {name: {type: string}}}'), patched('{properties: {name: {type: integer}}}'), 'BB'],
  ['a patched property removed', patched('{properties: {name: {type: string}, note: {type: string}}}'), patched('{properties: {name: {type: string}}}'), 'RC'],
  ['a patched resource closed', patched('{properties: {name: {type: string}}}'), patched('{properties: {name: {type: string}}, additionalProperties: false}'), 'BC'],
  ['a patched property became required', patched('{type: object, properties: {name: {type: string}}}'), patched('{type: object, required: [name], properties: {name: {type: string}}}'), '=='],
  ['operation deprecated', toys(GET), toys(`deprecated: true, ${GET}`), 'CC'],
  ['summary', toys(`summary: a, ${GET}`), toys(`summary: b, ${GET}`), 'CC'],
  // Parameters
  ['required parameter added', toys(GET), parameter('{name: a, in: query, required: true, schema: {}}'), 'BB'],
  ['optional parameter added', toys(GET), parameter('{name: a, in: query, schema: {}}'), 'CB'],
  ['parameter becomes required', parameter('{name: a, in: query, schema: {}}'), parameter('{name: a, in: query, required: true, schema: {}}'), 'BC'],
  ['parameter renamed', parameter('{name: a, in: query, schema: {}}'), parameter('{name: b, in: query, schema: {}}'), 'BB'],
  ['parameter moves to a header', parameter('{name: a, in: query, schema: {}}'), parameter('{name: a, in: header, schema: {}}'), 'BR'],
  ['header parameter in other capitals', parameter('{name: X-A, in: header, schema: {}}'), parameter('{name: x-a, in: header, schema: {}}'), '=='],
  ['parameter bounded', parameter('{name: a, in: query, schema: {type: integer}}'), parameter('{name: a, in: query, schema: {type: integer, maximum: 9}}'), 'BC'],
  ['path parameter bounded', `paths: {'/toys/{id}': {get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], ${GET}}}}`, `paths: {'/toys/{id}': {get: {parameters: [{name: id, in: path, required: true, schema: {type: string, format: uuid}}], ${GET}}}}`, 'BC'],
  ['parameter style', parameter('{name: a, in: query, style: form, schema: {type: array, items: {}}}'), parameter('{name: a, in: query, style: pipeDelimited, schema: {type: array, items: {}}}'), 'BB'],
  ['parameter explode', parameter('{name: a, in: query, schema: {type: array, items: {}}}'), parameter('{name: a, in: query, explode: false, schema: {type: array, items: {}}}'), 'BB'],
  ['default style written out', parameter('{name: a, in: query, schema: {}}'), parameter('{name: a, in: query, style: form, explode: true, schema: {}}'), '=='],
  ['parameter as JSON', parameter('{name: a, in: query, schema: {type: object}}'), parameter('{name: a, in: query, content: {application/json: {schema: {type: object}}}}'), 'BB'],
  ['parameter default', parameter('{name: a, in: query, schema: {type: integer, default: 10}}'), parameter('{name: a, in: query, schema: {type: integer, default: 20}}'), 'BB'],
  ['allowEmptyValue', parameter('{name: a, in: query, allowEmptyValue: true, schema: {}}'), parameter('{name: a, in: query, schema: {}}'), 'BC'],
  ['parameter of the path, then of the operation', `paths: {/toys: {parameters: [{name: a, in: query, schema: {}}], get: {operationId: getToys, ${GET}}}}`, parameter('{name: a, in: query, schema: {}}'), '=='],
  // Request bodies
  ['required body added', body(''), body(`requestBody: {required: true, ${STRING}}, `), 'BB'],
  ['optional body added', body(''), body(`requestBody: {${STRING}}, `), 'CB'],
  ['body becomes required', body(`requestBody: {${STRING}}, `), body(`requestBody: {required: true, ${STRING}}, `), 'BC'],
  ['media type of the body removed', body('requestBody: {content: {application/json: {}, text/plain: {}}}, '), body('requestBody: {content: {application/json: {}}}, '), 'BC'],
  ['media type of the body replaced', body('requestBody: {content: {application/json: {}}}, '), body('requestBody: {content: {application/xml: {}}}, '), 'BB'],
  ['media type under a range', body('requestBody: {content: {text/plain: {}}}, '), body("requestBody: {content: {'text/*': {}}}, "), 'CB'],
  ['encoding of a form', body( 'requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: array, items: {}}}}, encoding: {a: {style: form}}}}}, ', ), body( 'requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: array, items: {}}}}, encoding: {a: {style: spaceDelimited}}}}}, ', ), 'BB'],
  // Responses
  ['failure no longer declared', response('"200": {description: a}, "404": {description: b}'), response('"200": {description: a}'), 'CR'],
  ['success of another number', response('"200": {description: a}'), response('"201": {description: a}'), 'BB'],
  ['status that a default covers', response('"200": {description: a}, default: {description: b}'), response('"200": {description: a}, "404": {description: b}, default: {description: b}'), '=='],
  ['media type of the response removed', response('"200": {description: a, content: {application/json: {}, text/csv: {}}}'), response('"200": {description: a, content: {application/json: {}}}'), 'BR'],
  ['body of the response removed', response(`"200": {description: a, ${STRING}}`), response('"200": {description: a}'), 'BR'],
  ['header removed', response('"200": {description: a, headers: {X-A: {schema: {}}}}'), response('"200": {description: a}'), 'BC'],
  ['header in other capitals', response('"200": {description: a, headers: {X-A: {schema: {}}}}'), response('"200": {description: a, headers: {x-a: {schema: {}}}}'), '=='],
  ['header becomes optional', response('"200": {description: a, headers: {X-A: {required: true, schema: {}}}}'), response('"200": {description: a, headers: {X-A: {schema: {}}}}'), 'BC'],
  ['header widened', response('"200": {description: a, headers: {X-A: {schema: {type: integer}}}}'), response('"200": {description: a, headers: {X-A: {schema: {type: number}}}}'), 'BC'],
  // Security
  ['credentials required', TOKEN + toys(GET), `${TOKEN}security: [{token: []}]\n${toys(GET)}`, 'BC'],
  ['another scheme required', TOKEN + toys(`security: [{token: []}], ${GET}`), TOKEN + toys(`security: [{key: []}], ${GET}`), 'BB'],
  ['one of two schemes dropped', TOKEN + toys(`security: [{token: []}, {key: []}], ${GET}`), TOKEN + toys(`security: [{token: []}], ${GET}`), 'BC'],
  ['a second scheme required as well', TOKEN + toys(`security: [{token: []}], ${GET}`), TOKEN + toys(`security: [{token: [], key: []}], ${GET}`), 'BC'],
  ['scope required', OAUTH + toys(`security: [{auth: [read]}], ${GET}`), OAUTH + toys(`security: [{auth: [read, write]}], ${GET}`), 'BC'],
  ['scheme of another kind', `${schemes('token: {type: http, scheme: bearer}')}security: [{token: []}]\n${toys(GET)}`, `${schemes('token: {type: http, scheme: basic}')}security: [{token: []}]\n${toys(GET)}`, 'BB'],
  ['key in another header', `${schemes('key: {type: apiKey, in: header, name: X-A}')}security: [{key: []}]\n${toys(GET)}`, `${schemes('key: {type: apiKey, in: header, name: X-B}')}security: [{key: []}]\n${toys(GET)}`, 'BB'],
  ['scheme renamed', `${schemes('token: {type: http, scheme: bearer}')}security: [{token: []}]\n${toys(GET)}`, `${schemes('bearer: {type: http, scheme: bearer}')}security: [{bearer: []}]\n${toys(GET)}`, 'RR'],
  // The whole contract
  ['base path', `servers: [{url: /v1}]\n${toys(GET)}`, `servers: [{url: /v2}]\n${toys(GET)}`, 'BB'],
  ['host', `servers: [{url: https://a.example/v1}]\n${toys(GET)}`, `servers: [{url: https://b.example/v1}]\n${toys(GET)}`, 'BB'],
  ['schema renamed', `components: {schemas: {A: {type: string}}}\n${response('"200": {description: a, content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}')}`, `components: {schemas: {B: {type: string}}}\n${response('"200": {description: a, content: {application/json: {schema: {$ref: "#/components/schemas/B"}}}}')}`, 'RR'],
  ['webhook removed', hook('{}'), 'paths: {}\nwebhooks: {}', 'BC'],
  ['value of a webhook added', hook('{enum: [a]}'), hook('{enum: [a, b]}'), 'BC'],
  ['property of a callback removed', callback('{type: object, properties: {a: {}}}'), callback('{type: object}'), 'BC'],
];

export const OTHERS = `Cat: {type: object, properties: {kind: {enum: [cat]}, sort: {enum: [cat]}}, required: [kind, sort]},
  Dog: {type: object, properties: {kind: {enum: [dog]}, sort: {enum: [dog]}}, required: [kind, sort]},
  Tree: {type: object, properties: {height: {type: integer}, branches: {type: array, items: {$ref: '#/components/schemas/Tree'}}}},
  TallTree: {type: object, properties: {height: {type: integer, minimum: 1}, branches: {type: array, items: {$ref: '#/components/schemas/TallTree'}}}}`;

const sent = (schema: string) =>
  body(`requestBody: {content: {application/json: {schema: ${schema}}}}, `);
const read = (schema: string) =>
  response(`"200": {description: a, content: {application/json: {schema: ${schema}}}}`);

/** Uses the schema as that of a property. */
function schemaPairs([what, before, after, labels]: SchemaRow): LabelledPair[] {
  const [forward = '', reverse = ''] = labels.split(' ');
  const contract = (place: typeof sent, schema: string) =>
    `components: {schemas: {${OTHERS}}}\n${place(`{type: object, properties: {x: ${schema}}}`)}`;
  const pair = (way: string, label: string | undefined, place: typeof sent, isReverse: boolean) => {
    const [one, other] = isReverse ? [after, before] : [before, after];
    return pairOf(`${what}: ${way}`, contract(place, one), contract(place, other), label);
  };
  return [
    pair('sent', forward[0], sent, false),
    pair('read', forward[1], read, false),
    pair('sent, reverse', reverse[0], sent, true),
    pair('read, reverse', reverse[1], read, true),
  ];
}

function contractPairs([what, before, after, labels]: Row): LabelledPair[] {
  return [
    pairOf(what, before, after, labels[0]),
    pairOf(`${what}, reverse`, after, before, labels[1]),
  ];
}

function pairOf(name: string, before: string, after: string, label = ''): LabelledPair {
  const isNew = ONLY_31.test(before + after);
  const whole = (parts: string) => {
    const version = isNew && !ONLY_30.test(parts) ? '3.1.0' : '3.0.3';
    return `openapi: ${version}\ninfo: {title: Toys, version: 1.0.0}\n${parts}\n`;
  };
  return { name, before: whole(before), after: whole(after), label: LABELS[label]! };
}

/** Selects 3.1 for keywords that 3.0 lacks, and 3.0 for keywords that 3.1 lacks. */
const ONLY_30 = /nullable|exclusiveM\w+: true/;
const ONLY_31 =
  /const:|type: \[|'null'|exclusiveM\w+: \d|prefixItems|contains|if:|propertyNames|patternP|dependent|contentEnc|webhooks/;

export const PAIRS: readonly LabelledPair[] = [
  ...SCHEMAS.flatMap(schemaPairs),
  ...CONTRACTS.flatMap(contractPairs),
];
