// Bodies that a proxy with --errors validates: content codings, limits, and the memory for all.
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { requestText, sendBytes, statusOf, testProxies } from '../support/proxied.ts';

const { startProxied, startUpstream } = testProxies();

const LIMIT = 100_000;

async function start(options: Parameters<typeof startProxied>[1] = {}, answer?: RequestListener) {
  const { url, received } = await startUpstream(answer);
  const refusing = { refuses: true, bodyLimitBytes: LIMIT };
  return { ...(await startProxied(url, { ...refusing, ...options })), received };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const VALID = Buffer.from('{"id":1}');
const INVALID = Buffer.from('{"id":"a"}');

const encodings: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
  'gzip, br': (bytes) => zlib.brotliCompressSync(zlib.gzipSync(bytes)),
  'Identity, GZIP': zlib.gzipSync,
};

function post(url: string, coding: string | undefined, body: Buffer): Promise<Response> {
  const headers = { ...JSON_TYPE, ...(coding === undefined ? {} : { 'Content-Encoding': coding }) };
  return fetch(`${url}/v1/items`, { method: 'POST', headers, body: new Uint8Array(body) });
}

describe.each(Object.entries(encodings))('a body in %s', (coding, encode) => {
  it('is validated, and forwarded as it was sent', async () => {
    const { url, received, report } = await start();
    const response = await post(url, coding, encode(VALID));
    expect(response.status).toBe(200);
    await response.text();
    expect(received.map(({ body }) => body)).toEqual([encode(VALID).toString('latin1')]);
    expect(received[0]!.headers['content-encoding']).toBe(coding);
    const refused = await post(url, coding, encode(INVALID));
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('/id');
    expect(received).toHaveLength(1);
    expect(report.summary).toMatchObject({ unvalidated: 0 });
  });

  it('is refused if it is broken, or has bytes behind its end', async () => {
    const { url, received, report } = await start();
    const whole = encode(VALID);
    const bodies = [
      whole.subarray(0, -1),
      Buffer.concat([whole, Buffer.from(' ')]),
      Buffer.concat([whole, Buffer.alloc(20)]),
      Buffer.from('hello'),
      VALID,
    ];
    for (const body of bodies) expect((await post(url, coding, body)).status).toBe(400);
    expect(received).toEqual([]);
    expect(report.summary).toMatchObject({ violations: [], unvalidated: bodies.length });
  });

  it('is refused if it has a second part that a service may read', async () => {
    const { url, received } = await start();
    const both = Buffer.concat([encode(Buffer.from('{"id":1')), encode(Buffer.from(',"id":"a"}'))]);
    expect((await post(url, coding, both)).status).toBe(400);
    expect(received).toEqual([]);
  });

  it('is refused if it is larger than the limit without its coding', async () => {
    const { url, received } = await start();
    const bomb = encode(Buffer.from(`{"id":1,"name":"${'a'.repeat(LIMIT)}"}`));
    expect(bomb.length).toBeLessThan(1_000);
    expect((await post(url, coding, bomb)).status).toBe(413);
    expect(received).toEqual([]);
  });

  it('of a response is validated', async () => {
    let body = encode(VALID);
    const { url, report } = await start({}, (_req, res) => {
      res.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': coding }).end(body);
    });
    const get = () => sendBytes(url, requestText('GET /v1/items/a'));
    expect(await get()).toMatch(/^HTTP\/1\.1 200 /);
    for (const other of [encode(INVALID), body.subarray(0, -1), Buffer.from('hello')]) {
      body = other;
      expect(statusOf(await get())).toBe(502);
    }
    expect(report.summary).toMatchObject({ unvalidated: 2 });
  });
});

describe('a body that cannot be validated', () => {
  it.each(['x', 'compress', 'gzip, x', 'gzip, gzip, gzip', 'constructor', '__proto__'])(
    'in the coding %s is refused with 415',
    async (coding) => {
      const { url, received, lines } = await start();
      const response = await post(url, coding, VALID);
      expect(response.status).toBe(415);
      expect(response.headers.get('accept-encoding')).toBe('gzip, deflate, br, zstd');
      expect(received).toEqual([]);
      expect(lines).toEqual([
        'addItem request: not validated: expected one of the content codings gzip, deflate, br, zstd',
      ]);
    },
  );

  it('is forwarded without --errors, and counted', async () => {
    const { url, received, report, close } = await start({ refuses: false });
    for (const body of [VALID, INVALID]) await (await post(url, 'x', body)).arrayBuffer();
    await (await post(url, 'gzip', VALID)).arrayBuffer();
    await close();
    expect(received.map(({ body }) => body)).toEqual([VALID, INVALID, VALID].map(String));
    expect(report.summary).toMatchObject({ violations: [], unvalidated: 3 });
  });

  it.each([
    ['a length', {}],
    ['chunks', { duplex: 'half' }],
  ])('beyond the limit is refused with 413, with %s', async (name, extra) => {
    const { url, received } = await start();
    const text = `{"id":1,"name":"${'a'.repeat(LIMIT)}"}`;
    const body = name === 'chunks' ? ReadableStream.from([Buffer.from(text)]) : text;
    const init = { method: 'POST', headers: JSON_TYPE, body, ...extra } as RequestInit;
    expect((await fetch(`${url}/v1/items`, init)).status).toBe(413);
    expect(received).toEqual([]);
  });

  it('of a response becomes 502', async () => {
    let answer: [Record<string, string>, string | Buffer] = [{}, ''];
    const { url, report } = await start({}, (_req, res) => {
      res.writeHead(200, { ...JSON_TYPE, ...answer[0] }).end(answer[1]);
    });
    for (answer of [
      [{}, `{"id":1,"name":"${'a'.repeat(LIMIT)}"}`],
      [{ 'Content-Encoding': 'x' }, VALID],
      [{ 'Content-Encoding': 'gzip' }, zlib.gzipSync(`{"id":1,"name":"${'a'.repeat(LIMIT)}"}`)],
    ] as (typeof answer)[]) {
      const response = await sendBytes(url, requestText('GET /v1/items/a'));
      expect(statusOf(response)).toBe(502);
      expect(response).toContain('the response of the service cannot be validated');
    }
    expect(report.summary).toMatchObject({ violations: [], unvalidated: 3 });
  });

  it('because nothing describes its bytes is forwarded while it arrives', async () => {
    const { url, received, report } = await start();
    const headers = { 'Content-Type': 'application/octet-stream', 'Content-Encoding': 'x' };
    const body = new Uint8Array(5 * LIMIT);
    const response = await fetch(`${url}/v1/uploads`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    await response.text();
    expect(received[0]!.body.length).toBe(5 * LIMIT);
    expect(report.summary).toMatchObject({ violations: [], unvalidated: 0 });
  });

  it('because it is an event stream is forwarded while it arrives', async () => {
    let end = () => {};
    const { url } = await start({}, (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
      end = () => res.end();
    });
    const headers = { 'Content-Type': 'application/octet-stream' };
    const response = await fetch(`${url}/v1/uploads`, { method: 'POST', headers, body: 'a' });
    const reader = response.body!.getReader();
    const { value } = await reader.read();
    expect(Buffer.from(value!).toString()).toBe('data: 1\n\n');
    end();
    await reader.cancel();
  });

  it.each([
    ['text/event-stream', 'data: 1\n\n', 'data: x\n\n', 'item 1: expected JSON'],
    ['application/jsonl', '{"id":1}\n', '{"id":"x"}\n', 'body /1/id'],
  ])(
    'is forwarded while it arrives, and its items are validated: %s',
    async (type, valid, invalid, violation) => {
      const ended = Promise.withResolvers<void>();
      const { url, report } = await start({}, async (_req, res) => {
        res.writeHead(200, { 'Content-Type': type }).write(valid);
        await ended.promise;
        res.end(invalid + valid);
      });
      const response = await fetch(`${url}/v1/toys`);
      const reader = response.body!.getReader();
      const { value } = await reader.read();
      expect(Buffer.from(value!).toString()).toBe(valid);
      ended.resolve();
      const { value: rest } = await reader.read();
      expect(Buffer.from(rest!).toString()).toBe(invalid + valid);
      while (report.summary.violations.length === 0) await sleep(5);
      expect(JSON.stringify(report.summary.violations)).toContain(violation);
    },
  );

  it('is closed after an invalid item where violations are refused', async () => {
    const { url } = await start({ refuses: true }, (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/jsonl' }).write('{"id":1}\n');
      setTimeout(() => res.write('{"id":"x"}\n'), 50);
    });
    const response = await fetch(`${url}/v1/toys`);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('ends as it was sent where violations are refused and there is none', async () => {
    const { url } = await start({ refuses: true }, (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/jsonl' }).write('{"id":1}\n');
      setTimeout(() => res.end('{"id":2}\n'), 20);
    });
    expect(await (await fetch(`${url}/v1/toys`)).text()).toBe('{"id":1}\n{"id":2}\n');
  });

  it('is a request whose items are validated', async () => {
    const { url, received } = await start({ refuses: true });
    const send = (body: string) =>
      fetch(`${url}/v1/toys`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/jsonl' },
        body,
      });
    const refused = await send('{"id":1}\n{"id":"x"}\n');
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('/1/id expected integer'),
    ]);
    expect((await send('{"id":1}\n{"id":2}\n')).status).toBe(200);
    expect(received.map(({ body }) => body)).toEqual(['{"id":1}\n{"id":2}\n']);
  });

  it('in a multipart form is refused', async () => {
    const { url, received } = await start();
    const form = new FormData();
    form.set('id', 'a');
    const invalid = await fetch(`${url}/v1/uploads`, { method: 'POST', body: form });
    expect(invalid.status).toBe(400);
    form.set('id', '1');
    form.set('file', new Blob(['a'.repeat(LIMIT)]));
    const large = await fetch(`${url}/v1/uploads`, { method: 'POST', body: form });
    expect(large.status).toBe(413);
    expect(received).toEqual([]);
  });
});

describe('the memory for bodies', () => {
  /** Connections that each send an unfinished body of this length. */
  async function hold(url: string, count: number, length: number) {
    const { hostname, port } = new URL(url);
    const headers = ['Content-Type: application/json', `Content-Length: ${length + 1}`];
    const bytes = requestText('POST /v1/items', headers, `{${' '.repeat(length - 1)}`);
    return Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => {}).write(bytes);
        await once(socket, 'connect');
        return socket;
      }),
    );
  }

  it('is shared: further bodies get 503 until it is returned', async () => {
    const options = { bodyMemoryBytes: 4 * LIMIT };
    const { url, received } = await start(options);
    const sockets = await hold(url, 6, LIMIT - 1_000);
    const statuses = await Promise.all(
      sockets.map(async (socket) => {
        const [answer] = await Promise.race([
          once(socket, 'data'),
          // The connections that are held have no answer.
          post(url, undefined, Buffer.from(`{"id":1,"name":"${'a'.repeat(LIMIT / 2)}"}`)).then(
            async (response) => [`HTTP/1.1 ${response.status} `],
          ),
        ]);
        return statusOf(String(answer));
      }),
    );
    expect(statuses).toEqual(Array(6).fill(503));
    expect(received).toEqual([]);
    for (const socket of sockets) socket.destroy();
    let status = 503;
    while (status === 503) status = (await post(url, undefined, VALID)).status;
    expect(status).toBe(200);
  });

  it('is returned by every request, valid, refused, decoded or broken', async () => {
    const body = Buffer.from(`{"id":1,"name":"${'a'.repeat(LIMIT / 2)}"}`);
    for (const refuses of [true, false]) {
      const options = { refuses, bodyMemoryBytes: 3 * LIMIT };
      const { url, report, close } = await start(options, (_req, res) => {
        res.writeHead(200, JSON_TYPE).end(body);
      });
      for (let round = 0; round < 10; round++) {
        await (await post(url, undefined, body)).arrayBuffer();
        await (await post(url, 'gzip', zlib.gzipSync(body))).arrayBuffer();
        await (await post(url, 'gzip', body)).arrayBuffer();
        await (await post(url, undefined, INVALID)).arrayBuffer();
        const [socket] = await hold(url, 1, LIMIT - 1_000);
        socket!.destroy();
      }
      const last = await post(url, undefined, body);
      await last.arrayBuffer();
      await close();
      expect(last.status).toBe(200);
      // The broken codings and, with --errors, the requests that ended early.
      expect(report.summary.unvalidated).toBeLessThanOrEqual(20);
    }
  });
});
