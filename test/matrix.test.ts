// Features of contracts (rows), and the ways in which requests and contracts meet them (columns): each cell has a case or a reason.
import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compare } from '@stubwright/diff';
import { loadContract, type Service, startService } from '@stubwright/service';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { verifyWebhook } from 'stubwright/webhooks';
import { parse, stringify } from 'yaml';
import { startedFiles } from '../packages/cli/src/project/layout.ts';
import { type RoundTrips, roundTripsOf } from '../packages/cli/src/serving/roundTrips.ts';
import { contractOf as definitionOf } from '../packages/cli/test/serving/compiled.ts';
import { type RunningCommand, startCommand } from '../packages/cli/test/support/command.ts';
import { createEmptyProject, type ToyProject } from '../packages/cli/test/support/toyProject.ts';
import { contractOf, converters, PROPERTIES, SECRET, serviceIn } from './support/matrix.ts';

const ROWS = [
  ...['idempotency', 'conditions', 'patch', 'pages', 'rate limits'],
  ...['multipart', 'events', 'webhooks', 'security'],
] as const;
type Row = (typeof ROWS)[number];
const COLUMNS = [
  ...[
    'current',
    'older version',
    'call',
    'replay',
    'round trip',
    'diff',
    'mock',
    'client',
    'image',
  ],
  ...['init --store', 'mock --no-validation', 'Worker', 'overlay', 'older version, overlay'],
] as const;
type Column = (typeof COLUMNS)[number];

/** The operation that has the feature. */
const OPERATIONS: Record<Row, string> = {
  idempotency: 'addToy',
  conditions: 'putToy',
  patch: 'patchToy',
  pages: 'listToys',
  'rate limits': 'countToys',
  multipart: 'importToy',
  events: 'watchToys',
  webhooks: 'sellToy',
  security: 'removeToy',
};

/** A case, or the reason for none. */
type Cell = (() => Promise<void>) | string;

// Requests over HTTP

interface Target {
  readonly url: string;
  /** Before the path of each operation. */
  readonly prefix?: string;
  /** Of a toy; by default that of the current version. */
  readonly property?: string;
  /** Makes the callers of a cell its own. */
  readonly cell: string;
  /** Its handlers are mocked, but the features of the engine are not. */
  readonly isMocked?: boolean;
  /** Instead of a request over HTTP. */
  readonly handle?: ((request: Request) => Promise<Response>) | undefined;
}

const propertyOf = ({ property = PROPERTIES['2.0.0'] }: Target) => property;

const CALLERS = ['ann', 'bob', 'reader'] as const;
type Caller = (typeof CALLERS)[number];
const tokenOf = (cell: string, caller: Caller) => `matrix-${cell.replaceAll(/\W/g, '-')}-${caller}`;

const tokensOf = (columns: readonly Column[]) =>
  columns.flatMap((column) =>
    ROWS.flatMap((row) =>
      CALLERS.map((caller) => {
        const token = tokenOf(`${column} ${row}`, caller);
        return `${token} name=${token}${caller === 'reader' ? '' : ' scope=write'}`;
      }),
    ),
  );

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly caller?: Caller | undefined;
}

function senderTo({ url, prefix = '', cell, handle = fetch }: Target) {
  return async (path: string, { method, headers, body, ...sent }: Sent = {}) => {
    const isJson = body !== undefined && !(body instanceof FormData);
    const caller = 'caller' in sent ? sent.caller : 'ann';
    const request = new Request(`${url}${prefix}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(caller && { authorization: `Bearer ${tokenOf(cell, caller)}` }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
    });
    const response = await handle(request);
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    const value = /json/.test(type) ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body: value };
  };
}

const statuses = (answers: readonly { readonly status: number }[]) =>
  answers.map(({ status }) => status);

const HTTP: Record<Row, (target: Target) => Promise<void>> = {
  async idempotency(target) {
    const send = senderTo(target);
    const add = (value: string, caller: Caller = 'ann', key = 'k') =>
      send('/toys', {
        ...{ caller, body: { [propertyOf(target)]: value } },
        headers: { 'idempotency-key': key },
      });
    const [first, again, other] = [await add('x'), await add('x'), await add('y')];
    expect(statuses([first, again, other])).toEqual([201, 201, 422]);
    expect(again.body).toEqual(first.body);
    const replayed = [first, again].map(({ headers }) => headers.get('idempotency-replayed'));
    expect(replayed).toEqual([null, 'true']);
    // A mock accepts any credentials, and has one caller.
    if (target.isMocked) return;
    const { body } = await add('y', 'bob');
    expect([first.body, body]).toEqual(
      ['x', 'y'].map((value) => ({ [propertyOf(target)]: value })),
    );
  },
  async conditions(target) {
    const send = senderTo(target);
    const path = `/toys/${target.cell.replaceAll(' ', '-')}`;
    const put = (tag: string | undefined) =>
      send(path, {
        ...{ method: 'PUT', body: { [propertyOf(target)]: 'y' } },
        headers: tag === undefined ? {} : { 'if-match': tag },
      });
    // An operation that calls another one has no GET of its own here.
    let tag = '"1"';
    if (target.prefix === undefined) {
      const read = await send(path);
      tag = read.headers.get('etag')!;
      if (!target.isMocked) expect(tag).toBe('"1"');
      expect((await send(path, { headers: { 'if-none-match': tag } })).status).toBe(304);
    }
    const wrong = await put('"0"');
    const written = await put(tag);
    expect(statuses([await put(undefined), wrong, written])).toEqual([428, 412, 200]);
    if (target.isMocked) return;
    expect([written.headers.get('etag'), written.body]).toEqual([
      ...['"2"', { [propertyOf(target)]: 'y' }],
    ]);
    expect((await put(tag)).status).toBe(412);
  },
  async patch(target) {
    const send = senderTo(target);
    const patch = (body: object) =>
      send(`/toys/${target.cell.replaceAll(' ', '-')}`, {
        ...{ method: 'PATCH', body, headers: { 'content-type': 'application/merge-patch+json' } },
      });
    const patched = await patch({ [propertyOf(target)]: 'y' });
    expect(statuses([patched, await patch({ [propertyOf(target)]: 5 })])).toEqual([
      ...[200, target.isMocked ? 200 : 422],
    ]);
    if (target.isMocked) return;
    expect(patched.body).toEqual({ [propertyOf(target)]: 'y', count: 7 });
    expect((await patch({ count: null })).body).toEqual({ [propertyOf(target)]: 'y' });
  },
  async pages(target) {
    const send = senderTo(target);
    expect((await send('/toys?limit=0')).status).toBe(400);
    const first = (await send('/toys?limit=2')).body;
    if (target.isMocked) return;
    expect((await send('/toys?cursor=forged')).status).toBe(400);
    expect(first.toys).toEqual([
      { [propertyOf(target)]: 'a', count: 1 },
      { [propertyOf(target)]: 'b', count: 2 },
    ]);
    const second = (await send(`/toys?limit=2&cursor=${first.next}`)).body;
    expect(second).toEqual({ toys: [{ [propertyOf(target)]: 'c', count: 3 }] });
  },
  async 'rate limits'(target) {
    const send = senderTo(target);
    const answers = [await send('/count'), await send('/count'), await send('/count')];
    expect(statuses(answers)).toEqual([200, 200, 429]);
    expect((await send('/count', { caller: 'bob' })).status).toBe(200);
    if (!target.isMocked) expect(answers[0]!.body).toBe(3);
  },
  async multipart(target) {
    const send = senderTo(target);
    const form = (value: unknown) => {
      const body = new FormData();
      const toy = JSON.stringify({ [propertyOf(target)]: value });
      body.append('toy', new Blob([toy], { type: 'application/json' }));
      body.append('picture', new Blob(['abc']), 'p.png');
      return body;
    };
    const read = await send('/import', { body: form('x') });
    expect(statuses([read, await send('/import', { body: form(5) })])).toEqual([200, 400]);
    if (!target.isMocked) expect(read.body).toEqual({ [propertyOf(target)]: 'x', count: 3 });
  },
  async events(target) {
    const { status, headers, body } = await senderTo(target)('/events');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const items = [...body.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data));
    if (!target.isMocked) expect(items).toEqual([{ [propertyOf(target)]: 'x' }]);
    else expect(items[0]).toMatchObject({ [propertyOf(target)]: 'x' });
  },
  async webhooks(target) {
    const property = propertyOf(target);
    const message = Promise.withResolvers<string>();
    const server = createServer(async (request, response) => {
      const body = await textOf(request);
      response.writeHead(204).end();
      try {
        verifyWebhook({ headers: request.headers, body, secrets: [SECRET] });
        message.resolve(body);
      } catch (error) {
        message.reject(error);
      }
    });
    await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
    try {
      const notify = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const body = { toy: { [property]: 'x' }, notify };
      const invalid = { ...body, toy: { [property]: 5 } };
      const send = senderTo(target);
      expect((await send('/sales', { body: invalid })).status).toBe(400);
      expect((await send('/sales', { body })).status).toBe(204);
      // Webhooks have no older version.
      expect(JSON.parse(await message.promise)).toEqual({ title: 'x' });
    } finally {
      server.close();
      server.closeAllConnections();
    }
  },
  async security(target) {
    const send = senderTo(target);
    const remove = (caller: Caller | undefined) =>
      send('/toys/other', { method: 'DELETE', caller });
    const answers = [await remove(undefined), await remove('reader'), await remove('ann')];
    expect(statuses(answers)).toEqual([401, 403, 204]);
  },
};

// The project, and what is started of it

const ENV = { PORT: '0', LOG_LEVEL: 'silent', LAG_LIMIT: '60000' };
let project: ToyProject;
const ends: (() => unknown)[] = [];

async function started(folder: string, columns: readonly Column[], env = {}): Promise<Service> {
  const { service } = await import(pathToFileURL(join(folder, 'src/service.ts')).href);
  const settings = { ...ENV, ...env };
  const found = await startService({
    ...{ ...service, env: settings, tokens: tokensOf(columns) },
    contract: await loadContract(join(folder, 'generated/contract.json'), {
      isMocked: false,
    }),
    compatibility: join(folder, 'compatibility.yaml'),
  });
  ends.push(() => found.stop());
  return found;
}

const once = <Value>(make: () => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
};

const expectSuccessIn =
  ({ run }: ToyProject) =>
  async (...args: [string, ...string[]]): Promise<void> => {
    const { status, out, err } = await run(...args);
    expect(status === 0 ? '' : `${args.join(' ')}: ${out}${err}`).toBe('');
  };
const expectSuccess = (...args: [string, ...string[]]) => expectSuccessIn(project)(...args);

/** A project with the contract 2.0.0, which serves 1.0.0 too. @param write of a contract */
async function versioned(write: (project: ToyProject, contract: string) => void) {
  const project = createEmptyProject();
  ends.push(() => project.remove());
  const expectSuccess = expectSuccessIn(project);
  project.write('package.json', '{"type":"module"}');
  symlinkSync(resolve('node_modules'), join(project.path, 'node_modules'));
  project.write(
    'src/service.ts',
    `import { serviceIn } from '${resolve('test/support/matrix.ts')}';
export const service = serviceIn(\`\${import.meta.dirname}/..\`);
`,
  );
  write(project, contractOf('1.0.0'));
  await expectSuccess('release', '--no-client');
  write(project, contractOf('2.0.0'));
  await expectSuccess('serve-version', '1.0.0', '--path', '/v1');
  await expectSuccess('generate');
  project.write(
    'src/versions/1.0.0.ts',
    `export { versionConverters as converters } from '${resolve('test/support/matrix.ts')}';\n`,
  );
  return project;
}

beforeAll(async () => {
  project = await versioned((own, contract) => own.write('openapi.yaml', contract));
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const IN_PROCESS: readonly Column[] = ['current', 'older version', 'call', 'client'];
const service = once(() => started(project.path, IN_PROCESS));

/** What a Dockerfile copies, in a folder of its own. */
const image = once(async () => {
  const copy = temporaryFolder();
  ends.push(() => copy.remove());
  for (const { path, isOptional } of startedFiles({ hasStore: false })) {
    if (isOptional && !existsSync(join(project.path, path))) continue;
    cpSync(join(project.path, path), join(copy.path, path), { recursive: true });
  }
  writeFileSync(join(copy.path, 'package.json'), project.read('package.json'));
  symlinkSync(resolve('node_modules'), join(copy.path, 'node_modules'));
  return started(copy.path, ['image'], {
    ...{ NODE_ENV: 'production', CURSOR_SECRET: 'a-secret-of-at-least-32-characters' },
  });
});

async function startMock(...options: readonly string[]): Promise<RunningCommand> {
  const args = ['mock', 'openapi.yaml', '--port', '0', ...options];
  const found = await startCommand(args, /^mock {1,2}(http\S+)/m, { cwd: project.path });
  ends.push(() => found.stop());
  return found;
}
const mock = once(() => startMock());
const lenientMock = once(() => startMock('--no-validation'));

/** An overlay writes all but the version of the contract. */
const overlaid = once(async () => {
  const own = await versioned(({ write }, contract) => {
    const { openapi, info, ...rest } = parse(contract);
    write('openapi.yaml', stringify({ openapi, info, paths: {} }));
    const actions = [{ target: '$', update: rest }];
    const title = { title: 'Features', version: '1' };
    write('features.yaml', stringify({ overlay: '1.1.0', info: title, actions }));
    write('stubwright.yaml', 'overlays: [features.yaml]\n');
  });
  return started(own.path, ['overlay', 'older version, overlay']);
});

/** The entry of a Worker: the bundle as an object, and no service. */
const worker = once(async () => {
  const text = project.read('generated/contract.json');
  const { handlers, idempotency, open } = serviceIn(project.path);
  const { services, store } = await open();
  ends.push(() => store.close());
  const api = await createApi({
    ...{ contract: JSON.parse(text), handlers, idempotency: idempotency(services) },
    context: () => services,
    cursorSecrets: ['a-secret-of-at-least-32-characters'],
    verifiers: {
      oauth: async (token) => ({ name: token, scopes: /-reader$/.test(token) ? [] : ['write'] }),
    },
  });
  return fetchHandler(api);
});

async function initialized(name: string, contract: string): Promise<Service> {
  const folder = join(project.path, name);
  project.write(`${name}.yaml`, contract);
  await expectSuccess('init', `${name}.yaml`, name, '--store', 'sqlite', '--no-install');
  return started(folder, ['init --store'], { DATABASE_URL: `sqlite:${folder}/toys.db` });
}

/** Its only handler that is not mocked has a limit, and requires a scope. */
const stored = once(() => {
  const own =
    'operationId: addToy\n      x-rate-limit: {requests: 2, window: 1h}\n      security: [{oauth: [write]}]';
  // A contract with keys or webhooks gets no storing handler.
  const contract = contractOf('2.0.0')
    .replace('x-idempotency: {ttl: 1h}, ', '')
    .replace(/^webhooks:\n(?: .*\n)+/m, '');
  return initialized('stored', contract.replace('operationId: addToy', own));
});

/** @returns the statuses of creates by these callers */
const storedBy = async (row: Row, callers: readonly (Caller | undefined)[]) => {
  const send = senderTo({ url: (await stored()).url, cell: `init --store ${row}` });
  const headers = { 'idempotency-key': 'k' };
  const found: number[] = [];
  for (const caller of callers) {
    found.push((await send('/toys', { caller, headers, body: { title: row } })).status);
  }
  return found;
};

const replayed = once(async () => {
  const { out } = await project.run('replay', '--format', 'json');
  return JSON.parse(out);
});

// The columns

type CellsOf = (row: Row) => Cell;

/** A column that sends the requests of each row to one target. */
const to =
  (column: Column, target: () => Promise<Omit<Target, 'cell'>>): CellsOf =>
  (row) =>
  async () =>
    HTTP[row]({ ...(await target()), cell: `${column} ${row}` });

const olderOf = ({ url }: Pick<Service, 'url'>) => ({
  ...{ url: `${url}/v1`, property: PROPERTIES['1.0.0'] },
});

/** The requests of 1.0.0, to the operation itself and to the one that calls it. */
const replay: CellsOf = (row) => async () => {
  const { conversations } = await replayed();
  const name = OPERATIONS[row];
  const own = conversations.filter((each: { name: string }) =>
    RegExp(`^${name}(?:Once)? `).test(each.name),
  );
  const outcomes = own.map(({ name, outcome, failures }: Record<string, unknown>) => ({
    ...{ name, outcome, failures },
  }));
  expect(outcomes).toEqual(
    [name, `${name}Once`].map((each) => ({
      name: `${each} as documented`,
      outcome: 'passed',
      failures: [],
    })),
  );
};

/** Without the converters of components. */
const unconverted = once(() => {
  const { patchToy } = converters().operations;
  const pair = {
    version: '1.0.0',
    older: definitionOf(contractOf('1.0.0', false)),
    newer: definitionOf(contractOf('2.0.0')),
    converters: { operations: { patchToy } } as never,
  };
  return roundTripsOf(pair, () => undefined);
});

/** The values of the operation pass, and where it has toys, not without their converters. */
const roundTrip: CellsOf = (row) => async () => {
  const name = OPERATIONS[row];
  const { roundTrips } = await replayed();
  const findings = roundTrips.flatMap((each: RoundTrips) => each.findings);
  const of = (id: unknown) => id === name || id === `${name}Once`;
  expect(findings.filter(({ operationId }: { operationId: unknown }) => of(operationId))).toEqual(
    [],
  );
  if (row === 'rate limits' || row === 'security') return;
  const found = (await unconverted()).findings.map(({ operationId }) => operationId);
  expect(found).toContain(name);
};

/** A change of the feature, the operation that it affects, and its rule. */
const DIFF: Record<Row, readonly [from: string, to: string, operation: string, rule: string]> = {
  idempotency: ['x-idempotency: {ttl: 1h}, ', '', 'POST /toys', 'idempotency-removed'],
  conditions: ['ETag: {required', 'Tag: {required', 'GET /toys/{id}', 'response-header-removed'],
  // Of the resource that a patch changes.
  patch: [
    ...(['count: {type: integer}', 'count: {type: string}'] as const),
    ...(['PATCH /toys/{id}', 'request-type-changed'] as const),
  ],
  pages: ['x-pagination: {kind', 'x-was: {kind', 'GET /toys', 'pagination-changed'],
  'rate limits': ['{requests: 2,', '{requests: 1,', 'GET /count', 'rate-limit-lowered'],
  multipart: [
    'required: [toy, picture], properties: {',
    'required: [toy, picture, size], properties: {size: {}, ',
    ...(['POST /import', 'request-required-property-added'] as const),
  ],
  events: ['required: [data], ', '', 'GET /events', 'response-property-became-optional'],
  webhooks: ['  toySold:', '  toyBought:', 'webhook toySold', 'webhook-removed'],
  security: [
    ...(['security: [{oauth: [write]}]', 'security: [{oauth: [write, admin]}]'] as const),
    ...(['DELETE /toys/{id}', 'security-requirement-removed'] as const),
  ],
};

const changed: CellsOf = (row) => async () => {
  const [from, to, operation, rule] = DIFF[row];
  const text = contractOf('2.0.0');
  expect(text).toContain(from);
  const { changes } = await compare({ text }, { text: text.replace(from, to) });
  const rules = changes.filter(({ operations }) => operations.includes(operation));
  expect(rules.map(({ rule }) => rule)).toContain(rule);
};

/** An invalid request, and its status if it is not validated. */
const INVALID: Record<Row, readonly [path: string, sent: Sent, status: number]> = {
  idempotency: ['/toys', { headers: { 'idempotency-key': 'i' }, body: { title: 5 } }, 201],
  conditions: [
    ...(['/toys/a', { method: 'PUT', headers: { 'if-match': '*' }, body: { title: 5 } }] as const),
    200,
  ],
  patch: [
    '/toys/a',
    {
      ...{ method: 'PATCH', body: [] },
      headers: { 'content-type': 'application/merge-patch+json' },
    },
    200,
  ],
  pages: ['/toys?limit=0', {}, 200],
  'rate limits': ['/count?unknown=1', {}, 200],
  multipart: ['/import', { body: new FormData() }, 200],
  events: ['/events?unknown=1', {}, 200],
  webhooks: ['/sales', { body: { toy: { title: 5 }, notify: 5 } }, 204],
  security: ['/toys/other?unknown=1', { method: 'DELETE' }, 204],
};

const unvalidated: CellsOf = (row) => async () => {
  const [path, sent, status] = INVALID[row];
  const cell = `mock --no-validation ${row}`;
  const answers = [mock, lenientMock].map(async (start) =>
    senderTo({ url: (await start()).url, cell })(path, sent),
  );
  expect(statuses(await Promise.all(answers))).toEqual([400, status]);
};

// biome-ignore lint/suspicious/noExplicitAny: without generated types
type AnyClient = any;

const clients = once(async () => {
  const { url } = await service();
  const open = async (contract: string, name: string, baseUrl: string) => {
    await expectSuccess('client', contract, name);
    const { createClient } = await import(join(project.path, name, 'index.js'));
    return (cell: string, caller: Caller | undefined): AnyClient =>
      createClient({
        ...{ baseUrl, retries: 0 },
        ...(caller && { oauth: tokenOf(cell, caller) }),
      });
  };
  return {
    title: await open('openapi.yaml', 'client-2.0.0', url),
    name: await open('test/released/1.0.0.yaml', 'client-1.0.0', `${url}/v1`),
  };
});

type Open = (cell: string, caller: Caller | undefined) => AnyClient;

const CLIENT: Record<Row, ((open: Open, property: string) => Promise<void>) | string> = {
  async idempotency(open, property) {
    const toys = open('client idempotency', 'ann');
    const add = () =>
      toys.addToy({ header: { 'Idempotency-Key': property }, body: { [property]: 'x' } });
    const replies = [await add(), await add()];
    expect(replies.map(({ body }) => body)).toEqual([{ [property]: 'x' }, { [property]: 'x' }]);
    expect(replies.map(({ headers }) => headers['Idempotency-Replayed'])).toEqual([
      ...[undefined, true],
    ]);
    expect((await toys.addToy({ body: { [property]: 'x' } })).status).toBe(201);
  },
  async conditions(open, property) {
    const toys = open('client conditions', 'ann');
    const path = { id: `client-${property}` };
    const { headers } = await toys.getToy({ path });
    const put = () =>
      toys.putToy({
        ...{ path, header: { 'If-Match': headers.ETag }, body: { [property]: 'y' } },
      });
    expect(statuses([await put(), await put()])).toEqual([200, 412]);
  },
  async patch(open, property) {
    const toys = open('client patch', 'ann');
    const path = { id: `client-patch-${property}` };
    const { body } = await toys.patchToy({ path, body: { [property]: 'y' } });
    expect(body).toEqual({ [property]: 'y', count: 7 });
  },
  async pages(open, property) {
    const toys = open('client pages', 'ann');
    const found: unknown[] = [];
    for await (const toy of toys.listToys.items({ query: { limit: 2 } })) found.push(toy);
    expect(found).toEqual(['a', 'b', 'c'].map((name, at) => ({ [property]: name, count: at + 1 })));
  },
  async 'rate limits'(open, property) {
    const toys = open('client rate limits', property === 'name' ? 'bob' : 'ann');
    const replies = [await toys.countToys(), await toys.countToys(), await toys.countToys()];
    expect(statuses(replies)).toEqual([200, 200, 429]);
  },
  async multipart(open, property) {
    const toys = open('client multipart', 'ann');
    const body = { toy: { [property]: 'x' }, picture: new Blob(['abc']) };
    expect((await toys.importToy({ body })).body).toEqual({ [property]: 'x', count: 3 });
  },
  async events(open, property) {
    const { body } = await open('client events', 'ann').watchToys();
    const found: unknown[] = [];
    for await (const { data } of body) found.push(data);
    expect(found).toEqual([{ [property]: 'x' }]);
  },
  webhooks: 'a client sends requests; a receiver uses verifyWebhook, as the case of `current` does',
  async security(open) {
    const remove = (caller: Caller | undefined) =>
      open('client security', caller).removeToy({ path: { id: 'other' } });
    expect(statuses([await remove('reader'), await remove('ann')])).toEqual([403, 204]);
    await expect(remove(undefined)).resolves.toMatchObject({ status: 401 });
  },
};

const client: CellsOf = (row) => {
  const test = CLIENT[row];
  if (typeof test === 'string') return test;
  return async () => {
    const { title, name } = await clients();
    await test(title, 'title');
    await test(name, 'name');
  };
};

const imageOf: CellsOf = (row) => async () => {
  const { url } = await image();
  const cell = `image ${row}`;
  // One caller has one limit for both versions.
  if (row !== 'rate limits' && row !== 'idempotency') await HTTP[row]({ url, cell });
  if (row !== 'conditions' && row !== 'patch') {
    await HTTP[row]({ ...olderOf({ url }), cell });
  }
};

/** A column of the same case for each row, but those with a reason or a case of their own. */
const except =
  (usual: CellsOf, others: Partial<Record<Row, Cell>>): CellsOf =>
  (row) =>
    others[row] ?? usual(row);

const CELLS: Record<Column, CellsOf> = {
  current: to('current', service),
  'older version': to('older version', async () => olderOf(await service())),
  call: to('call', async () => ({ ...olderOf(await service()), prefix: '/old' })),
  replay,
  'round trip': roundTrip,
  diff: changed,
  mock: except(
    to('mock', async () => ({ url: (await mock()).url, isMocked: true })),
    {
      'rate limits': 'mocks count nothing',
      webhooks: 'a mock has no handler that sends them',
      async security() {
        const send = senderTo({ url: (await mock()).url, cell: 'mock security' });
        const remove = (caller: Caller | undefined) =>
          send('/toys/bear', { method: 'DELETE', caller });
        // Any credentials are accepted.
        expect(statuses([await remove(undefined), await remove('reader')])).toEqual([401, 204]);
      },
    },
  ),
  client,
  image: imageOf,
  'init --store': except(
    to('init --store', async () => ({ url: (await stored()).url, isMocked: true })),
    {
      async idempotency() {
        const { url } = await initialized('keys', contractOf('2.0.0'));
        const send = senderTo({ url, cell: 'init --store idempotency' });
        const create = (title: string) =>
          send('/toys', { caller: 'ann', headers: { 'idempotency-key': 'k' }, body: { title } });
        expect(
          statuses([await create('bear'), await create('bear'), await create('doll')]),
        ).toEqual([201, 201, 422]);
      },
      async 'rate limits'() {
        const found = await storedBy('rate limits', ['ann', 'ann', 'ann', 'bob']);
        expect(found).toEqual([201, 201, 429, 201]);
      },
      async security() {
        expect(await storedBy('security', [undefined, 'reader', 'ann'])).toEqual([401, 403, 201]);
      },
      webhooks: 'a mocked handler sends none: test/webhookService.test.ts has a service that does',
    },
  ),
  'mock --no-validation': unvalidated,
  Worker: except(
    to('Worker', async () => ({ url: 'http://worker', handle: await worker() })),
    {
      'rate limits': 'a Worker has no service, which counts requests: its platform has limits',
    },
  ),
  overlay: to('overlay', overlaid),
  'older version, overlay': to('older version, overlay', async () => olderOf(await overlaid())),
};

it('has a case or a reason in each cell', () => {
  const cells = COLUMNS.flatMap((column) =>
    ROWS.map((row) => ({ name: `${column}: ${row}`, cell: CELLS[column](row) })),
  );
  const without = cells.filter(({ cell }) => typeof cell !== 'function');
  expect(without).toEqual([
    { name: 'mock: rate limits', cell: 'mocks count nothing' },
    { name: 'mock: webhooks', cell: 'a mock has no handler that sends them' },
    { name: 'client: webhooks', cell: expect.stringContaining('a client sends requests') },
    {
      name: 'init --store: webhooks',
      cell: expect.stringContaining('a mocked handler sends none'),
    },
    { name: 'Worker: rate limits', cell: expect.stringContaining('a Worker has no service') },
  ]);
  for (const cases of [HTTP, DIFF, CLIENT, INVALID, OPERATIONS])
    expect(Object.keys(cases)).toEqual(ROWS);
});

describe.each(COLUMNS)('%s', (column) => {
  for (const row of ROWS) {
    const cell = CELLS[column](row);
    if (typeof cell === 'function') it(row, cell);
  }
});
