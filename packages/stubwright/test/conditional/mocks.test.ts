// Conditional requests to mocks, without state and with it, on sockets.
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeServers, serve } from '@stubwright/test-support/served';

afterEach(closeServers);

const TOY =
  '{type: object, required: [id, name], properties: {id: {type: string}, name: {type: string, example: kite}}}';
const CONTENT = `content: {application/json: {schema: ${TOY}}}`;
const ETAG = 'headers: {ETag: {required: true, example: any, schema: {type: string}}}';
const NO = '{description: no, content: {application/problem+json: {}}}';
const yaml = `
paths:
  /toys:
    post: {operationId: addToy, requestBody: {${CONTENT}}, responses: {201: {description: ok, ${ETAG}, ${CONTENT}}}}
  /toys/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getToy, responses: {200: {description: ok, ${ETAG}, ${CONTENT}}, 304: {description: same}, 404: ${NO}}}
    put:
      operationId: putToy
      parameters:
        - {name: If-Match, in: header, schema: {type: string}}
        - {name: If-None-Match, in: header, schema: {type: string}}
      requestBody: {${CONTENT}}
      responses: {200: {description: ok, ${ETAG}, ${CONTENT}}, 201: {description: new, ${ETAG}, ${CONTENT}}, 404: ${NO}, 412: ${NO}}
`;
const put = (name: string, headers: Record<string, string>) => ({
  ...{ method: 'PUT', headers },
  body: { id: '1', name },
});

describe('a mock without state', () => {
  const open = () => serve(yaml, { mock: 'all' });

  it('has the ETag of its body, and compares with it', async () => {
    const { ask } = await open();
    const { headers, status } = await ask('/toys/1');
    const etag = headers['etag']!;
    expect([status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{43}"$/)]);
    expect((await ask('/toys/2')).headers['etag']).not.toBe(etag);
    expect((await ask('/toys/1', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await ask('/toys/1', put('a', { 'if-match': etag }))).status).toBe(200);
    expect((await ask('/toys/1', put('a', { 'if-match': '"0"' }))).status).toBe(412);
    expect((await ask('/toys/1', put('a', { 'if-none-match': '*' }))).status).toBe(412);
  });

  it('replies as Prefer selects', async () => {
    const { ask } = await open();
    const headers = { 'if-match': '"0"', prefer: 'code=404' };
    expect((await ask('/toys/1', put('a', headers))).status).toBe(404);
  });
});

describe('a mock with state', () => {
  const mockOptions = { isStateful: true, delayMs: [20, 20] };
  const open = () => serve(yaml, { mock: 'all', mockOptions: { ...mockOptions } } as never);

  it('lets one of two rivals win, and gives the ETag of the write to the next read', async () => {
    const { ask } = await open();
    const created = await ask('/toys', { method: 'POST', body: { id: '1', name: 'kite' } });
    const first = await ask('/toys/1');
    expect(created.headers['etag']).toBe(first.headers['etag']);
    const etag = first.headers['etag']!;
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) => ask('/toys/1', put(name, { 'if-match': etag }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const won = answers.find(({ status }) => status === 200)!;
    const second = await ask('/toys/1');
    expect(second.headers['etag']).toBe(won.headers['etag']);
    expect(second.headers['etag']).not.toBe(etag);
    expect((await ask('/toys/1', { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it('creates with If-None-Match: *, once', async () => {
    const { ask } = await open();
    const create = () => ask('/toys/1', put('a', { 'if-none-match': '*' }));
    const answers = await Promise.all([create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 412]);
    expect((await ask('/toys/2', put('a', { 'if-match': '*' }))).status).toBe(412);
  });
});
