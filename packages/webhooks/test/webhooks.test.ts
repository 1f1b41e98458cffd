// Webhooks and callbacks: signatures, the outbox on SQLite, and deliveries over real sockets.
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, jest } from '@jest/globals';
import { hostileServer, INVALID_BODY } from '@stubwright/test-support/hostileServers';
import { loadedContract } from '@stubwright/test-support/loadedContract';
import { outboxConformance } from '@stubwright/test-support/outboxConformance';
import fc from 'fast-check';
import { InvalidReply } from 'stubwright';
import { deliver } from '../src/delivery.ts';
import {
  type ClaimedMessage,
  createWebhooks,
  InvalidWebhook,
  isPublicAddress,
  signatureHeaders,
  sqliteOutbox,
  verifyWebhook,
  type WebhookOptions,
} from '../src/index.ts';
import { receivers } from './support/receivers.ts';
import { SECRET } from './support/soldWebhook.ts';

const { receiver, ends } = receivers();
const OTHER = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

describe('a signature', () => {
  // The example of the reference libraries of Standard Webhooks.
  const BODY = '{"test": 2432232314}';
  const NOW = new Date(1614265330_000);
  const HEADERS = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const received = { headers: HEADERS, body: BODY, secrets: [SECRET], now: NOW };

  it('is that of Standard Webhooks', () => {
    const message = { id: HEADERS['webhook-id'], body: BODY };
    expect(signatureHeaders(message, [SECRET], NOW)).toEqual(HEADERS);
    expect(verifyWebhook(received)).toBe(HEADERS['webhook-id']);
    expect(verifyWebhook({ ...received, headers: new Headers(HEADERS) })).toBe(message.id);
    expect(verifyWebhook({ ...received, body: Buffer.from(BODY) })).toBe(message.id);
  });

  it('of any secret is valid, while secrets are replaced', () => {
    const message = { id: 'a', body: BODY };
    for (const [signing, verifying] of [
      [[OTHER, SECRET], [SECRET]],
      [[SECRET], [OTHER, SECRET]],
    ] as const) {
      const headers = { ...signatureHeaders(message, signing, NOW) };
      expect(verifyWebhook({ ...received, headers, secrets: verifying })).toBe('a');
    }
  });

  it.each([
    ['another secret', { secrets: [OTHER] }],
    ['another body', { body: '{"test":2432232314}' }],
    ['another id', { headers: { ...HEADERS, 'webhook-id': 'b' } }],
    ['an old message', { now: new Date(NOW.getTime() + 301_000) }],
    ['a message from the future', { now: new Date(NOW.getTime() - 301_000) }],
    ['no signature', { headers: { ...HEADERS, 'webhook-signature': '' } }],
    [
      'another version',
      {
        headers: {
          ...HEADERS,
          'webhook-signature': HEADERS['webhook-signature'].replace('v1', 'v2'),
        },
      },
    ],
    ['a timestamp that is no number', { headers: { ...HEADERS, 'webhook-timestamp': '1e9' } }],
    ['no id', { headers: { ...HEADERS, 'webhook-id': undefined } }],
  ])('is refused for %s', (_case, change) => {
    expect(() => verifyWebhook({ ...received, ...change })).toThrow(InvalidWebhook);
  });

  it('is refused for any change of the message', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (body, other) => {
        fc.pre(body !== other);
        const headers = { ...signatureHeaders({ id: 'a', body }, [SECRET], NOW) };
        expect(verifyWebhook({ ...received, headers, body })).toBe('a');
        expect(() => verifyWebhook({ ...received, headers, body: other })).toThrow(InvalidWebhook);
      }),
    );
  });

  it.each([[[]], [['whsec_']], [['whsec_c2hvcnQ=']], [['not base64 at all, but long enough']]])(
    'needs secrets: %j',
    (secrets) => {
      expect(() => verifyWebhook({ ...received, secrets })).toThrow(TypeError);
    },
  );
});

describe.each([
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
])('the network from %s to %s', (first, last) => {
  const numberOf = (address: string) =>
    address.split('.').reduce((number, byte) => number * 256 + Number(byte), 0);
  const addressOf = (number: number) =>
    [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join('.');

  it('is not public, and its neighbours are', () => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
    const neighbours = [numberOf(first) - 1, numberOf(last) + 1];
    const inRange = neighbours.filter((number) => number >= 0 && number < 2 ** 32);
    expect(inRange.map(addressOf).map(isPublicAddress)).toEqual(inRange.map(() => true));
  });
});

it.each([
  ...['::', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'].map(
    (address) => [address, false] as const,
  ),
  ['1fff:ffff:ffff::', false],
  ['2000::', true],
  ['2000:ffff:ffff::', true],
  ['2001::', false],
  ['2001:1ff:ffff::', false],
  ['2001:200::', true],
  ['2001:db7:ffff::', true],
  ['2001:db8:ffff:ffff::', false],
  ['2001:db9::', true],
  ['2002::', false],
  ['2002:ffff:ffff::', false],
  ['2003::', true],
  ['3ffe:ffff:ffff::', true],
  ['3fff::', false],
  ['3fff:fff:ffff::', false],
  ['3fff:1000::', true],
  ['3fff:ffff:ffff::', true],
  ['4000::', false],
  ['localhost', false],
] as const)('the address %s is public: %j', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

describe('the outbox on SQLite', () => {
  let connection: DatabaseSync;
  outboxConformance({
    async open() {
      connection = new DatabaseSync(':memory:');
      return [sqliteOutbox(connection), sqliteOutbox(connection)];
    },
    async rollBack(use) {
      connection.exec('BEGIN');
      await use(connection);
      connection.exec('ROLLBACK');
    },
  });
});

const CONTRACT = loadedContract(`
paths:
  /toys:
    post:
      operationId: addToy
      responses: {'201': {description: ok}}
      callbacks:
        sold:
          '{$request.body#/notify}?toy={$response.body#/id}':
            post: {requestBody: {content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer, format: int64}}}}}}, responses: {'204': {description: ok}}}
webhooks:
  added:
    post:
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer, format: int64}, name: {type: string, maxLength: 9}, key: {type: string, writeOnly: true}}}}}
      responses: {'204': {description: ok}}
`);

interface Hooks {
  added: {
    post: {
      requestBody: { content: { 'application/json': { id: bigint; name?: string } } };
      responses: object;
    };
  };
}

async function sender(options: Partial<WebhookOptions<DatabaseSync>> = {}) {
  const connection = new DatabaseSync(':memory:');
  const webhooks = await createWebhooks<Hooks, DatabaseSync>({
    ...{ contract: CONTRACT, outbox: sqliteOutbox(connection), secrets: () => [SECRET] },
    ...{ addresses: 'any', pollMs: 5, retryDelaysMs: [1, 1], timeoutMs: 2_000 },
    ...options,
  });
  ends.push(() => webhooks.stop());
  const rows = () =>
    connection.prepare('SELECT id, attempts, due_at, failure FROM stubwright_outbox').all();
  return { webhooks, connection, rows };
}

const ID = 9223372036854775807n;

describe('a webhook', () => {
  it('is sent again after the delays of Standard Webhooks, and given up after three days', async () => {
    const { url } = await receiver((_, res) => res.writeHead(500).end());
    const { webhooks, connection } = await sender({ retryDelaysMs: undefined });
    const delays: number[] = [];
    webhooks.events.on('failed', (_, { dueAt }) => {
      delays.push(dueAt - Date.now());
      connection.exec('UPDATE stubwright_outbox SET due_at = 0');
    });
    await webhooks.send('added', url, { id: ID, name: 'a' });
    webhooks.start();
    await once(webhooks.events, 'givenUp');
    const [second, minute, hour] = [1_000, 60_000, 3_600_000];
    const expected = [
      ...[5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour],
      ...[20 * hour, 24 * hour],
    ];
    expect(delays).toHaveLength(expected.length);
    const isNear = (delay: number, at: number) =>
      delay > 0.85 * expected[at]! && delay <= Math.min(1.1 * expected[at]!, 24 * hour);
    expect(delays.filter((delay, at) => !isNear(delay, at))).toEqual([]);
  });

  it('is signed, exact, and removed from the outbox when it is delivered', async () => {
    const { url, received } = await receiver();
    const { webhooks, rows } = await sender();
    const id = await webhooks.send('added', `${url}/hook?a=b`, { id: ID, name: 'né' });
    expect(rows()).toMatchObject([{ id, attempts: 0 }]);
    webhooks.start();
    const [message, { status }] = await once(webhooks.events, 'delivered');
    expect([message.id, message.attempt, status]).toEqual([id, 1, 204]);
    expect(received).toMatchObject([
      {
        url: '/hook?a=b',
        body: `{"id":${ID},"name":"né"}`,
        headers: { 'content-type': 'application/json' },
      },
    ]);
    expect(verifyWebhook({ ...received[0]!, secrets: [SECRET] })).toBe(id);
    expect(rows()).toEqual([]);
  });

  it('that violates the contract is not stored', async () => {
    const { webhooks, rows } = await sender();
    const send = (body: object) => webhooks.send('added', 'http://a.example/', body as never);
    await expect(send({ id: 2n ** 63n })).rejects.toThrow(InvalidReply);
    await expect(send({ id: 1n, name: 'longer than 9' })).rejects.toThrow('/name');
    await expect(send({})).rejects.toThrow('/id');
    await expect(webhooks.send('addd' as never, 'http://a.example/', {} as never)).rejects.toThrow(
      'expected a webhook or callback of the contract (added, addToy sold)',
    );
    await expect(webhooks.send('added', 'file:///etc/passwd', { id: 1n })).rejects.toThrow('http');
    expect(rows()).toEqual([]);
  });

  it('is sent again under the same id, then given up', async () => {
    const { url, received } = await receiver((_, res) => res.writeHead(500).end());
    const { webhooks, rows } = await sender();
    webhooks.start();
    const id = await webhooks.send('added', url, { id: 1n });
    const [, { reason, status }] = await once(webhooks.events, 'givenUp');
    expect([reason, status]).toEqual(['status 500', 500]);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id]);
    expect(rows()).toMatchObject([{ id, attempts: 3, due_at: null, failure: 'status 500' }]);
  });

  it('waits as long as Retry-After asks', async () => {
    const { url } = await receiver((_, res) => res.writeHead(503, { 'Retry-After': '100' }).end());
    const { webhooks } = await sender();
    webhooks.start();
    const before = Date.now();
    await webhooks.send('added', url, { id: 1n });
    const [, { dueAt }] = await once(webhooks.events, 'failed');
    expect(dueAt - before).toBeGreaterThanOrEqual(100_000);
  });

  it('follows no redirect', async () => {
    const target = await receiver();
    const { url } = await receiver((_, res) => res.writeHead(307, { Location: target.url }).end());
    const { webhooks } = await sender({ retryDelaysMs: [] });
    webhooks.start();
    await webhooks.send('added', url, { id: 1n });
    expect((await once(webhooks.events, 'givenUp'))[1]).toMatchObject({ reason: 'status 307' });
    expect(target.received).toEqual([]);
  });

  it('to an address that is not public is given up by default, at once', async () => {
    const { url, received } = await receiver();
    const { webhooks } = await sender({ addresses: undefined });
    webhooks.start();
    await webhooks.send('added', url, { id: 1n });
    const [{ attempt }, { reason }] = await once(webhooks.events, 'givenUp');
    expect([attempt, reason]).toEqual([1, 'the address is not public']);
    expect(received).toEqual([]);
  });

  it('without a response fails after its time', async () => {
    const { url } = await receiver(() => {});
    const { webhooks } = await sender({ timeoutMs: 50, retryDelaysMs: [] });
    webhooks.start();
    await webhooks.send('added', url, { id: 1n });
    const [, { reason }] = await once(webhooks.events, 'givenUp');
    expect(reason).toBe('no response in 50 ms');
  });

  it('is sent again if its secrets do not arrive, which delays neither others nor a stop', async () => {
    const { url, received } = await receiver();
    const never = new Promise<string[]>(() => {});
    const { webhooks } = await sender({
      ...{ timeoutMs: 50, concurrency: 1, retryDelaysMs: Array(1000).fill(1) },
      secrets: ({ url: to }) => (to.endsWith('/never') ? never : [SECRET]),
    });
    webhooks.start();
    await webhooks.send('added', `${url}/never`, { id: 1n });
    const [, { reason }] = await once(webhooks.events, 'failed');
    expect(reason).toBe('the secrets did not arrive in time');
    await webhooks.send('added', url, { id: 2n });
    await once(webhooks.events, 'delivered');
    expect(received).toHaveLength(1);
    await webhooks.stop();
  });

  it('is sent although a listener throws', async () => {
    const { url, received } = await receiver();
    const { webhooks, rows } = await sender();
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    ends.push(() => warn.mockRestore());
    webhooks.events.on('delivered', () => {
      throw new Error('a defect of a listener');
    });
    webhooks.start();
    for (const id of [1n, 2n]) await webhooks.send('added', url, { id });
    while (rows().length > 0) await new Promise((next) => setTimeout(next, 5));
    expect(received).toHaveLength(2);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('a defect of a listener'));
  });

  it('stays in the outbox at a stop, and is sent after the next start', async () => {
    const { url, received } = await receiver();
    const { webhooks, rows } = await sender();
    webhooks.start();
    await webhooks.stop();
    await webhooks.send('added', url, { id: 1n });
    expect(rows()).toHaveLength(1);
    webhooks.start();
    await once(webhooks.events, 'delivered');
    expect(received).toHaveLength(1);
  });

  it('goes on when the outbox was away', async () => {
    const { url } = await receiver();
    const own = sqliteOutbox(new DatabaseSync(':memory:'));
    let isAway = true;
    const { webhooks } = await sender({
      outbox: {
        ...own,
        claim: (limits: Parameters<typeof own.claim>[0]) =>
          isAway ? Promise.reject(new Error('away')) : own.claim(limits),
      },
    });
    await webhooks.send('added', url, { id: 1n });
    webhooks.start();
    const [error] = await once(webhooks.events, 'outboxFailed');
    expect(error.message).toBe('away');
    isAway = false;
    await once(webhooks.events, 'delivered');
  });

  it.each([
    ['delivered', 204],
    ['givenUp', 410],
  ] as const)('is not reported as %s before the outbox has stored that', async (event, status) => {
    const { url, received } = await receiver((_, res) => res.writeHead(status).end());
    const own = sqliteOutbox(new DatabaseSync(':memory:'));
    const away = () => Promise.reject(new Error('away'));
    const { webhooks } = await sender({ outbox: { ...own, delivered: away, giveUp: away } });
    const reported = jest.fn();
    webhooks.events.on(event, reported);
    // A stop ends the repetitions.
    webhooks.events.on('outboxFailed', () => webhooks.stop());
    await webhooks.send('added', url, { id: 1n });
    webhooks.start();
    await once(webhooks.events, 'outboxFailed');
    await webhooks.stop();
    expect(received).toHaveLength(1);
    expect(reported).not.toHaveBeenCalled();
  });

  it('is one of many, of which few are sent at once, each once', async () => {
    let open = 0;
    let most = 0;
    const { url, received } = await receiver((_, res) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        res.writeHead(204).end();
      });
    });
    const { webhooks, rows } = await sender({ concurrency: 3 });
    const all = Array.from({ length: 40 }, (_, at) =>
      webhooks.send('added', url, { id: BigInt(at) }),
    );
    const ids = await Promise.all(all);
    let left = 40;
    const done = new Promise<void>((resolve) =>
      webhooks.events.on('delivered', () => {
        if (--left === 0) resolve();
      }),
    );
    webhooks.start();
    await done;
    expect(received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(ids.sort());
    expect(most).toBeLessThanOrEqual(3);
    expect(rows()).toEqual([]);
  });
});

describe('a callback', () => {
  it('is sent to the URL of its runtime expression', async () => {
    const { url, received } = await receiver();
    const { webhooks } = await sender();
    webhooks.start();
    const source = { request: { body: { notify: `${url}/n` } }, response: { body: { id: ID } } };
    await webhooks.sendCallback('addToy sold', source, { id: ID });
    await once(webhooks.events, 'delivered');
    expect(received).toMatchObject([{ url: `/n?toy=${ID}`, body: `{"id":${ID}}` }]);
  });

  it('without a value for its expression is not stored', async () => {
    const { webhooks, rows } = await sender();
    const send = webhooks.sendCallback('addToy sold', { request: { body: {} } }, { id: ID });
    await expect(send).rejects.toThrow('$request.body#/notify: expected a string or a number');
    expect(rows()).toEqual([]);
  });
});

describe('a delivery', () => {
  const message = (url: string): ClaimedMessage => ({
    ...{ id: 'a', name: 'added', url, method: 'POST', type: 'text/plain', body: 'b' },
    ...{ dueAt: 0, attempt: 1 },
  });
  const options = (addresses: 'public' | 'any', signal = new AbortController().signal) => ({
    ...{ secrets: [SECRET], addresses, signal },
  });
  const failure = { outcome: 'failed', status: undefined, retryAfterMs: undefined };

  it.each(['ftp://a.example', 'mailto:a', 'no url'])('to %s is final', async (url) => {
    const reason = 'expected an http URL';
    expect(await deliver(message(url), options('any'))).toEqual({
      ...failure,
      reason,
      isFinal: true,
    });
  });

  it.each([...['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', 'localhost']])(
    'to http://%s:9 is final for public addresses only',
    async (host) => {
      const url = `http://${host}:9`;
      const reason = 'the address is not public';
      const refused = await deliver(message(url), options('public'));
      expect(refused).toEqual({ ...failure, reason, isFinal: true });
      expect(await deliver(message(url), options('any'))).toEqual({
        ...{ ...failure, reason: 'ECONNREFUSED', isFinal: false },
      });
    },
  );

  it('is not begun after its signal', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    const delivery = await deliver(message('http://127.0.0.1:9'), options('any', signal));
    expect(delivery).toEqual({ ...failure, reason: 'too late', isFinal: false });
  });

  it.each<
    [status: number, retryAfter: string | undefined, waitMs: readonly [number, number] | undefined]
  >([
    [503, undefined, undefined],
    [503, '100', [100_000, 100_000]],
    [503, '0', [0, 0]],
    [429, new Date(Date.now() + 86_400_000).toUTCString(), [80_000_000, 86_400_000]],
    [503, new Date(0).toUTCString(), [0, 0]],
    [503, 'soon', undefined],
    [410, undefined, undefined],
    [302, undefined, undefined],
  ])('of status %d with Retry-After %s fails', async (status, retryAfter, waitMs) => {
    const headers = retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
    const { url } = await receiver((_, res) => res.writeHead(status, headers).end());
    const delivery = await deliver(message(url), options('any'));
    expect(delivery).toMatchObject({
      ...{ outcome: 'failed', status, reason: `status ${status}`, isFinal: status === 410 },
    });
    const { retryAfterMs } = delivery as { retryAfterMs?: number };
    if (waitMs === undefined) expect(retryAfterMs).toBeUndefined();
    else {
      expect(retryAfterMs).toBeGreaterThanOrEqual(waitMs[0]);
      expect(retryAfterMs).toBeLessThanOrEqual(waitMs[1]);
    }
  });

  it('succeeds although the response does not end', async () => {
    const server = await hostileServer(INVALID_BODY['a body that never ends']!);
    ends.push(() => server.close());
    const delivery = await deliver(message(`http://127.0.0.1:${server.port}`), options('any'));
    expect(delivery).toEqual({ outcome: 'delivered', status: 200 });
  });

  it.each([200, 204, 299])('of status %d succeeds', async (status) => {
    const { url } = await receiver((_, res) => res.writeHead(status).end());
    expect(await deliver(message(url), options('any'))).toEqual({ outcome: 'delivered', status });
  });
});
