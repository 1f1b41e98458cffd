// The message of an error is in its body wherever the declared schema has room for it.
import { describe, expect, it, jest } from '@jest/globals';
import type { Node } from '@stubwright/contract';
import { createLog, readSettings, startService } from '@stubwright/service';
import { runs } from '@stubwright/test-support/testAll';
import { Ajv } from 'ajv';
import { default as addFormats } from 'ajv-formats';
import fc from 'fast-check';
import { parse } from 'yaml';
import { limits } from '../../service/src/server/server.ts';
import { fetchHandler } from '../src/fetch.ts';
import { createApi, Problem } from '../src/index.ts';
import { errorFindings } from '../src/internals.ts';
import { testClient } from '../src/testing.ts';
import { loadedContract } from './support/contract.ts';

/** @param schema as YAML, or a value */
function contractOf(schema: string | Node, openapi = '3.1.0', type = 'application/json') {
  const written: Node = typeof schema === 'string' ? parse(schema) : schema;
  const error = { description: 'error', content: { [type]: { schema: written } } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const responses = { 200: { description: 'ok' }, default: error };
  const get = { operationId: 'getToy', parameters, responses };
  return loadedContract({ openapi, paths: { '/toys/{id}': { get } } });
}

const MESSAGE = 'the name is "taken"';

/** @returns the body of a 409 that a handler throws, and the reason that the log receives */
async function conflictOf(contract: ReturnType<typeof contractOf>, problem = taken()) {
  const api = await createApi({
    contract,
    handlers: {
      getToy() {
        throw problem;
      },
    },
  });
  const reasons: (string | undefined)[] = [];
  api.events.on('responded', ({ reason }) => reasons.push(reason));
  const response = await fetchHandler(api)(new Request('http://t/toys/1'));
  const text = await response.text();
  const body: unknown = /json/.test(response.headers.get('content-type')!)
    ? JSON.parse(text)
    : text;
  return { status: response.status, body, reason: reasons[0] };
}

const taken = () => new Problem(409, MESSAGE);

const CLOSED = 'additionalProperties: false';

describe('the message of an error', () => {
  it.each<[string, string, unknown]>([
    [
      'okta',
      '{type: object, properties: {errorCode: {type: string}, errorSummary: {type: string}, errorLink: {type: string}, errorId: {type: string}, errorCauses: {type: array, items: {type: object, properties: {errorSummary: {type: string}}}}}}',
      { errorSummary: MESSAGE },
    ],
    [
      'okta, closed and required',
      `{type: object, ${CLOSED}, required: [errorCode, errorSummary, errorLink, errorId, errorCauses], properties: {errorCode: {type: string}, errorSummary: {type: string}, errorLink: {type: string, format: uri}, errorId: {type: string, minLength: 3}, errorCauses: {type: array, items: {type: object, properties: {errorSummary: {type: string}}}}}}`,
      {
        errorCode: '',
        errorSummary: MESSAGE,
        errorLink: 'about:blank',
        errorId: '---',
        errorCauses: [],
      },
    ],
    [
      'kratos',
      '{type: object, required: [error], properties: {error: {type: object, required: [message], properties: {id: {type: string}, code: {type: integer, format: int64}, status: {type: string}, request: {type: string}, reason: {type: string}, debug: {type: string}, message: {type: string}, details: {type: object, additionalProperties: true}}}}}',
      { error: { code: 409, status: '409', message: MESSAGE } },
    ],
    [
      'kratos, another schema than an error',
      '{type: object, required: [id, expires_at, ui], properties: {id: {type: string, format: uuid}, expires_at: {type: string, format: date-time, example: "2021-02-03T04:05:06Z"}, ui: {type: object, required: [action, method, nodes], properties: {action: {type: string}, method: {type: string}, nodes: {type: array, items: {type: object}}}}}}',
      {
        id: '00000000-0000-0000-0000-000000000000',
        expires_at: '1970-01-01T00:00:00Z',
        ui: { action: '', method: '', nodes: [] },
        detail: MESSAGE,
      },
    ],
    [
      'Google',
      '{type: object, properties: {error: {type: object, properties: {code: {type: integer}, message: {type: string}, status: {type: string, enum: [OK, ABORTED]}, details: {type: array, items: {type: object}}}}}}',
      { error: { code: 409, message: MESSAGE } },
    ],
    [
      'JSON:API',
      '{type: object, required: [errors], properties: {errors: {type: array, items: {type: object, properties: {status: {type: string}, title: {type: string}, detail: {type: string}, source: {type: object, properties: {pointer: {type: string}}}}}}}}',
      { errors: [{ status: '409', title: 'Conflict', detail: MESSAGE }] },
    ],
    [
      'problem details without detail',
      '{type: object, required: [type, title, status], properties: {type: {type: string}, title: {type: string}, status: {type: integer}}}',
      { type: 'about:blank', title: 'Conflict', status: 409, detail: MESSAGE },
    ],
    [
      'optional problem details without detail',
      '{type: object, properties: {type: {type: string}, title: {type: string}, status: {type: integer}}}',
      { title: 'Conflict', status: 409, detail: MESSAGE },
    ],
    [
      'problem details without detail, closed',
      `{type: object, ${CLOSED}, required: [type, title, status], properties: {type: {type: string, example: dune}, title: {type: string}, status: {type: integer}}}`,
      { type: 'about:blank', title: MESSAGE, status: 409 },
    ],
    [
      'problem details of OpenAPI 3.0 in allOf',
      '{allOf: [{type: object, required: [title], properties: {title: {type: string}}}, {type: object, required: [status], properties: {status: {type: integer}}}]}',
      { title: 'Conflict', status: 409, detail: MESSAGE },
    ],
    ['a message', '{type: object, properties: {message: {type: string}}}', { message: MESSAGE }],
    ['a msg', '{type: object, properties: {msg: {type: string}}}', { msg: MESSAGE }],
    ['an error', '{type: object, properties: {error: {type: string}}}', { error: MESSAGE }],
    [
      'OAuth',
      '{type: object, required: [error], properties: {error: {type: string}, error_description: {type: string}, error_uri: {type: string}}}',
      { error: 'Conflict', error_description: MESSAGE },
    ],
    [
      'an array of strings',
      '{type: object, properties: {errors: {type: array, items: {type: string}}}}',
      { errors: [MESSAGE] },
    ],
    [
      'an array of messages',
      '{type: array, items: {type: object, properties: {message: {type: string}}}}',
      [{ message: MESSAGE }],
    ],
    ['a string', '{type: string}', MESSAGE],
    [
      'a number only',
      '{type: object, required: [code], properties: {code: {type: integer}}}',
      { code: 409, detail: MESSAGE },
    ],
    [
      'undeclared properties of a string type',
      '{type: object, additionalProperties: {type: string}}',
      { detail: MESSAGE },
    ],
    [
      'a string of any name',
      `{type: object, ${CLOSED}, required: [kind, info], properties: {kind: {enum: [toy, part]}, info: {type: string}, at: {type: string, format: date}}}`,
      { kind: 'toy', info: MESSAGE },
    ],
    [
      'the alternative that has room',
      `{oneOf: [{type: object, ${CLOSED}, required: [code], properties: {code: {type: integer}}}, {type: object, ${CLOSED}, required: [message], properties: {message: {type: string}}}]}`,
      { message: MESSAGE },
    ],
    [
      'a nullable message',
      '{type: object, properties: {message: {type: [string, "null"]}}}',
      { message: MESSAGE },
    ],
    [
      'the usual properties of Spring',
      '{type: object, required: [timestamp, status, error, path], properties: {timestamp: {type: string, format: date-time}, status: {type: integer}, error: {type: string}, message: {type: string}, path: {type: string}}}',
      {
        timestamp: expect.stringMatching(/^20/),
        status: 409,
        error: 'Conflict',
        message: MESSAGE,
        path: '',
      },
    ],
  ])('is in the body of %s', async (_, schema, expected) => {
    const contract = contractOf(schema);
    const sent = await conflictOf(contract);
    expect(sent).toEqual({ status: 409, body: expected, reason: undefined });
    expect(errorFindings(contract.definition)).toEqual([]);
  });

  it.each<[string, string, unknown]>([
    [
      'a closed number',
      `{type: object, ${CLOSED}, required: [code], properties: {code: {type: integer}}}`,
      { code: 409 },
    ],
    [
      'closed enumerations, whose first values are sent',
      `{type: object, ${CLOSED}, required: [kind, level, at, isFatal], properties: {kind: {enum: [toy, part]}, level: {type: integer, minimum: 3, maximum: 5, example: 4}, at: {type: string, format: date}, isFatal: {type: boolean}}}`,
      { kind: 'toy', level: 3, at: '1970-01-01', isFatal: false },
    ],
  ])('is logged, and reported by check: %s', async (_, schema, expected) => {
    const contract = contractOf(schema);
    const sent = await conflictOf(contract);
    expect(sent).toEqual({ status: 409, body: expected, reason: MESSAGE });
    expect(errorFindings(contract.definition)).toContainEqual({
      pointer: '/paths/~1toys~1{id}/get/responses/default',
      message: expect.stringContaining('response 400: '),
    });
  });
});

describe('a test client', () => {
  const handlers = {
    getToy() {
      throw new Problem(409, MESSAGE, {
        violations: [{ in: 'query', pointer: '/name', rule: 'taken', expected: 'another name' }],
      });
    },
  };
  const call = async (schema: string) => {
    const contract = contractOf(schema);
    const target = fetchHandler(await createApi({ contract, handlers }));
    const client = await testClient({ contract, target });
    return client.call('getToy', { path: { id: 1 } });
  };

  it('allows the detail and the errors of an error that are not declared', async () => {
    const { status, body } = await call('{type: object, properties: {title: {type: string}}}');
    expect([status, body.detail, body.errors]).toEqual([409, MESSAGE, [expect.anything()]]);
  });

  it('shows the message that no property has, with the violations', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    await call(`{type: object, ${CLOSED}, properties: {code: {type: integer}}}`);
    const text = `getToy responded 409, without its message in the body: ${MESSAGE}: /name expected another name`;
    expect(warn.mock.calls).toEqual([[text, 'ContractWarning']]);
    warn.mockRestore();
  });
});

it('the log has the message at the level info', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const schema = `{type: object, ${CLOSED}, properties: {code: {type: integer}}}`;
  const service = await startService({
    settings: readSettings({ PORT: '0', LAG_LIMIT: '60000' }),
    contract: contractOf(schema),
    tokens: ['t'],
    log,
    handlers: { getToy: () => ({ status: 200 }) },
    open: async () => ({ services: undefined }),
    bounds: { ...limits, settleMs: 20, lingerMs: 100 },
  });
  const response = await fetch(`${service.url}/toys/x`);
  await service.stop();
  expect(await response.json()).toEqual({ code: 400 });
  const logged = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request');
  expect(logged).toMatchObject({ level: 30, reason: 'path parameter id expected integer' });
});

describe('a generated schema of an error', () => {
  const name = fc.constantFrom(
    ...['message', 'detail', 'title', 'error', 'code', 'status', 'type', 'errors', 'data', 'zone'],
  );
  const { schema } = fc.letrec<{ schema: Node; object: Node }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom<Node>(
        { type: 'string' },
        { type: 'string', enum: ['a', 'b'] },
        { type: 'string', pattern: '^[a-z]{2,4}$', example: 'dune' },
        { type: 'string', maxLength: 8 },
        { type: 'string', format: 'uuid' },
        { type: 'integer', minimum: 3 },
        { type: 'integer', enum: [7, 8] },
        { type: 'boolean' },
      ),
      tie('object'),
      tie('schema').map((items) => ({ type: 'array', items })),
    ),
    object: fc
      .tuple(
        fc.dictionary(name, tie('schema') as fc.Arbitrary<Node>, { maxKeys: 4 }),
        fc.boolean(),
        fc.nat(),
      )
      .map(([properties, isOpen, some]) => ({
        type: 'object',
        properties,
        required: Object.keys(properties).filter((_, at) => (some >> at) % 2 === 1),
        ...(isOpen ? {} : { additionalProperties: false }),
      })),
  }));

  /** True if some string without assertions is in the schema, or the root allows further properties. */
  const hasRoom = (node: Node): boolean => {
    const { type, items, properties = {}, additionalProperties, ...others } = node;
    if (type === 'string') return Object.keys(others).length === 0;
    if (type === 'array') return hasRoom(items);
    return Object.values<Node>(properties).some(hasRoom);
  };

  it('allows the body, which has the message wherever a string has no assertions', async () => {
    await fc.assert(
      fc.asyncProperty(schema, async (written) => {
        const contract = contractOf(written);
        const { body, reason } = await conflictOf(contract);
        const isOpen =
          written.type === 'object' &&
          written.additionalProperties === undefined &&
          written.properties.detail === undefined;
        const includes = JSON.stringify(body).includes(JSON.stringify(MESSAGE));
        expect(JSON.stringify(body)).not.toContain('dune');
        expect(ajv(written, body)).toBe(true);
        expect(includes).toBe(hasRoom(written) || isOpen);
        expect(reason).toBe(includes ? undefined : MESSAGE);
      }),
      { numRuns: runs(100) },
    );
  });
});

function ajv(schema: Node, value: unknown): boolean {
  const validator = new Ajv({ strict: false });
  addFormats.default(validator);
  return validator.validate(schema, value);
}
