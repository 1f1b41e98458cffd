import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openConnection, parseAnswer, readAll } from '@stubwright/test-support/http';
import {
  authorized,
  call,
  exchangeBytes,
  json,
  startTestService,
  type TestService,
  TOKEN,
} from '@stubwright/test-support/service';

const HEAD = `POST /toys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
const toy = '{"id":1,"name":"x"}';
let service: TestService;

beforeAll(async () => {
  service = await startTestService(
    { BODY_LIMIT: '100000' },
    { headersTimeoutMs: 300, requestTimeoutMs: 600 },
  );
});
afterAll(() => service.remove());

function errorOf({ body }: { body: string }): number {
  return JSON.parse(body).error;
}

it.each<[string, number, string[]]>([
  ['a long target', 414, [`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'Host: a', '', '']],
  ['OPTIONS *', 204, ['OPTIONS * HTTP/1.1', 'Host: a', 'Connection: close', '', '']],
  ['a known path', 204, ['OPTIONS /toys HTTP/1.1', 'Host: a', 'Connection: close', '', '']],
])('%s gets %i, nosniff and close', async (_, status, lines) => {
  const bytes = lines.join('\r\n');
  const answer = parseAnswer(await readAll(openConnection(service.url, bytes)));
  const { headers } = answer;
  const shown = [answer.status, headers['x-content-type-options'], headers.connection];
  expect(shown).toEqual([status, 'nosniff', 'close']);
  if (status === 204) expect(headers.allow).toContain('OPTIONS');
});

describe('a path', () => {
  it.each([
    '/',
    '/toy',
    '/toys/',
    '/TOYS',
    '/toys/1/leaves',
    '//toys',
    '/toys%2F',
    '/toys;a',
    '/%',
    '/toys%00',
  ])('%s that the contract does not have gets 404', async (path) => {
    const answer = await call(service.url, {
      path,
      headers: { ...authorized, ...json },
      body: toy,
    });
    expect([answer.status, errorOf(answer)]).toEqual([404, 40400]);
  });

  it.each([
    '//x/toys',
    '/x/../toys',
    '/./toys',
    '/%2e/toys',
    '/x/%2e%2e/toys',
    '/x/%2E%2E/toys',
    '/\\x/toys',
    '/\\toys',
    '/%5Cx/toys',
    '/%2Ftoys',
    'http://host//toys',
    'http://host/x/../toys',
  ])('%s is not normalized: 404', async (target) => {
    // An HTTP client would normalize the target before it sends it.
    const bytes = `OPTIONS ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const { status } = parseAnswer(await readAll(openConnection(service.url, bytes)));
    expect(status).toBe(404);
  });

  it.each([
    ['percent-encoded', () => '/%74oys'],
    ['in absolute form', () => `${service.url}/toys`],
  ])('is the same path %s', async (_, targetOf) => {
    const head = `${HEAD.replace('/toys', targetOf())}Connection: close\r\nContent-Length: 19`;
    const text = await readAll(openConnection(service.url, `${head}\r\n\r\n${toy}`));
    expect(parseAnswer(text).status).toBe(200);
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'TRACE'])(
    'that is known gets 405 with Allow for %s',
    async (method) => {
      const answer = await call(service.url, { method });
      expect([answer.status, answer.headers.allow, errorOf(answer)]).toEqual([
        405,
        'POST, OPTIONS',
        40500,
      ]);
    },
  );

  it('that is known gets 405 for HEAD, with no body', async () => {
    const answer = await call(service.url, { method: 'HEAD' });
    expect([answer.status, answer.headers.allow, answer.body]).toEqual([405, 'POST, OPTIONS', '']);
  });

  it('that is known gets 204 with Allow for OPTIONS, without a token', async () => {
    const answer = await call(service.url, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.allow, answer.body]).toEqual([204, 'POST, OPTIONS', '']);
  });

  it('that is unknown gets 404 for OPTIONS', async () => {
    expect((await call(service.url, { method: 'OPTIONS', path: '/x' })).status).toBe(404);
  });

  it('with a query parameter that is not declared gets 400, and all faults at once', async () => {
    const answer = await service.create({ id: 'x' }, { path: '/toys?a=1&b' });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).message).toMatch(
      /query parameter a .*query parameter b .*\/name .*\/id /,
    );
  });

  it('with thousands of undeclared query parameters gets a short answer', async () => {
    const query = Array.from({ length: 1500 }, (_, at) => `q${at}=1`).join('&');
    const answer = await service.create({ id: 1, name: 'x' }, { path: `/toys?${query}` });
    expect(answer.status).toBe(400);
    expect(answer.body.length).toBeLessThan(5000);
  });

  it('with an empty query is served', async () => {
    expect((await service.create({ id: 1, name: 'x' }, { path: '/toys?' })).status).toBe(200);
  });

  it('starts with the path of BASE_URL, and is 404 without it', async () => {
    const prefixed = await startTestService({ BASE_URL: 'https://host/api/v1/' });
    for (const path of ['/toys', '/api/v1x/toys', '/api/v1toys']) {
      const bytes = `OPTIONS ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const text = await readAll(openConnection(prefixed.url, bytes));
      expect(parseAnswer(text).status).toBe(404);
    }
    expect(prefixed.url).toMatch(/\/api\/v1$/);
    expect(
      (await call(prefixed.url, { headers: { ...authorized, ...json }, body: toy })).status,
    ).toBe(200);
    await prefixed.remove();
  });
});

describe('a media type', () => {
  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json ; foo=bar',
  ])('%s is taken', async (type) => {
    expect((await service.create(toy, { headers: { 'Content-Type': type } })).status).toBe(200);
  });

  it.each([
    'text/plain',
    'application/jsonx',
    'application/xml',
    'application/json; charset=latin1',
    'application/vnd.api+json',
    'json',
    ';',
    'multipart/form-data; boundary=x',
  ])('%s gets 415', async (type) => {
    const answer = await service.create(toy, { headers: { 'Content-Type': type } });
    expect([answer.status, errorOf(answer)]).toEqual([415, 41500]);
  });

  it('that is missing beside a body gets 415', async () => {
    expect((await call(service.url, { headers: authorized, body: toy })).status).toBe(415);
  });

  it.each(['gzip', 'br', 'deflate', 'identity, gzip', 'x'])(
    'with Content-Encoding %s gets 415',
    async (encoding) => {
      const answer = await service.create(toy, { headers: { 'Content-Encoding': encoding } });
      expect([answer.status, errorOf(answer)]).toEqual([415, 41501]);
    },
  );

  it('with Content-Encoding identity is taken', async () => {
    expect(
      (await service.create(toy, { headers: { 'Content-Encoding': 'Identity' } })).status,
    ).toBe(200);
  });

  it('is validated before the body is read', async () => {
    const socket = openConnection(
      service.url,
      `${HEAD.replace('/json', '/xml')}Content-Length: 1000000\r\n\r\n`,
    );
    const [chunk] = await once(socket, 'data');
    socket.destroy();
    expect(parseAnswer(String(chunk)).status).toBe(415);
  });
});

describe('a body over the limit', () => {
  const large = `{"id":1,"name":"${'x'.repeat(100_000)}"}`;

  it('gets 413, and the connection closes', async () => {
    const answer = await service.create(large);
    expect([answer.status, errorOf(answer), answer.headers.connection]).toEqual([
      413,
      41300,
      'close',
    ]);
  });

  it('gets 413 without Content-Length', async () => {
    const answer = await service.create(large, { headers: { 'Transfer-Encoding': 'chunked' } });
    expect([answer.status, answer.headers.connection]).toEqual([413, 'close']);
  });

  it('gets 413 on its length alone', async () => {
    const answer = await exchangeBytes(service.url, `${HEAD}Content-Length: 100001\r\n\r\n`);
    expect(answer.status).toBe(413);
  });

  it('ends where the limit is: a body of just that size is read', async () => {
    const frame = '{"id":2,"name":""}';
    const body = `{"id":2,"name":"${'x'.repeat(100_000 - frame.length)}"}`;
    expect((await service.create(body)).status).toBe(200);
  });
});

describe('a connection', () => {
  it('stays open after a response with any status', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number>();
    for (const headers of [
      { ...authorized, ...json },
      json,
      { ...authorized, 'Content-Type': 'text/plain' },
    ]) {
      const outgoing = request(`${service.url}/toys`, { method: 'POST', agent, headers });
      outgoing.end(toy);
      const [incoming] = await once(outgoing, 'response');
      ports.add(outgoing.socket!.localPort!);
      await once(incoming.resume(), 'end');
    }
    agent.destroy();
    expect(ports.size).toBe(1);
  });

  const sized = 'Connection: close\r\nContent-Length: 19\r\n\r\n';
  const chunked = 'Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
  it.each<[string, string[]]>([
    ['with its headers', [HEAD + sized + toy]],
    ['after its headers', [HEAD + sized, toy]],
    ['in two pieces, the first with its headers', [`${HEAD}${sized}{"id":1,`, '"name":"x"}']],
    ['in one chunk', [`${HEAD}${chunked}13\r\n${toy}\r\n0\r\n\r\n`]],
    [
      'in a chunk with its headers, and its end later',
      [`${HEAD}${chunked}13\r\n${toy}`, '\r\n0\r\n\r\n'],
    ],
  ])('reads a body that arrives %s', async (_name, pieces) => {
    const [first = '', ...rest] = pieces;
    const socket = openConnection(service.url, first);
    for (const piece of rest) {
      await sleep(20);
      socket.write(piece);
    }
    const { status, body } = parseAnswer(await readAll(socket));
    expect([status, body]).toEqual([200, '{"name":"x"}']);
  });

  it('serves pipelined requests in order', async () => {
    const one = `${HEAD}Content-Length: 19\r\n\r\n${toy}`;
    const last = `${HEAD}Connection: close\r\nContent-Length: 2\r\n\r\n{}`;
    const text = await readAll(openConnection(service.url, one + one + last));
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it('gives the answer that is owed before it refuses what follows', async () => {
    const text = await readAll(
      openConnection(service.url, `${HEAD}Content-Length: 19\r\n\r\n${toy}garbage\r\n\r\n`),
    );
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it('gets 100 Continue once the caller is authenticated', async () => {
    const socket = openConnection(
      service.url,
      `${HEAD}Connection: close\r\nExpect: 100-continue\r\nContent-Length: 19\r\n\r\n`,
    );
    const [interim] = await once(socket, 'data');
    expect(String(interim)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(toy);
    expect(parseAnswer(await readAll(socket)).status).toBe(200);
  });
});

describe('bytes that are no good request', () => {
  const crlf = '\r\n\r\n';
  it.each<[string, number, number, string]>([
    ['no HTTP at all', 400, 40003, `hello${crlf}`],
    ['a TLS handshake', 400, 40003, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['HTTP/2 with prior knowledge', 505, 50500, `PRI * HTTP/2.0\r\n\r\nSM${crlf}`],
    ['an unknown method', 501, 50100, `BREW /toys HTTP/1.1\r\nHost: x${crlf}`],
    ['CONNECT', 400, 40003, `CONNECT x:1 HTTP/1.1\r\nHost: x${crlf}`],
    ['no Host', 400, 40003, `GET /toys HTTP/1.1${crlf}`],
    ['two Hosts', 400, 40003, `GET /toys HTTP/1.1\r\nHost: a\r\nHost: b${crlf}`],
    [
      'two Content-Types',
      400,
      40003,
      `${HEAD}Content-Type: text/plain\r\nContent-Length: 19${crlf}${toy}`,
    ],
    ['two lengths', 400, 40003, `${HEAD}Content-Length: 1\r\nContent-Length: 2${crlf}{}`],
    [
      'a length and chunks',
      400,
      40003,
      `${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked${crlf}0${crlf}`,
    ],
    ['a bad length', 400, 40003, `${HEAD}Content-Length: -1${crlf}`],
    ['bad chunks', 400, 40003, `${HEAD}Transfer-Encoding: chunked\r\n\r\nxyz${crlf}`],
    ['a header without a name', 400, 40003, `GET /toys HTTP/1.1\r\nHost: x\r\n: y${crlf}`],
    [
      'a coding that is not understood',
      501,
      50100,
      `${HEAD}Transfer-Encoding: gzip, chunked${crlf}0${crlf}`,
    ],
    [
      'chunks in HTTP/1.0',
      400,
      40003,
      `${HEAD.replace('/1.1', '/1.0')}Transfer-Encoding: chunked${crlf}0${crlf}`,
    ],
    ['a Host that is none', 400, 40003, `GET /toys HTTP/1.1\r\nHost: a b/c@d${crlf}`],
    ['an unknown Expect', 417, 41700, `${HEAD}Expect: a-miracle\r\nContent-Length: 0${crlf}`],
    [
      'headers too large',
      431,
      43100,
      `GET /toys HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}${crlf}`,
    ],
    ['headers that never end', 408, 40800, 'GET /toys HTTP/1.1\r\nHost: x\r\n'],
    ['a body that never ends', 408, 40800, `${HEAD}Content-Length: 19\r\n\r\n{"id"`],
  ])('get an Error body, then the connection closes: %s', async (_, status, error, bytes) => {
    const answer = await exchangeBytes(service.url, bytes);
    expect([answer.status, errorOf(answer), answer.headers['connection']]).toEqual([
      status,
      error,
      'close',
    ]);
  });

  it('leave the service as it was', async () => {
    expect((await service.create(toy)).status).toBe(200);
  });

  it('that HTTP/1.0 sends without Host are served', async () => {
    const text = await readAll(openConnection(service.url, 'OPTIONS /toys HTTP/1.0\r\n\r\n'));
    expect(parseAnswer(text).status).toBe(204);
  });
});
