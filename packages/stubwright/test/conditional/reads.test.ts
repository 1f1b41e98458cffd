// Conditional requests that read: entity tags of responses, 304 and 412 (RFC 9110, section 13), on sockets.
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeServers, serve } from '@stubwright/test-support/served';

afterEach(closeServers);

const TOY = (headers = 'ETag: {schema: {type: string}}') => `
paths:
  /toy:
    get:
      operationId: getToy
      responses:
        200:
          description: ok
          headers: {${headers}}
          content:
            application/json: {schema: {type: object, properties: {id: {type: integer}, name: {type: string}}}}
            application/octet-stream: {}
        304: {description: same, headers: {Mark: {schema: {type: string}}}}
`;
const reply = (more: object = {}) => ({ status: 200, body: { id: 1, name: 'kite' }, ...more });
const getToy = (more?: object) => ({ handlers: { getToy: () => reply(more) } });
const PAST = 'Sun, 06 Nov 1994 08:49:37 GMT';
const LATER = 'Mon, 07 Nov 1994 08:49:37 GMT';

describe.each(['node', 'koa'] as const)('GET on %s', (adapter) => {
  it('has an ETag of its bytes', async () => {
    let name = 'kite';
    const handlers = { getToy: () => reply({ body: { id: 1, name } }) };
    const { ask } = await serve(TOY(), { adapter, handlers });
    const first = await ask('/toy');
    const second = await ask('/toy');
    name = 'kites';
    const third = await ask('/toy');
    expect(first.headers['etag']).toMatch(/^"[\w-]{43}"$/);
    expect(second.headers['etag']).toBe(first.headers['etag']);
    expect(third.headers['etag']).not.toBe(first.headers['etag']);
  });

  it('returns 304 without body for its ETag, and 200 for another', async () => {
    const { ask } = await serve(TOY(), { adapter, ...getToy() });
    const { headers } = await ask('/toy');
    const etag = headers['etag']!;
    const same = await ask('/toy', { headers: { 'if-none-match': etag } });
    expect([same.status, same.body, same.headers['etag']]).toEqual([304, '', etag]);
    expect(same.headers).not.toHaveProperty('content-type');
    expect(same.headers).not.toHaveProperty('content-length');
    expect(same.headers).toHaveProperty('date');
    expect((await ask('/toy', { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
  });

  it('has the headers of RFC 9110, section 15.4.5, in a 304, and no others of the representation', async () => {
    const kept = ['Cache-Control', 'Content-Location', 'Expires', 'Mark', 'Vary'];
    const names = [...kept, 'Last-Modified', 'Size'];
    const declared = ['ETag', ...names].map((name) => `${name}: {schema: {type: string}}`).join();
    const headers = Object.fromEntries(names.map((name) => [name, 'x']));
    const { ask } = await serve(TOY(declared), {
      adapter,
      ...getToy({ headers: { ...headers, ETag: '"1"' } }),
    });
    const same = await ask('/toy', { headers: { 'if-none-match': '*' } });
    expect(same.status).toBe(304);
    const sent = Object.keys(same.headers).filter((name) => same.headers[name] === 'x');
    expect(sent.sort()).toEqual(kept.map((name) => name.toLowerCase()));
    const dated = await serve(TOY('Last-Modified: {schema: {type: string}}'), {
      adapter,
      ...getToy({ headers: { 'Last-Modified': PAST } }),
    });
    const unchanged = await dated.ask('/toy', { headers: { 'if-modified-since': PAST } });
    expect([unchanged.status, unchanged.headers['last-modified']]).toEqual([304, PAST]);
  });

  it('answers HEAD as GET: its headers with Content-Length and ETag, and no body', async () => {
    const { ask } = await serve(TOY(), { adapter, ...getToy() });
    const get = await ask('/toy');
    const head = await ask('/toy', { method: 'HEAD' });
    const without = ({ date: _, ...headers }: Record<string, string>) => headers;
    expect([head.status, head.body]).toEqual([200, '']);
    expect(without(head.headers)).toEqual(without(get.headers));
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.body)));
    const etag = get.headers['etag']!;
    const same = await ask('/toy', { method: 'HEAD', headers: { 'if-none-match': etag } });
    expect([same.status, same.headers['etag']]).toEqual([304, etag]);
    expect((await ask('/toy', { method: 'OPTIONS' })).headers['allow']).toBe('GET, HEAD, OPTIONS');
  });
});

describe('If-None-Match', () => {
  it.each([
    ['"1"', '"1"', 304],
    ['"1"', 'W/"1"', 304],
    ['W/"1"', '"1"', 304],
    ['"1"', '"0", W/"1" ,"2"', 304],
    ['"1"', ', "0",,"1",', 304],
    ['"1"', '*', 304],
    ['"1"', '"0"', 200],
    ['"1"', 'w/"1"', 200],
    ['"1"', '1', 200],
    ['"1"', '"1" "1"', 200],
    ['"1"', '*, "1"', 200],
    ['"1"', '', 200],
    ['"a,b"', '"a,b"', 304],
  ])('of a version %s: %s is %d', async (ETag, condition, status) => {
    const { ask } = await serve(TOY(), getToy({ headers: { ETag } }));
    const { status: sent } = await ask('/toy', { headers: { 'if-none-match': condition } });
    expect(sent).toBe(status);
  });

  it('takes several fields as one list', async () => {
    const { ask } = await serve(TOY(), getToy({ headers: { ETag: '"1"' } }));
    const headers = { 'if-none-match': ['"0"', '"1"'] };
    expect((await ask('/toy', { headers })).status).toBe(304);
  });

  it('is ignored without a declared ETag', async () => {
    const { ask } = await serve(TOY(''), getToy());
    const answer = await ask('/toy', { headers: { 'if-none-match': '*' } });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('etag');
  });
});

describe('If-Match of a read', () => {
  it.each([
    ['"1"', 200],
    ['"0", "1"', 200],
    ['*', 200],
    ['W/"1"', 412],
    ['"0"', 412],
  ])('%s is %d', async (condition, status) => {
    const { ask } = await serve(TOY(), getToy({ headers: { ETag: '"1"' } }));
    expect((await ask('/toy', { headers: { 'if-match': condition } })).status).toBe(status);
  });

  it('that is malformed is a 400', async () => {
    const { ask } = await serve(TOY(), getToy());
    const answer = await ask('/toy', { headers: { 'if-match': 'abc' } });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      detail: 'header If-Match expected * or entity tags in quotes, such as "1"',
    });
  });
});

describe('Last-Modified', () => {
  const declared = 'ETag: {schema: {type: string}}, Last-Modified: {schema: {type: string}}';
  const only = 'Last-Modified: {schema: {type: string}}';
  it.each([
    [only, { 'if-modified-since': PAST }, 304],
    [only, { 'if-modified-since': LATER }, 304],
    [only, { 'if-modified-since': 'Sunday, 06-Nov-94 08:49:37 GMT' }, 304],
    [only, { 'if-modified-since': 'Sun Nov  6 08:49:37 1994' }, 304],
    [only, { 'if-modified-since': 'Sun, 06 Nov 1994 08:49:36 GMT' }, 200],
    [only, { 'if-modified-since': '1999' }, 200],
    [only, { 'if-modified-since': `${LATER}, ${LATER}` }, 200],
    [only, { 'if-unmodified-since': PAST }, 200],
    [only, { 'if-unmodified-since': 'Sun, 06 Nov 1994 08:49:36 GMT' }, 412],
    [only, { 'if-unmodified-since': 'tomorrow' }, 200],
    // RFC 9110, section 13.2.2: entity tags take precedence.
    [declared, { 'if-none-match': '"0"', 'if-modified-since': LATER }, 200],
    [declared, { 'if-none-match': '"1"', 'if-modified-since': '1999' }, 304],
    [declared, { 'if-match': '"1"', 'if-unmodified-since': 'Sat, 05 Nov 1994 08:49:37 GMT' }, 200],
    [declared, { 'if-match': '"0"', 'if-none-match': '"1"' }, 412],
    [declared, { 'if-match': '"1"', 'if-none-match': '"1"' }, 304],
  ])('with %s: %j is %d', async (names, headers, status) => {
    const given = { 'Last-Modified': PAST, ...(names === declared && { ETag: '"1"' }) };
    const { ask } = await serve(TOY(names), getToy({ headers: given }));
    expect((await ask('/toy', { headers: headers as never })).status).toBe(status);
  });
});

describe('the ETag of a reply', () => {
  const required = 'ETag: {required: true, schema: {type: string}}';

  it('is computed where it is required', async () => {
    const { ask } = await serve(TOY(required), getToy());
    expect((await ask('/toy')).headers['etag']).toMatch(/^"[\w-]{43}"$/);
  });

  it.each(['1', '"a b"', 'w/"1"', '"1", "2"', '""x'])('%s is no entity tag: 500', async (ETag) => {
    const { ask, errors } = await serve(TOY(), getToy({ headers: { ETag } }));
    expect((await ask('/toy')).status).toBe(500);
    expect(errors).toEqual([
      `getToy returned 200: header ETag expected an entity tag in quotes, such as "1", got ${ETag}`,
    ]);
  });

  it('is sent as it is, and logged, with responseValidation: log', async () => {
    const options = { ...getToy({ headers: { ETag: '1' } }), responseValidation: 'log' } as const;
    const { ask, errors } = await serve(TOY(), options);
    expect(await ask('/toy')).toMatchObject({ status: 200, headers: { etag: '1' } });
    expect(errors).toHaveLength(1);
  });

  it('is computed for bytes, and not for a stream', async () => {
    let body: unknown = Buffer.from('abc');
    const type = 'application/octet-stream';
    const handlers = { getToy: () => ({ status: 200, type, body }) };
    const { ask, errors } = await serve(TOY(required), { handlers });
    expect((await ask('/toy')).headers['etag']).toMatch(/^"[\w-]{43}"$/);
    body = Readable.from([Buffer.from('abc')]);
    expect((await ask('/toy')).status).toBe(500);
    expect(errors).toEqual([
      'getToy returned 200: header ETag is missing: none is computed of a stream',
    ]);
    body = Readable.from([Buffer.from('abc')]);
    const optional = await serve(TOY(), { handlers });
    expect((await optional.ask('/toy')).headers).not.toHaveProperty('etag');
  });

  it('must have the declared schema', async () => {
    const weak = 'ETag: {schema: {type: string, pattern: ^W/}}';
    const { ask, errors } = await serve(TOY(weak), getToy());
    expect((await ask('/toy')).status).toBe(500);
    expect(errors[0]).toMatch(/^getToy returned 200: header ETag expected to match pattern/);
  });
});
