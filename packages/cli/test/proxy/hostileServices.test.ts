// The proxy holds no connection to a service after its client has left, whatever the service sends.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type HostileServer,
  hostileServer,
  INVALID_BODY,
  SILENT,
  STALLED_BODY,
  WITHOUT_RESPONSE,
} from '@stubwright/test-support/hostileServers';
import { requestText, statusOf, testProxies } from '../support/proxied.ts';

const { startProxied } = testProxies();

const UNENDED = { ...SILENT, ...STALLED_BODY, ...INVALID_BODY };
const BEHAVIOURS = { ...WITHOUT_RESPONSE, ...UNENDED };
/** Without the valid response, after which the connection is kept. */
const NAMES = Object.keys(BEHAVIOURS).filter((name) => !name.startsWith('a response'));
const HANDSHAKE = [
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];

let service: HostileServer | undefined;
afterEach(() => service?.close());

/** @returns the first bytes of the response, before the client leaves */
async function firstBytes(url: string, text: string, wait: () => boolean): Promise<string> {
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  client.on('data', (chunk) => {
    received += chunk.toString('latin1');
    client.pause();
  });
  client.on('error', () => {});
  const closed = once(client, 'close');
  client.write(text);
  while (!wait() && !client.destroyed && received === '') await sleep(2);
  client.resetAndDestroy();
  await closed;
  return received;
}

describe.each([
  ['', {}, []],
  ['with --errors', { refuses: true }, []],
  ['for a WebSocket', {}, HANDSHAKE],
] as const)('a request %s ends with its client for', (_, options, headers) => {
  it.each(NAMES)('%s', async (name) => {
    let isRequested = false;
    service = await hostileServer((socket) => {
      isRequested = true;
      BEHAVIOURS[name]!(socket);
    });
    const proxied = await startProxied(new URL(`http://127.0.0.1:${service.port}`), options);
    const mayWait = name in UNENDED || /endless|trickled/.test(name);
    const answer = await firstBytes(
      proxied.url,
      requestText('GET /v1/items/1', headers),
      () => isRequested && mayWait,
    );
    if (!mayWait && headers.length === 0) expect(statusOf(answer)).toBe(502);
    for (const socket of service.sockets) socket.resume();
    while (service.sockets.size > 0) await sleep(2);
  });
});
