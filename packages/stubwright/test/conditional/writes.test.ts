// Conditional requests that write: a lost update is a 412, on sockets.
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeServers, serve } from '@stubwright/test-support/served';
import { etag, type Preconditions } from '../../src/conditional.ts';
import { Problem } from '../../src/index.ts';

afterEach(closeServers);

const BODY = '{schema: {type: object, required: [name], properties: {name: {type: string}}}}';
const ITEM = (required = false, more = '', conditions = ['If-Match', 'If-None-Match']) => `
paths:
  /toys/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getToy
      responses:
        200:
          description: ok
          headers: {ETag: {schema: {type: string}}}
          content: {application/json: ${BODY}}
    put:
      operationId: putToy
      parameters:
${conditions.map((name) => `        - {name: ${name}, in: header, required: ${required}, schema: {type: string}}`).join('\n')}
      requestBody: {required: true, content: {application/json: ${BODY}}}
      responses:
        200:
          description: ok
          headers: {ETag: {schema: {type: string}}}
          content: {application/json: ${BODY}}
        ${more}
`;

interface PutRequest {
  readonly path: { readonly id: string };
  readonly body: { readonly name: string };
  readonly preconditions: Preconditions;
}

/** A store with the versions of its toys; `begin` is its transaction. */
function versionedToys() {
  const toys = new Map<string, { name: string; version: number }>([
    ['1', { name: 'kite', version: 7 }],
  ]);
  const handlers = {
    getToy({ path: { id } }: PutRequest) {
      const toy = toys.get(id);
      if (toy === undefined) throw new Problem(404, 'no toy');
      return { status: 200, headers: { ETag: etag(toy.version) }, body: { name: toy.name } };
    },
    putToy({ path: { id }, body, preconditions }: PutRequest) {
      const known = toys.get(id);
      preconditions.check(known?.version);
      const toy = { name: body.name, version: (known?.version ?? 0) + 1 };
      toys.set(id, toy);
      return { status: 200, headers: { ETag: etag(toy.version) }, body: { name: toy.name } };
    },
  };
  return { toys, handlers };
}

const BALL = { name: 'ball' };
const put = (headers: Record<string, string>) => ({
  method: 'PUT',
  headers,
  body: BALL,
});

describe('a write', () => {
  it.each<[id: string, status: number, ...conditions: (string | undefined)[]]>([
    ['1', 200],
    ['1', 200, '"7"'],
    ['1', 200, '"6", "7"'],
    ['1', 200, '*'],
    ['1', 412, '"6"'],
    ['1', 412, 'W/"7"'],
    ['1', 412, ''],
    ['1', 412, undefined, '*'],
    ['1', 412, undefined, 'W/"7"'],
    ['1', 200, undefined, '"6"'],
    ['1', 412, '"7"', '"7"'],
    // There is no toy 2.
    ['2', 200, undefined, '*'],
    ['2', 200, undefined, '"7"'],
    ['2', 412, '*'],
    ['2', 412, '"7"'],
  ])('of toy %s, whose version is 7, is %d with %p and %p', async (id, status, ...conditions) => {
    const [ifMatch, ifNoneMatch] = conditions;
    const { handlers, toys } = versionedToys();
    const before = toys.get(id);
    const { ask } = await serve(ITEM(), { handlers });
    const headers = {
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
    };
    expect((await ask(`/toys/${id}`, put(headers))).status).toBe(status);
    expect(toys.get(id)).toEqual(status === 200 ? expect.objectContaining(BALL) : before);
  });

  it('has error 41201 when it is too late, and the next ETag when it is not', async () => {
    const { ask } = await serve(ITEM(), { ...versionedToys(), errors: 'numbered' });
    const { headers } = await ask('/toys/1');
    const won = await ask('/toys/1', put({ 'if-match': headers['etag']! }));
    const lost = await ask('/toys/1', put({ 'if-match': headers['etag']! }));
    expect([won.status, won.headers['etag']]).toEqual([200, '"8"']);
    expect([lost.status, JSON.parse(lost.body)]).toEqual([
      412,
      { error: 41201, message: 'the resource has changed: its entity tag is none of If-Match' },
    ]);
  });

  it.each(['7', '"7', '"7" "8"', '*, "7"', 'w/"7"'])(
    'with If-Match: %s is a 400',
    async (value) => {
      const { ask } = await serve(ITEM(), versionedToys());
      const { status, body } = await ask('/toys/1', put({ 'if-match': value }));
      expect([status, JSON.parse(body).errors]).toEqual([
        400,
        [
          {
            ...{ in: 'header', pointer: '#/If-Match', rule: 'style' },
            expected: '* or entity tags in quotes, such as "1"',
            detail: 'expected * or entity tags in quotes, such as "1"',
          },
        ],
      ]);
    },
  );

  it('that is invalid is a 400, whatever its condition', async () => {
    const { ask } = await serve(ITEM(), versionedToys());
    const { status } = await ask('/toys/1', { ...put({ 'if-match': '"0"' }), body: {} });
    expect(status).toBe(400);
  });
});

describe('a required If-Match that is missing', () => {
  it('is 428 where the operation declares it', async () => {
    const yaml = ITEM(true, '428: {description: no}', ['If-Match']);
    const { ask } = await serve(yaml, { ...versionedToys(), errors: 'numbered' });
    const { status } = await ask('/toys/1', put({}));
    expect(status).toBe(428);
    expect((await ask('/toys/1', put({ 'if-match': '"7"' }))).status).toBe(200);
  });

  it('is 400 elsewhere', async () => {
    const yaml = ITEM(true, 'default: {description: no}', ['If-Match']);
    const { ask } = await serve(yaml, versionedToys());
    expect((await ask('/toys/1', put({}))).status).toBe(400);
  });
});

describe('a handler that does not check', () => {
  const putToy = () => ({ status: 200, body: { name: 'a' } });
  const forgetful = (more: object) => ({
    handlers: { ...versionedToys().handlers, putToy },
    ...more,
  });
  const MESSAGE =
    'putToy returned 200: the request has If-Match, expected a call of request.preconditions.check';

  it('gets a 500, and its transaction rolls back', async () => {
    const ends: unknown[] = [];
    const context = () => ({
      [Symbol.asyncDispose]: async ({ kind }: { kind: string }) => ends.push(kind),
    });
    const { ask, errors } = await serve(ITEM(), forgetful({ context }));
    expect((await ask('/toys/1', put({ 'if-match': '"7"' }))).status).toBe(500);
    expect([errors, ends]).toEqual([[MESSAGE], ['failed']]);
  });

  it('is logged with responseValidation: log', async () => {
    const { ask, errors } = await serve(ITEM(), forgetful({ responseValidation: 'log' }));
    expect((await ask('/toys/1', put({ 'if-match': '"7"' }))).status).toBe(200);
    expect(errors).toEqual([MESSAGE]);
  });

  it('may reply with an error', async () => {
    const { ask, errors } = await serve(ITEM(false, '409: {description: no}'), {
      handlers: { ...versionedToys().handlers, putToy: () => ({ status: 409 }) },
    });
    expect((await ask('/toys/1', put({ 'if-match': '"7"' }))).status).toBe(409);
    expect(errors).toEqual([]);
  });

  it('replies to a request without condition, and to one that is not declared', async () => {
    const { ask } = await serve(ITEM(), forgetful({}));
    expect((await ask('/toys/1', put({}))).status).toBe(200);
    const other = await serve(ITEM(false, '', ['If-None-Match']), forgetful({}));
    expect((await other.ask('/toys/1', put({ 'if-match': '"0"' }))).status).toBe(200);
  });
});

describe('checkRepresentation', () => {
  it('compares with the ETag that a GET of the same body has', async () => {
    let name = 'kite';
    const handlers = {
      getToy: () => ({ status: 200, body: { name } }),
      putToy({ body, preconditions }: PutRequest) {
        preconditions.checkRepresentation({ name });
        name = body.name;
        return { status: 200, body: { name } };
      },
    };
    const { ask } = await serve(ITEM(), { handlers });
    const tag = (await ask('/toys/1')).headers['etag']!;
    const won = await ask('/toys/1', put({ 'if-match': tag }));
    const lost = await ask('/toys/1', put({ 'if-match': tag }));
    expect([won.status, lost.status]).toEqual([200, 412]);
    // The representation of the write is that of the read: so is its tag.
    expect(won.headers['etag']).toBe((await ask('/toys/1')).headers['etag']);
    expect((await ask('/toys/1', put({ 'if-match': won.headers['etag']! }))).status).toBe(200);
  });

  it('compares with each media type of the GET', async () => {
    const bytes = Buffer.from('kite');
    const types = `application/json: ${BODY}\n            application/octet-stream: {}`;
    const yaml = ITEM().replace(`{application/json: ${BODY}}`, `\n            ${types}`);
    const handlers = {
      getToy: () => ({ status: 200, type: 'application/octet-stream', body: bytes }),
      putToy({ preconditions }: PutRequest) {
        preconditions.checkRepresentation(bytes);
        return { status: 200, body: { name: 'a' } };
      },
    };
    const { ask } = await serve(yaml, { handlers });
    const tag = (await ask('/toys/1')).headers['etag']!;
    expect((await ask('/toys/1', put({ 'if-match': tag }))).status).toBe(200);
    expect((await ask('/toys/1', put({ 'if-match': '"a"' }))).status).toBe(412);
  });

  it('throws a TypeError without a GET that declares an ETag', async () => {
    const yaml = ITEM().replaceAll('ETag', 'Other');
    const putToy = ({ preconditions }: PutRequest) => {
      preconditions.checkRepresentation({ name: 'a' });
      return { status: 200, body: { name: 'a' } };
    };
    const { ask, errors } = await serve(yaml, {
      handlers: { ...versionedToys().handlers, putToy },
    });
    expect((await ask('/toys/1', put({ 'if-match': '"a"' }))).status).toBe(500);
    expect(errors).toEqual(['putToy: no GET of /toys/{id} declares an ETag']);
  });
});

describe('If-Unmodified-Since of a write', () => {
  const yaml = ITEM(false, '', ['If-Match', 'If-Unmodified-Since']);
  const putToy = ({ preconditions }: PutRequest) => {
    preconditions.check(7, new Date('1994-11-06T08:49:37.900Z'));
    return { status: 200, body: { name: 'a' } };
  };
  it.each([
    [{ 'if-unmodified-since': 'Sun, 06 Nov 1994 08:49:37 GMT' }, 200],
    [{ 'if-unmodified-since': 'Sun, 06 Nov 1994 08:49:36 GMT' }, 412],
    [{ 'if-unmodified-since': 'Sun, 06 Nov 1994 08:49:36 GMT', 'if-match': '"7"' }, 200],
    [{ 'if-unmodified-since': 'yesterday' }, 200],
  ])('%j is %d', async (headers, status) => {
    const { ask } = await serve(yaml, { handlers: { ...versionedToys().handlers, putToy } });
    expect((await ask('/toys/1', put(headers as never))).status).toBe(status);
  });
});

it('of many concurrent writes of one version exactly one wins', async () => {
  const { handlers, toys } = versionedToys();
  const { ask } = await serve(ITEM(), { handlers });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask('/toys/1', put({ 'if-match': '"7"' }))),
  );
  const won = answers.filter(({ status }) => status === 200);
  expect([won.length, toys.get('1')!.version]).toEqual([1, 8]);
});
