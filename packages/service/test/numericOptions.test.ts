// Numeric options of all public functions: a value out of the range is refused with the name of the option.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { type ConnectionOptions, openConnection, operation } from '@stubwright/client';
import { withReconnection } from '@stubwright/client/reconnect';
import { readSettings, type ServiceOptions, startService } from '@stubwright/service';
import { loadedContract } from '@stubwright/test-support/loadedContract';
import {
  createWebhooks,
  signatureHeaders,
  sqliteOutbox,
  verifyWebhook,
  type WebhookOptions,
} from '@stubwright/webhooks';
import { type ApiOptions, createApi, Problem } from 'stubwright';
import { recorder } from 'stubwright/recording';
import { testClient } from 'stubwright/testing';
import ts from 'typescript';
import { keyTimes } from '../src/operations/auth/jwt.ts';
import { limits } from '../src/server/server.ts';

const SOLD_CONTRACT = loadedContract({
  webhooks: { sold: { post: { operationId: 'sold', requestBody: { content: {} } } } },
});
const SECRET = `whsec_${Buffer.from('a secret of 24 bytes or more').toString('base64')}`;

/** Uses an option with a value of any type. */
type Use = (value: never) => unknown;

const BAD = [Number.NaN, Infinity, -Infinity, -1, '5', '', 5n, null, true, {}, []];
const FRACTIONS = [0.5, 1e-7];

const api = (options: Partial<ApiOptions>) => createApi({ contract: SOLD_CONTRACT, ...options });
const mocks = (mockOptions: ServiceOptions['mockOptions']) => start({ mockOptions });
const webhooks = (options: Partial<WebhookOptions<DatabaseSync>>) => {
  const outbox = sqliteOutbox(new DatabaseSync(':memory:'));
  const secrets = () => [SECRET];
  return createWebhooks({ contract: SOLD_CONTRACT, outbox, secrets, ...options });
};
const callback = { 'http://a.example/{$statusCode}': { post: {} } };
const CALLBACKS = loadedContract({
  paths: { '/toys': { post: { operationId: 'addToy', callbacks: { sold: callback } } } },
});
const MESSAGE = { id: 'a', body: '' };
const received = (toleranceSeconds: number) =>
  verifyWebhook({
    ...{ headers: { ...signatureHeaders(MESSAGE, [SECRET]) }, body: '', secrets: [SECRET] },
    toleranceSeconds,
  });
const client = (options: ConnectionOptions) => openConnection({}, options);
const listToys = operation({ id: 'listToys', method: 'GET', path: '/toys', replies: { 200: {} } });
const calling = (called: typeof listToys) => (options: object) => {
  const connection = client({ fetch: async () => new Response(null, { status: 200 }) });
  return (called as (...args: unknown[]) => unknown)(connection, {}, options);
};
const call = calling(listToys);
const watch = calling(withReconnection(listToys));

/** @returns rows of options of a client and of a call */
function rowsOf(
  type: string,
  names: readonly string[],
  options: (name: string, value: never) => object,
): Record<string, Use[]> {
  const usesOf = (name: string): Use[] => [
    (value) => client(options(name, value)),
    (value) => call(options(name, value)),
  ];
  return Object.fromEntries(names.map((name) => [`${type}.${name}`, usesOf(name)]));
}

/** By the names in the API reports and in `packages/client/src/options.ts`. */
const ROWS: Readonly<Record<string, readonly Use[]>> = {
  'ApiOptions.bodyLimitBytes': [(bodyLimitBytes) => api({ bodyLimitBytes })],
  'ApiOptions.bodyMemoryBytes': [(bodyMemoryBytes) => api({ bodyMemoryBytes })],
  'HandlingOptions.handlerTimeoutMs': [(handlerTimeoutMs) => api({ handlerTimeoutMs })],
  'HandlingOptions.keepAliveMs': [(keepAliveMs) => api({ keepAliveMs })],
  'CorsOptions.maxAgeSeconds': [
    (maxAgeSeconds) => api({ cors: { origins: ['https://a.example'], maxAgeSeconds } }),
  ],
  'Problem.constructor.status': [(status) => new Problem(status, '')],
  'ProblemOptions.number': [(number) => new Problem(409, '', { number })],
  'MockOptions.delayMs': [
    (value) => mocks({ delayMs: [value, 9] }),
    (value) => mocks({ delayMs: [0, value] }),
  ],
  'MockOptions.errorRate': [(errorRate) => mocks({ errorRate })],
  'MockOptions.itemIntervalMs': [(itemIntervalMs) => mocks({ itemIntervalMs })],
  'MockOptions.items': [(items) => mocks({ items })],
  'RecorderOptions.flushMs': [
    (flushMs) => recorder({ file: join(tmpdir(), 'never.jsonl'), flushMs }),
  ],
  'TestClientOptions.maxItems': [
    (maxItems) => testClient({ contract: SOLD_CONTRACT, target: 'http://a.example', maxItems }),
  ],
  'ReceivedWebhook.toleranceSeconds': [received],
  'CallbackSource.status': [
    async (status) =>
      (await webhooks({ contract: CALLBACKS })).sendCallback('addToy sold', { status }, 1),
  ],
  'WebhookOptions.concurrency': [(concurrency) => webhooks({ concurrency })],
  'WebhookOptions.pollMs': [(pollMs) => webhooks({ pollMs })],
  'WebhookOptions.retryDelaysMs': [
    (delay) => webhooks({ retryDelaysMs: [1, delay] }),
    (delays) => webhooks({ retryDelaysMs: Array.isArray(delays) ? ('[]' as never) : delays }),
  ],
  'WebhookOptions.timeoutMs': [(timeoutMs) => webhooks({ timeoutMs })],
  ...rowsOf('CallOptions', ['timeoutMs', 'idleTimeoutMs'], (name, value) => ({ [name]: value })),
  ...rowsOf('RetryOptions', ['limit', 'baseDelayMs', 'maxDelayMs'], (name, value) => ({
    retry: { [name]: value },
  })),
  'ReconnectOptions.limit': [(limit) => watch({ reconnect: { limit } })],
  'ReconnectOptions.delayMs': [(delayMs) => watch({ reconnect: { delayMs } })],
  'RetryOptions.statuses': [(status) => client({ retry: { statuses: [status] } })],
};
const ALLOW_FRACTIONS = ['MockOptions.errorRate', 'ReceivedWebhook.toleranceSeconds'];

/** Results, what callbacks receive, and what the contract or a request decides. */
const NO_OPTIONS = new Set([
  ...['ApiResponse.durationMs', 'ApiResponse.status', 'Problem.number', 'Problem.status'],
  'TestClient.example.operationId',
  ...['RequestOutcome.status', 'UsedPart.count', 'UsageLine.requests', 'UsageLine.responses'],
  ...['UsageLine.valid', 'RequestParts.forEach.use.index', 'OutgoingRequest.attempt'],
  ...['SentResponse.bytes', 'SentResponse.headMs', 'SentResponse.items', 'Store.waiting'],
  ...['ContractViolation.constructor.status', 'ContractViolation.status'],
  'expectIntegers.min',
  // What the sender passes to an outbox, and what it reports.
  ...['ClaimedMessage.attempt', 'OutboxMessage.dueAt', 'Outbox.reschedule.dueAt'],
  ...['limit', 'leaseMs', 'now'].map((name) => `Outbox.claim.limits.${name}`),
  ...['SqliteConnection.prepare.all.values', 'OutboxTransaction.query.values'],
  ...[
    'WebhookEvents.delivered.status',
    'WebhookEvents.failed.dueAt',
    'WebhookEvents.givenUp.status',
  ],
  // What the service passes to a limiter, and what that returns.
  ...['RateLimiter.consume.points', 'RateLimiterLimit.duration', 'RateLimiterLimit.points'],
  ...['RateLimitWindow.msBeforeNext', 'RateLimitWindow.remainingPoints'],
]);

const ENTRIES = [
  ...['index', 'koa', 'node', 'fetch', 'recording', 'testing', 'webhooks'].map(
    (entry) => `stubwright/api/${entry}`,
  ),
  'service/api/index',
];

/** @returns the declarations of an API report */
const reportOf = (entry: string) =>
  /^```ts\r?\n(.*)^```\r?$/ms.exec(readFileSync(`packages/${entry}.api.md`, 'utf8'))![1]!;

/** @returns the names of the numbers in declarations: `Container.member`; without return types */
function numbersIn(text: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node, path: readonly string[]): void => {
    if (node.kind === ts.SyntaxKind.NumberKeyword) names.push(path.join('.'));
    const { name } = node as { name?: ts.Node };
    const unnamed = ts.isConstructorDeclaration(node) ? 'constructor' : undefined;
    const isTupleMember = ts.isNamedTupleMember(node);
    const found = unnamed ?? (name !== undefined && ts.isIdentifier(name) ? name.text : undefined);
    const inner = found === undefined || isTupleMember ? path : [...path, found];
    ts.forEachChild(node, (child) => {
      const isReturned = ts.isFunctionLike(node) && child === node.type;
      const isTypeParameter = ts.isTypeParameterDeclaration(child);
      if (!isTypeParameter && (!isReturned || holdsMembers(child))) visit(child, inner);
    });
  };
  visit(ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true), []);
  return [...new Set(names)];
}

/** A returned object has functions of its own. */
const holdsMembers = (node: ts.Node) => ts.isTypeLiteralNode(node);

it('has a row for each number in the public declarations', () => {
  const declarations = [
    ...ENTRIES.map(reportOf),
    readFileSync('packages/client/src/options.ts', 'utf8'),
  ];
  const names = declarations.flatMap(numbersIn);
  expect(names).toContain('ApiOptions.bodyLimitBytes');
  const rest = names.filter(
    (name) =>
      !(name in ROWS) &&
      !NO_OPTIONS.has(name) &&
      !/^(?:Settings|ServiceEvents|integer)\b/.test(name),
  );
  expect(rest).toEqual([]);
  const unknown = [...Object.keys(ROWS), ...NO_OPTIONS].filter((name) => !names.includes(name));
  expect(unknown).toEqual([]);
});

/** @returns the message of a RangeError, a TypeError or another error; undefined without one */
async function refusal(use: Use, value: unknown): Promise<string | undefined> {
  try {
    const result: unknown = await use(value as never);
    await (result as { close?(): unknown } | undefined)?.close?.();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

async function expectRefused(uses: readonly Use[], name: string, values: readonly unknown[]) {
  for (const use of uses) {
    for (const value of values) {
      const message = await refusal(use, value);
      expect([value, message]).toEqual([value, expect.stringContaining(name)]);
      expect(message).toContain('expected');
    }
  }
}

describe('a number that is invalid is refused for', () => {
  it.each(Object.keys(ROWS))('%s', async (name) => {
    const values = ALLOW_FRACTIONS.includes(name) ? BAD : [...BAD, ...FRACTIONS];
    const option = name.endsWith('constructor.status') ? 'status' : name.split('.').at(-1)!;
    // `null` is no value: `??`.
    const isOptional = ['ProblemOptions.number'].includes(name);
    await expectRefused(
      ROWS[name]!,
      option,
      isOptional ? values.filter((each) => each !== null) : values,
    );
  });
});

/** Every setting that is a number. */
const ALL_SETTINGS = readSettings({
  ...{ ADMIN_PORT: '1', RATE_LIMIT: '1/1s', AUTH_FAILURE_LIMIT: '1/1s' },
  ...{ CONNECTION_LIMIT_PER_ADDRESS: '1', LOG_LEVEL: 'silent', PORT: '0' },
});

/** @returns the paths of the numbers in an object */
function numericPaths(value: object, path: readonly string[] = []): string[][] {
  return Object.entries(value).flatMap(([key, each]) => {
    if (typeof each === 'number') return [[...path, key]];
    const isNested = typeof each === 'object' && each !== null && !(each instanceof URL);
    return isNested ? numericPaths(each, [...path, key]) : [];
  });
}

function withValue(object: object, [key = '', ...rest]: readonly string[], value: unknown): object {
  const inner = (object as Record<string, object>)[key];
  return { ...object, [key]: rest.length === 0 ? value : withValue(inner!, rest, value) };
}

/** The service stops at once if a value is accepted. */
async function start(options: object): Promise<void> {
  const service = await startService({
    ...{ contract: SOLD_CONTRACT, settings: ALL_SETTINGS },
    ...(options as Partial<ServiceOptions>),
  });
  await service.stop();
}

describe.each([
  ['settings', ALL_SETTINGS],
  ['bounds', limits],
  ['keyTimes', keyTimes],
])('a number that is invalid is refused in %s of startService for', (group, values) => {
  it.each(numericPaths(values).map((path) => path.join('.')))('%s', async (name) => {
    const path = name.split('.');
    const use: Use = (value) => start({ [group]: withValue(values, path, value) });
    const allowsFractions = /Seconds$|Share$/.test(name);
    await expectRefused([use], `${group}.${name}`, allowsFractions ? BAD : [...BAD, ...FRACTIONS]);
  });
});

it('refuses dates that are invalid', () => {
  const now = new Date(Number.NaN);
  const headers = { ...signatureHeaders(MESSAGE, [SECRET]) };
  expect(() => signatureHeaders(MESSAGE, [SECRET], now)).toThrow('now: got an invalid date');
  expect(() => verifyWebhook({ headers, body: '', secrets: [SECRET], now })).toThrow('now:');
});

describe('a setting that is not a number is refused for', () => {
  const TEXT = [
    'HOST BASE_URL API_TOKENS API_TOKENS_FILE JWKS_URL JWT_ISSUER JWT_AUDIENCE CONTRACT',
    'INTROSPECTION_URL INTROSPECTION_CLIENT_ID INTROSPECTION_CLIENT_SECRET INTROSPECTION_AUDIENCE',
    'CONTRACT_FOLDERS MOCK DOCS CORS_ORIGINS CORS_CREDENTIALS SUNSET RECORD RECORD_CALLER',
    'RECORD_HASH_KEY LOG_LEVEL NODE_ENV ADMIN_HOST CURSOR_SECRET',
  ].join(' ');
  const read = new Set<string>();
  const env = new Proxy<Record<string, string>>(
    { ADMIN_PORT: '1', CONNECTION_LIMIT_PER_ADDRESS: '1' },
    {
      get(target, name) {
        read.add(String(name));
        return target[String(name)];
      },
    },
  );
  readSettings(env);
  const isNumeric = (name: string) => !TEXT.split(' ').includes(name);
  const INVALID = [
    'NaN',
    'Infinity',
    '-1',
    '0.5',
    '1e3',
    '0x10',
    ' 1',
    '1 ',
    'one',
    '1'.repeat(20),
  ];
  it.each([...read].filter(isNumeric))('%s', (name) => {
    for (const value of INVALID) {
      expect(() => readSettings({ [name]: value })).toThrow(
        new RegExp(`^${name}: got "${value}", expected `),
      );
    }
  });
});
