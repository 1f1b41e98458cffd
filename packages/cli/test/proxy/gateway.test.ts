// The target and the headers that a gateway writes, and responses that it cannot forward.
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { listen, requestText, sendBytes, statusOf, testProxies } from '../support/proxied.ts';

const { startProxied, startUpstream } = testProxies();

let raw: Server | undefined;
afterEach(() => void raw?.close());

async function start(path: string, options: Parameters<typeof startProxied>[1] = {}) {
  const { url, received } = await startUpstream();
  return { ...(await startProxied(new URL(path, url), options)), received };
}

const DOTS = ['..', '%2e%2e', '.%2E', '%2e.', '%252e%252e', '..;a=b', '%2e%2e%3ba', '.', '%2e'];
const SLASHES = ['/', '%2f', '%2F', '%5c', '\\', '%252f'];

describe('a target with dot segments', () => {
  it.each([
    ['a base path', '/api', {}, '/items'],
    ['--errors', '/', { refuses: true }, '/v1/items'],
  ])('is refused with %s', async (_name, path, options, root) => {
    const { url, received } = await start(path, options);
    for (const dots of DOTS) {
      for (const slash of SLASHES) {
        for (const target of [`${root}/a${slash}${dots}${slash}b`, `${root}${slash}${dots}`]) {
          const answer = await sendBytes(url, requestText(`GET ${target}`));
          expect([target, statusOf(answer)]).toEqual([target, 400]);
        }
      }
    }
    expect(received).toEqual([]);
  });

  it('leaves no base path, for generated targets', async () => {
    const { url, received } = await start('/api');
    const part = fc.constantFrom('a', '..a', 'a..', '...', ...DOTS, ...SLASHES);
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        received.length = 0;
        await sendBytes(url, requestText(`GET /${parts.join('')}?../..`));
        for (const { url: target } of received) {
          // As a service that decodes twice, and takes a backslash for a slash.
          let path = target.split('?')[0]!;
          for (let round = 0; round < 2; round++) path = decodeURIComponent(path);
          const { pathname } = new URL(path.replaceAll('\\', '/').replace(/\/+/g, '/'), 'http://a');
          expect(pathname).toMatch(/^\/api(\/|$)/);
        }
      }),
      { numRuns: isTestAll ? 1_000 : 40 },
    );
  });

  it.each(['/items/..a', '/items/a..b', '/items/...', '/items/a?b=../..', '/items/%2e%2ea'])(
    'does not include %s',
    async (target) => {
      const { url, received } = await start('/api');
      await sendBytes(url, requestText(`GET ${target}`));
      expect(received.map((each) => each.url)).toEqual([`/api${target}`]);
    },
  );
});

describe('a malformed request', () => {
  it.each([
    ['another scheme', requestText('GET ftp://evil.example/a')],
    ['a scheme without a host', requestText('GET http:///a')],
    ['an asterisk with GET', requestText('GET *')],
    ['a fragment', requestText('GET /v1/items/a#b')],
    ['two hosts', requestText('GET /v1/items/a', ['Host: a', 'Host: b'])],
    ['a quotation mark in the host', requestText('GET /v1/items/a', ['Host: a";for="b'])],
    ['a space in the host', requestText('GET /v1/items/a', ['Host: a b'])],
    ['no host', 'GET /v1/items/a HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'a transfer coding in HTTP/1.0',
      'POST /v1/items HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['HTTP/2 syntax', 'GET /v1/items/a HTTP/2.0\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('with %s is refused', async (_name, bytes) => {
    const { url, received } = await start('/');
    const answer = await sendBytes(url, bytes);
    expect([400, 501, 505]).toContain(statusOf(answer));
    expect(received).toEqual([]);
  });

  it.each(['Content-Type', 'Authorization'])(
    'with two %s headers is refused with --errors',
    async (name) => {
      const { url, received } = await start('/', { refuses: true });
      const answer = await sendBytes(
        url,
        requestText('GET /v1/items/a', [`${name}: a/b`, `${name}: c/d`]),
      );
      expect(statusOf(answer)).toBe(400);
      expect(received).toEqual([]);
    },
  );
});

describe('the headers of the gateway', () => {
  const loopback = Object.values(networkInterfaces())
    .flat()
    .map((each) => each?.address);
  const withIpv6 = loopback.includes('::1') ? it : it.skip;
  withIpv6('have the IPv6 address of a client', async () => {
    const { url, received } = await start('/', { host: '::1' });
    const { port } = new URL(url);
    const answer = await fetch(`http://[::1]:${port}/v1/items/a`);
    await answer.arrayBuffer();
    expect(received[0]!.headers['x-forwarded-for']).toBe('::1');
  });

  it('have the host of the target rather than that of the Host header', async () => {
    const { url, received } = await start('/');
    await sendBytes(url, requestText('GET http://api.example:80/v1/items/a', ['Host: other']));
    expect(received[0]!.headers['x-forwarded-host']).toBe('api.example:80');
  });

  it('have no Forwarded of the client', async () => {
    const { url, received } = await start('/');
    await sendBytes(url, requestText('GET /v1/items/a', ['Forwarded: for=192.0.2.1']));
    expect(received[0]!.headers.forwarded).toBeUndefined();
  });
});

describe('a response of the service', () => {
  /** A service that sends these bytes on its first connection, and its own answer on the others. */
  async function answering(bytes: string, options: Parameters<typeof startProxied>[1] = {}) {
    let connections = 0;
    raw = createServer((socket) => {
      const own =
        'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{"id":2}';
      connections++;
      let requests = 0;
      const isFirst = connections === 1;
      socket.on('error', () => {});
      socket.on('data', () => socket.write(isFirst && ++requests === 1 ? bytes : own, 'latin1'));
    });
    return startProxied(await listen(raw), options);
  }
  const BODY = '4\r\nabcd\r\n0\r\n\r\n';

  it.each([
    ['101', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nabcd'],
    ['101 without Upgrade', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['gzip and chunked', `HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n${BODY}`],
    ['chunks in HTTP/1.0', `HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${BODY}`],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd'],
    [
      'a length and chunks',
      `HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${BODY}`,
    ],
    ['status 000', 'HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n'],
    ['control characters', 'HTTP/1.1 200 a\x01b\r\nContent-Length: 0\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
  ])('with %s becomes 502, and the next client gets its own', async (_name, bytes) => {
    const { url, report } = await answering(bytes);
    const answer = await sendBytes(url, requestText('GET /v1/items/a'));
    expect(statusOf(answer)).toBe(502);
    expect(report.summary.failed).toBe(1);
    expect(await sendBytes(url, requestText('GET /v1/items/b'))).toContain('{"id":2}');
  });

  it.each([
    [
      'a second response',
      'GET',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL',
    ],
    ['a body for HEAD', 'HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL'],
    [
      'chunks of a 204',
      'DELETE',
      'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nEVIL\r\n0\r\n\r\n',
    ],
    ['a length of a 204', 'DELETE', 'HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nEVIL'],
  ])('with %s does not answer another client', async (_name, method, bytes) => {
    const { url } = await answering(bytes);
    const first = await sendBytes(url, requestText(`${method} /v1/items/a`));
    expect(first).not.toContain('EVIL');
    expect(await sendBytes(url, requestText('GET /v1/items/b'))).toContain('{"id":2}');
  });

  it.each([
    ['Content-Length: 8', '{"id":1}'],
    [
      'Transfer-Encoding: chunked\r\nTrailer: X-Sum',
      '8\r\n{"id":1}\r\n0\r\nX-Sum: 1\r\nSet-Cookie: a=b\r\n\r\n',
    ],
    ['Content-Length: 8\r\nTrailer: X-Sum', '{"id":1}'],
    [
      'Connection: content-length, transfer-encoding, content-type\r\nContent-Length: 8',
      '{"id":1}',
    ],
  ])('with %s is forwarded to clients of HTTP/1.1 and 1.0', async (headers, body) => {
    const bytes = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
    for (const refuses of [false, true]) {
      for (const version of ['1.1', '1.0']) {
        const { url, close } = await answering(bytes, { refuses });
        const request = `GET /v1/items/a HTTP/${version}\r\nHost: a\r\nConnection: close\r\n\r\n`;
        const answer = await sendBytes(url, request);
        expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
        expect(answer).toMatch(/content-type: application\/json/i);
        expect(answer).toContain('{"id":1}');
        expect(answer).not.toContain('Set-Cookie');
        await close();
        raw!.close();
      }
    }
  });
});
