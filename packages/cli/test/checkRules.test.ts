// The rules of `stubwright check` for one operation: where they report, and what.
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Finding } from '@stubwright/contract';
import { createFolder } from './support/toyProject.ts';

const project = createFolder();
afterAll(() => project.remove());

/** In flow style, but for the first one. */
interface Written {
  /** Lines of the operation. */
  readonly fields?: string;
  readonly responses?: string;
  /** Of components/schemas. */
  readonly schemas?: readonly string[];
}

/** @returns the findings of a rule: the word where each is, and its message */
async function reported(
  rule: string,
  { fields = '', responses = '', schemas = [] }: Written,
  ...args: string[]
): Promise<string[]> {
  const text = `openapi: 3.2.0
info: {title: Toys, version: '1'}
components:
  securitySchemes: {oauth: {type: oauth2, flows: {implicit: {authorizationUrl: 'https://a.example', scopes: {read: Read}}}}}
  schemas:
    Toy: {type: object, properties: {name: {type: string}, key: {type: string, writeOnly: true}}}
${schemas.map((schema) => `    ${schema}\n`).join('')}paths:
  /toys:
    post:
      operationId: storeToy
      ${fields}
      responses: {'204': {description: stored}${responses && `, ${responses}`}}
`;
  project.write('openapi.yaml', text);
  const { out, err } = await project.run('check', '--format', 'json', ...args);
  if (out === '') throw new Error(err);
  const findings: Finding[] = JSON.parse(out).findings;
  return findings
    .filter((finding) => finding.rule === rule)
    .map(({ position, message }) => {
      const { line, column } = position!;
      const [word] = /^['"]?[\w-]*/.exec(text.split('\n')[line - 1]!.slice(column - 1))!;
      return `${word}: ${message}`;
    });
}

const content = (schema: string) =>
  `{description: x, content: {application/json: {schema: ${schema}}}}`;
const BODY = 'requestBody: {content: {application/json: {}}}';
const SECURED = `${BODY}\n      security: [{oauth: [read]}]`;
const COUNTED = content(
  '{type: object, required: [count], additionalProperties: false, properties: {count: {type: integer}}}',
);
/** Has a message, below the property `error` or not, and another required property. */
const WITH_MESSAGE =
  '{type: object, required: [code, message], additionalProperties: false, properties: {code: {enum: [a, b]}, message: {type: string}}}';
const sends = (statuses: string) =>
  `responses: storeToy: the engine may send ${statuses}, expected declared responses or default`;

describe('errors-declared', () => {
  it.each<[responses: string, fields: string, expected: string[]]>([
    [`default: ${content('{}')}`, SECURED, []],
    [`default: ${content(WITH_MESSAGE)}`, '', []],
    [
      `default: ${content(`{type: object, required: [error], properties: {error: ${WITH_MESSAGE}}}`)}`,
      '',
      [],
    ],
    [
      'default: {description: x}',
      '',
      [400, 500, 503].map(
        (status) => `default: response ${status}: it has no content: the message is only logged`,
      ),
    ],
    ["'404': {description: x}", '', [sends('400, 500, 503')]],
    ["'404': {description: x}", SECURED, [sends('400, 401, 403, 413, 415, 429, 500, 503')]],
    [
      `'400': ${COUNTED}, 5XX: ${content('{}')}`,
      '',
      ["'400: response 400: the schema has no room for a message: it is only logged"],
    ],
    [
      `'400': {description: x, headers: {X-Trace: {required: true, schema: {type: string}}}}, 5XX: ${content('{}')}`,
      '',
      ["'400: response 400: the engine does not send the required headers"],
    ],
  ])('of the responses %s %s', async (responses, fields, expected) => {
    expect(await reported('errors-declared', { responses, fields })).toEqual(expected);
  });

  it('compares the format of the application', async () => {
    project.write('errors.mjs', 'export default ({ message }) => ({ count: message.length });');
    const inFormat = (format: string) =>
      reported('errors-declared', { responses: `default: ${COUNTED}` }, '--errors', format);
    expect(await inFormat('./errors.mjs')).toEqual([]);
    expect(await inFormat('numbered')).toHaveLength(3);
    await expect(inFormat('nothing')).rejects.toThrow(
      '--errors: got nothing, expected problem, numbered, or a module',
    );
  });

  it('includes the errors of idempotency keys', async () => {
    const fields =
      'parameters: [{name: Idempotency-Key, in: header, x-idempotency: {ttl: 24h}, schema: {type: string}}]';
    const responses =
      "'400': {description: no}, '500': {description: no}, '503': {description: no}";
    expect(await reported('errors-declared', { fields, responses })).toContain(sends('409, 422'));
  });
});

describe('an extension', () => {
  const parameter = 'name: Idempotency-Key, in: header, schema: {type: string}';
  it.each([
    [
      'idempotency',
      `parameters: [{x-idempotency: {ttl: a day}, ${parameter}}]`,
      'ttl: x-idempotency ttl: got "a day", expected a time from 1s to 365d, such as 30s, 15m, 24h or 7d',
    ],
    [
      'rate-limit',
      'x-rate-limit: {requests: 10}',
      'x-rate-limit: x-rate-limit: window: got nothing, expected a time',
    ],
    [
      'rate-limit',
      'x-rate-limit: {requests: 10, window: 1m}',
      'x-rate-limit: x-rate-limit: expected security requirements: ',
    ],
    [
      'deprecation-dates',
      'x-sunset: soon\n      deprecated: true',
      'x-sunset: x-sunset: got "soon", expected a date',
    ],
  ])('is an error of %s: %s', async (rule, fields, message) => {
    expect(await reported(rule, { fields })).toContainEqual(expect.stringContaining(message));
    expect((await project.run('check')).status).toBe(1);
  });
});

const ref = (name: string) => `{$ref: '#/components/schemas/${name}'}`;
/** A response whose media type has these fields. */
const json = (fields: string, schema = ref('Toy'), type = 'application/json') =>
  `'200': {description: d, content: {${type}: {schema: ${schema}, ${fields}}}}`;

describe('examples-declared', () => {
  const BOX = 'Box: {type: object, properties: {a: {type: integer}}';
  const PET =
    'Pet: {type: object, properties: {kind: {type: string}}, discriminator: {propertyName: kind}}';
  const CAT = `Cat: {allOf: [${ref('Pet')}, {properties: {lives: {type: integer}}}]`;

  it.each<[properties: string, at: string, responses: string, ...schemas: string[]]>([
    ['/size', 'example', json('example: {name: a, size: 1}')],
    ['/size, /tags', 'value', json('examples: {big: {value: {size: 1, tags: []}}}')],
    [
      '/1/size',
      'example',
      json('example: [{name: a}, {size: 1}]', `{type: array, items: ${ref('Toy')}}`),
    ],
    ['/key', 'example', json('example: {key: a}')],
    ['/size', 'example', json('example: {size: 1}', ref('Toy'), 'application/xml')],
    ['/b', 'example', json('', ref('Box')), `${BOX}, example: {a: 1, b: 2}}`],
    [
      '/b',
      '',
      json('', `{properties: {box: ${ref('Box')}}}`),
      `${BOX}, examples: [{a: 1}, {b: 2}]}`,
    ],
    [
      '/barks',
      'example',
      json('', ref('Pet')),
      PET,
      `${CAT}, example: {kind: Cat, lives: 9, barks: 1}}`,
    ],
  ])(
    'reports that a response omits %s at %j of %s',
    async (properties, at, responses, ...schemas) => {
      expect(await reported('examples-declared', { responses, schemas })).toEqual([
        `${at}: a response omits ${properties} of the example  expected declared properties`,
      ]);
    },
  );

  it.each<[what: string, responses: string, ...schemas: string[]]>([
    ['declared properties', json('example: {name: a}')],
    ['any property of a free-form object', json('example: {a: 1}', '{type: object}')],
    [
      'additional properties that are described',
      json(
        'example: {a: 1, b: 2}',
        '{type: object, properties: {a: {}}, additionalProperties: true}',
      ),
    ],
    [
      'properties that a discriminator declares',
      json('example: {kind: Cat, lives: 9}', ref('Pet')),
      ...[PET, `${CAT}}`],
    ],
    [
      'a writeOnly property of the example of a schema',
      json('', ref('Secret')),
      'Secret: {type: object, properties: {a: {writeOnly: true}}, example: {a: 1}}',
    ],
    ['an error that another rule reports', json('example: {name: 1, size: 1}')],
    ['bytes', json('example: {size: 1}', ref('Toy'), 'application/octet-stream')],
  ])('accepts examples with %s', async (_, responses, ...schemas) => {
    expect(await reported('examples-declared', { responses, schemas })).toEqual([]);
  });
});

describe('the data and the serialized form of an example (OpenAPI 3.2)', () => {
  it('differ or are invalid in a media type', async () => {
    const examples = `examples: {
        same: {dataValue: {id: 1}, serializedValue: ' {"id" : 1}'},
        other: {dataValue: {id: 1}, serializedValue: '{"id":2}'},
        invalid: {serializedValue: '{"id":"x"}'},
        broken: {dataValue: {id: 1}, serializedValue: '{'}}`;
    const responses = json(examples, '{properties: {id: {type: integer, format: int64}}}');
    expect(await reported('no-invalid-media-type-examples', { responses })).toEqual([
      "': the serializedValue differs from the dataValue  expected the same value",
      "': the example violates its schema: /id expected an int64 integer",
      "': the serializedValue is malformed  expected application/json",
    ]);
  });

  it('differ or are invalid in a parameter', async () => {
    const fields = `parameters: [{name: q, in: querystring, content: {application/x-www-form-urlencoded: {
        schema: {type: object, required: [a], properties: {a: {type: string}}},
        examples: {valid: {dataValue: {a: b}, serializedValue: a=b}, invalid: {dataValue: {}}, other: {dataValue: {a: b}, serializedValue: a=c}}}}}]`;
    expect(await reported('no-invalid-parameter-examples', { fields })).toEqual([
      ': the example violates its schema: /a is required',
      'a: the serializedValue differs from the dataValue  expected the same value',
    ]);
  });
});

describe('storable-text', () => {
  const bodyOf = (...schemas: string[]) => ({
    fields: `requestBody: {content: {application/json: {schema: {type: object, properties: {${schemas.map((schema, at) => `p${at}: ${schema}`).join(', ')}}}}}}`,
  });
  const reportedIn = (dependencies: object, ...schemas: string[]) => {
    project.write('package.json', JSON.stringify({ dependencies }));
    return reported('storable-text', bodyOf(...schemas));
  };
  const STORE = { '@stubwright/store': '*' };

  it.each([
    [['{type: string}'], /expected pattern: '\^\[\^\\x00\]\*\$'$/],
    [["{type: [string, 'null'], maxLength: 3}"], /expected pattern/],
    [["{type: string, pattern: '^.*$'}"], /expected pattern/],
    [['{type: string}', '{type: string}', '{type: string}'], /, as for 2 more$/],
  ])('suggests the pattern once for %s, with the store alone', async (schemas, message) => {
    expect(await reportedIn(STORE, ...schemas)).toEqual([expect.stringMatching(message)]);
    expect(await reportedIn({}, ...schemas)).toEqual([]);
  });

  it('suggests nothing for texts without U+0000, and other values', async () => {
    const schemas = [
      ...["{type: string, pattern: '^[^\\x00]*$'}", "{type: string, pattern: '^[a-z]+$'}"],
      ...['{type: string, format: date}', '{type: string, enum: [a]}', '{type: integer}', '{}'],
    ];
    expect(await reportedIn(STORE, ...schemas)).toEqual([]);
  });
});
