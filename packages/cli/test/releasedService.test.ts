// `stubwright release` and `replay` of a service that assigns its ids, reads forms and keeps its data.
import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { loadContractFiles } from '../src/loading/load.ts';
import { conversationsOf } from '../src/release/conversations.ts';
import { type ReplayOptions, replayReleases } from '../src/replay/replay.ts';
import { createEmptyProject, type ToyProject } from './support/toyProject.ts';

const ORDERS = 'packages/cli/test/support/orders';
/** Responses instead of those of the handlers, by operationId. */
const replaced: Record<string, object> = {};
let project: ToyProject;

beforeAll(async () => {
  project = createEmptyProject();
  cpSync(join(ORDERS, 'openapi.yaml'), join(project.path, 'openapi.yaml'));
  project.write('package.json', '{"type":"module"}');
  Object.assign(globalThis, { replaced });
  const module = `import * as orders from ${JSON.stringify(resolve(ORDERS, 'orders.ts'))};
const { open, ...handlers } = orders;
const replaceable = Object.entries(handlers).map(([name, handler]) => {
  return [name, (...args) => globalThis.replaced?.[name] ?? handler(...args)];
});
export const service = {
  handlers: Object.fromEntries(replaceable),
  verifiers: (verify) => ({ bearer: verify }),
  open: () => open(${JSON.stringify(database())}),
};
`;
  project.write('src/service.ts', module);
  expect(await project.run('release', '--no-client')).toMatchObject({ status: 0, err: '' });
});
afterEach(async () => {
  for (const name of Object.keys(replaced)) delete replaced[name];
  await onFreshDatabase();
});
afterAll(() => project.remove());

function database(): string {
  return join(project.path, 'orders.db');
}

async function onFreshDatabase(): Promise<undefined> {
  rmSync(database(), { force: true });
}

async function replay(options: ReplayOptions = {}) {
  const { report, conversations } = await replayReleases({ cwd: project.path, ...options });
  const statuses = conversations.map(
    ({ name, statuses: all }) => `${name.split(' ')[0]} ${all.map(({ status }) => status).join()}`,
  );
  return { report, statuses };
}

const PASSED = '1 release, 11 conversations, 0 failed';

describe('a release of a service that assigns its ids', () => {
  it('passes on a fresh database, with the values of responses', async () => {
    expect(await replay({ startIn: onFreshDatabase })).toEqual({
      report: PASSED,
      statuses: [
        'createCustomer 201',
        'getCustomer 201,200',
        'listOrders 201,201,200',
        'createOrder 201,201',
        'getOrder 201,201,200',
        'deleteOrder 201,201,204',
        // The contract declares it, since not every order has an invoice.
        'getInvoice 201,201,404',
        'addFile 201,201,201',
        'getFile 201,201,201,200',
        'openCart 201',
        'getCart 201,200',
      ],
    });
  });

  it('passes on a database that keeps what each conversation created', async () => {
    const { report, statuses } = await replay();
    expect(report).toBe(PASSED);
    // The name is taken, and the id of the customer is known from an earlier conversation.
    expect(statuses).toContain('getOrder 409,201,200');
    const stored = new DatabaseSync(database());
    const [file] = stored.prepare('SELECT text FROM files').all();
    stored.close();
    expect(file!['text']).toBe('Delivery note é: %PDF-1.7');
  });

  it('passes on a used database, where no id is known', async () => {
    await replay();
    const { report, statuses } = await replay();
    expect(report).toBe(PASSED);
    expect(statuses).toContain('getOrder 409,422,404');
  });

  it.each([
    ['getOrder', 404],
    ['deleteOrder', 404],
    ['addFile', 404],
    ['getCart', 404],
    ['createOrder', 422],
    ['createCustomer', 400],
  ])('fails if %s responds with %i to the id of a response', async (name, status) => {
    replaced[name] = { status, body: {} };
    const { report } = await replay({ startIn: onFreshDatabase });
    expect(report).toContain(`${name} as documented: status expected 20`);
  });
});

it('records the bytes of a form, the same in each release', async () => {
  const formOf = async () => {
    const { definition } = await loadContractFiles(join(project.path, 'openapi.yaml'));
    const requests = (await conversationsOf(definition)).map(({ requests }) => requests.at(-1)!);
    return requests.find(({ operationId }) => operationId === 'addFile')!;
  };
  const form = await formOf();
  expect(await formOf()).toEqual(form);
  const [, boundary] = /^multipart\/form-data; boundary=(.*)$/.exec(form.headers['Content-Type']!)!;
  const part = (name: string, text: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  const [file, title] = [part('file', '%PDF-1.7'), part('title', 'Delivery note é')];
  const pages = part('pages', '1') + part('pages', '2');
  expect(form.body).toEqual([`${file}${title}${pages}--${boundary}--\r\n`]);
});
