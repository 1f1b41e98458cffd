// The message of an error is in its body wherever the declared schema has room for it.
import { describe, expect, it, jest } from '@jest/globals';
import type { Node } from '@stubwright/contract';
import { createLog, readSettings, startService } from '@stubwright/service';
import { runs } from '@stubwright/test-support/testAll';
import { Ajv } from 'ajv';
import { default as addFormats } from 'ajv-formats';
import fc from 'fast-check';
import { parse } from 'yaml';
import { fetchHandler } from '../src/fetch.ts';
import { createApi, Problem } from '../src/index.ts';
import { errorFindings } from '../src/internals.ts';
import { testClient } from '../src/testing.ts';
import { loadedContract, objectSchema as object } from './support/contract.ts';

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

const CLOSED = 'additionalProperties: false,';
/** A schema without room for more than its properties, all of which are required. */
const closed = (names: string, properties: string) =>
  object(properties, `${CLOSED} required: [${names}],`);

describe('the message of an error', () => {
  const KRATOS = object(
    'id: string, code: integer, status: string, request: string, reason: string, debug: string, message: string, details: {type: object}',
    'required: [message],',
  );
  const UI = object(
    'action: string, method: string, nodes: {type: array}',
    'required: [action, method, nodes],',
  );
  const GOOGLE = object(
    'code: integer, message: string, status: {enum: [OK]}, details: {type: array}',
  );
  const JSON_API = object('status: string, title: string, detail: string, source: {type: object}');
  const PROBLEM = 'type: string, title: string, status: integer';
  const CAUSES = `{type: array, items: ${object('errorSummary: string')}}`;
  const OKTA = `errorCode: string, errorSummary: string, errorLink: {type: string, format: uri}, errorId: {type: string, minLength: 3}, errorCauses: ${CAUSES}`;
  const OKTA_BODY = { errorCode: '', errorLink: 'about:blank', errorId: '---', errorCauses: [] };
  const FLOW = `id: {type: string, format: uuid}, expires_at: {type: string, format: date-time}, ui: ${UI}`;
  const SPRING =
    'timestamp: {type: string, format: date-time}, status: integer, error: string, message: string, path: string';
  const TITLE = object('title: string', 'required: [title],');
  const STATUS = object('status: integer', 'required: [status],');
  const CODE = closed('code', 'code: integer');
  const conflict = { title: 'Conflict', status: 409, detail: MESSAGE };

  it.each<[schema: string, body: unknown]>([
    [object(OKTA), { errorSummary: MESSAGE }],
    [
      closed('errorCode, errorSummary, errorLink, errorId, errorCauses', OKTA),
      { ...OKTA_BODY, errorSummary: MESSAGE },
    ],
    [
      object(`error: ${KRATOS}`, 'required: [error],'),
      { error: { code: 409, status: '409', message: MESSAGE } },
    ],
    // Another schema than that of an error, in Ory Kratos.
    [
      object(FLOW, 'required: [id, expires_at, ui],'),
      {
        id: '00000000-0000-0000-0000-000000000000',
        expires_at: '1970-01-01T00:00:00Z',
        ui: { action: '', method: '', nodes: [] },
        detail: MESSAGE,
      },
    ],
    [object(`error: ${GOOGLE}`), { error: { code: 409, message: MESSAGE } }],
    [
      object(`errors: {type: array, items: ${JSON_API}}`, 'required: [errors],'),
      { errors: [{ ...conflict, status: '409' }] },
    ],
    // Problem details without `detail`.
    [object(PROBLEM, 'required: [type, title, status],'), { ...conflict, type: 'about:blank' }],
    [object(PROBLEM), conflict],
    [closed('type, title, status', PROBLEM), { type: 'about:blank', title: MESSAGE, status: 409 }],
    [`{allOf: [${TITLE}, ${STATUS}]}`, conflict],
    [object('error: string'), { error: MESSAGE }],
    // OAuth.
    [
      object('error: string, error_description: string, error_uri: string', 'required: [error],'),
      { error: 'Conflict', error_description: MESSAGE },
    ],
    [object('errors: {type: array, items: {type: string}}'), { errors: [MESSAGE] }],
    [`{type: array, items: ${object('message: string')}}`, [{ message: MESSAGE }]],
    ['{type: string}', MESSAGE],
    [object('code: integer', 'required: [code],'), { code: 409, detail: MESSAGE }],
    ['{type: object, additionalProperties: {type: string}}', { detail: MESSAGE }],
    // A string of any name.
    [
      closed(
        'kind, info',
        'kind: {enum: [toy, part]}, info: string, at: {type: string, format: date}',
      ),
      { kind: 'toy', info: MESSAGE },
    ],
    // The alternative that has room.
    [`{oneOf: [${CODE}, ${closed('message', 'message: string')}]}`, { message: MESSAGE }],
    [object('message: {type: [string, "null"]}'), { message: MESSAGE }],
    [
      object(SPRING, 'required: [timestamp, status, error, path],'),
      {
        timestamp: expect.stringMatching(/^20/),
        ...{ status: 409, error: 'Conflict', message: MESSAGE, path: '' },
      },
    ],
  ])('is in the body of %s', async (schema, expected) => {
    const contract = contractOf(schema);
    const sent = await conflictOf(contract);
    expect(sent).toEqual({ status: 409, body: expected, reason: undefined });
    expect(await errorFindings(contract.definition)).toEqual([]);
  });

  it.each<[schema: string, body: unknown]>([
    [CODE, { code: 409 }],
    // The first values of enumerations are sent.
    [
      closed(
        'kind, level, at, isFatal',
        'kind: {enum: [toy, part]}, level: {type: integer, minimum: 3, maximum: 5, example: 4}, at: {type: string, format: date}, isFatal: {type: boolean}',
      ),
      { kind: 'toy', level: 3, at: '1970-01-01', isFatal: false },
    ],
  ])('is logged, and reported by check: %s', async (schema, expected) => {
    const contract = contractOf(schema);
    const sent = await conflictOf(contract);
    expect(sent).toEqual({ status: 409, body: expected, reason: MESSAGE });
    expect(await errorFindings(contract.definition)).toContainEqual({
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
    await call(object('code: integer', CLOSED));
    const text = `getToy responded 409, without its message in the body: ${MESSAGE}: /name expected another name`;
    expect(warn.mock.calls).toEqual([[text, 'ContractWarning']]);
    warn.mockRestore();
  });
});

it('the log has the message at the level info', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const schema = object('code: integer', CLOSED);
  const service = await startService({
    settings: readSettings({ PORT: '0', LAG_LIMIT: '60000' }),
    contract: contractOf(schema),
    tokens: ['t'],
    log,
    handlers: { getToy: () => ({ status: 200 }) },
    open: async () => ({ services: undefined }),
    bounds: { settleMs: 20, lingerMs: 100 },
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
