// Conditional requests and patches of a generated client: their types, and a service that handles them.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { closeServers, serve } from '@stubwright/test-support/served';
import { etag, type Preconditions } from 'stubwright/conditional';
import { applyPatch } from 'stubwright/patch';
import { type ClientProject, clientProject } from '../support/clientProject.ts';

const TOY = "{schema: {$ref: '#/components/schemas/Toy'}}";
const PATCH = "{schema: {}, x-patch-of: {$ref: '#/components/schemas/Toy'}}";
const OK = `{description: ok, headers: {ETag: {required: true, schema: {type: string}}}, content: {application/json: ${TOY}}}`;
const NO = '{description: no, content: {application/problem+json: {}}}';
const PATHS = `
paths:
  /toy:
    get:
      operationId: getToy
      parameters: [{name: If-None-Match, in: header, schema: {type: string}}]
      responses: {'200': ${OK}, '304': {description: same}}
    patch:
      operationId: patchToy
      parameters: [{name: If-Match, in: header, required: true, schema: {type: string}}]
      requestBody:
        required: true
        content: {application/merge-patch+json: ${PATCH}, application/json-patch+json: ${PATCH}}
      responses: {'200': ${OK}, '409': ${NO}, '412': ${NO}, '422': ${NO}}
components:
  schemas:
    JsonPatch: {type: object, properties: {toy: {$ref: '#/components/schemas/Toy'}}}
    Toy:
      type: object
      required: [id, name, count]
      properties:
        id: {type: integer, format: int64, readOnly: true}
        name: {type: string}
        count: {type: integer, format: int64, default: 1}
        tag: {type: string}
        size: {type: object, required: [width], properties: {width: {type: number}, unit: {type: string}}}
`;

const MAIN = `import { patchToy, connect } from 'toys';
const connection = connect({ baseUrl: 'http://localhost' });
const header = { 'If-Match': '"1"' };
const merge = 'application/merge-patch+json';
void patchToy(connection, { header, mediaType: merge, body: {} });
void patchToy(connection, { header, mediaType: merge, body: { count: 2n, tag: null, size: { unit: null } } });
void patchToy(connection, { header, mediaType: 'application/json-patch+json', body: [{ op: 'remove', path: '/tag' }] });
void patchToy(connection, { header, mediaType: merge, body: { name: null } });
void patchToy(connection, { header, mediaType: merge, body: { id: 1n } });
void patchToy(connection, { header, mediaType: merge, body: { count: 'x' } });
void patchToy(connection, { header, mediaType: 'application/json-patch+json', body: [{ op: 'none', path: '' }] });
`;

interface ToyRequest {
  readonly body: object;
  readonly preconditions: Preconditions;
}

describe('a generated client', () => {
  let project: ClientProject;
  beforeAll(async () => {
    project = await clientProject(`openapi: 3.1.0\ninfo: {title: Toys, version: 1.0.0}${PATHS}`);
  });
  afterEach(closeServers);
  afterAll(() => project.remove());

  it('has the types of patches', () => {
    const lines = project.errorsOf(MAIN).map((error) => Number(/^\d+/.exec(error)));
    expect([...new Set(lines)]).toEqual([8, 9, 10, 11]);
  });

  it('gets 304 and 412, and sends patches', async () => {
    let [toy, version] = [{ id: 1n, name: 'kite', count: 9007199254740993n, tag: 'red' }, 1];
    const reply = () => ({ status: 200, headers: { ETag: etag(version) }, body: toy });
    const { url } = await serve(PATHS, {
      handlers: {
        getToy: reply,
        patchToy({ body, preconditions }: ToyRequest) {
          preconditions.check(version);
          toy = applyPatch(toy, body);
          version++;
          return reply();
        },
      } as never,
    });
    const { createClient } = await project.load();
    const client = createClient({ baseUrl: url });
    const first = await client.getToy();
    expect([first.status, first.body.count]).toEqual([200, 9007199254740993n]);
    const tag = first.headers.ETag;
    const same = await client.getToy({ header: { 'If-None-Match': tag } });
    expect([same.status, same.body]).toEqual([304, undefined]);
    const patch = (body: object, kind = 'merge', condition = etag(version)) =>
      client.patchToy({
        ...{ header: { 'If-Match': condition }, body },
        mediaType: `application/${kind}-patch+json`,
      });
    expect((await patch({ count: 9007199254740995n, tag: null })).status).toBe(200);
    expect(toy).toEqual({ id: 1n, name: 'kite', count: 9007199254740995n });
    expect((await patch({ name: 'ball' }, 'merge', tag)).status).toBe(412);
    const ops = [{ op: 'test', path: '/count', value: 9007199254740995n }];
    expect((await patch(ops, 'json')).status).toBe(200);
    expect((await patch([{ ...ops[0], value: 1n }], 'json')).status).toBe(409);
    expect((await patch({ name: null })).status).toBe(422);
  });
});
