// Bodies that drip: a proxy with --errors holds a body until its end.
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { BodyMemory } from '@stubwright/contract/values';
import { BODY_RATE, BodyCopy } from '../../src/proxy/bodyCopy.ts';
import { requestText, sendBytes, statusOf, testProxies } from '../support/proxied.ts';

const { startProxied, startUpstream } = testProxies();

const DRIP_MS = 20;
const bodyRate = { intervalMs: 200, minBytes: 1_000 };
const HEAD = ['Content-Type: application/json', 'Content-Length: 100000'];
let drip: NodeJS.Timeout | undefined;

afterEach(() => clearInterval(drip));

async function start(answer?: RequestListener) {
  const { url, received } = await startUpstream(answer);
  return { ...(await startProxied(url, { refuses: true, bodyRate })), received };
}

describe('a body that drips', () => {
  it('of a request is refused with 408, while others are answered', async () => {
    const { url, received, lines } = await start();
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(requestText('POST /v1/items', HEAD, '{"id":'));
    drip = setInterval(() => socket.write(' '), DRIP_MS);
    const slow = text(socket);
    const other = await sendBytes(url, requestText('GET /v1/items/a'));
    expect(statusOf(other)).toBe(200);
    expect(statusOf(await slow)).toBe(408);
    expect(received.map(({ method }) => method)).toEqual(['GET']);
    expect(lines).toContain('addItem request: not validated: the body took too long to arrive');
  });

  it('of a response is refused with 502, and its connection is closed', async () => {
    let closed: Promise<unknown> | undefined;
    const answer = (res: ServerResponse) => {
      res.writeHead(200, { 'Content-Type': 'application/json' });
      drip = setInterval(() => res.write(' '), DRIP_MS);
      closed = once(res, 'close');
    };
    const { url } = await start((_req, res) => answer(res));
    expect(statusOf(await sendBytes(url, requestText('GET /v1/items/a')))).toBe(502);
    await closed;
  });
});

describe('a body at the minimum rate', () => {
  it('may take any time', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const copy = new BodyCopy(1_000_000, new BodyMemory(2_000_000));
      const source = new PassThrough();
      const filled = copy.fill(source);
      for (let interval = 0; interval < 20; interval++) {
        source.write(Buffer.alloc(BODY_RATE.minBytes));
        await new Promise((resolve) => setImmediate(resolve));
        jest.advanceTimersByTime(BODY_RATE.intervalMs);
      }
      source.end();
      await filled;
      expect(await copy.decoded(undefined)).toHaveLength(20 * BODY_RATE.minBytes);
    } finally {
      jest.useRealTimers();
    }
  });
});
