// A service whose operation runs once for each idempotency key, to be killed at the worst moments.
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { readSettings, runService, type ServiceOptions, type Settings } from '@stubwright/service';
import { type DataStore, type StoreTransaction, storeIdempotency } from '@stubwright/store';
import {
  type DatabaseSettings,
  openServiceStore,
  readDatabaseSettings,
  storeProblem,
} from '@stubwright/store/service';
import { loadedContract } from '@stubwright/test-support/loadedContract';
import type { DisposableContext, RequestOutcome } from 'stubwright';

export const IDEMPOTENT = loadedContract(`
paths:
  /orders:
    post:
      operationId: order
      parameters:
        - {name: Idempotency-Key, in: header, required: true, x-idempotency: {ttl: 1h}, schema: {type: string}}
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses:
        '201':
          description: ordered
          headers: {Idempotency-Replayed: {schema: {type: string}}}
          content: {application/json: {schema: {type: object}}}
        default: {description: 'no', content: {application/problem+json: {}}}
`);

/** Where the process kills itself if the file exists, once. */
const { KILL_IN_HANDLER = '', KILL_AFTER_COMMIT = '' } = process.env;
/** Where it stops until SIGCONT. */
const { STOP_IN_HANDLER = '' } = process.env;
const { HANDLER_MS = '0', TRANSACTION_MS = '30000' } = process.env;

async function killOnce(file: string): Promise<void> {
  if (!existsSync(file)) return;
  rmSync(file);
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
}

async function stopOnce(file: string): Promise<void> {
  if (!existsSync(file)) return;
  rmSync(file);
  process.kill(process.pid, 'SIGSTOP');
  await sleep(0);
}

class Order implements DisposableContext {
  readonly transaction: StoreTransaction;

  constructor(transaction: StoreTransaction) {
    this.transaction = transaction;
  }

  async [Symbol.asyncDispose](outcome?: RequestOutcome): Promise<void> {
    await this.transaction[Symbol.asyncDispose](outcome);
    if (outcome?.kind === 'replied') await killOnce(KILL_AFTER_COMMIT);
  }
}

interface Services {
  readonly store: DataStore;
}

interface OrderRequest {
  readonly header: Readonly<Record<string, string>>;
}

const service = {
  contract: IDEMPOTENT,
  handlers: {
    async order({ header }: OrderRequest, { transaction }: Order) {
      const effect = randomUUID();
      const insert = 'INSERT INTO effect (id, key) VALUES ($1, $2)';
      await transaction.run(insert, [effect, header['Idempotency-Key']!]);
      await stopOnce(STOP_IN_HANDLER);
      await sleep(Number(HANDLER_MS));
      await killOnce(KILL_IN_HANDLER);
      return { status: 201, body: { effect } };
    },
  },
  readSettings: (env) => ({ ...readSettings(env), ...readDatabaseSettings(env, '') }),
  async open(context) {
    const migrations = pathToFileURL(`${process.env['MIGRATIONS']}/`);
    const resources = await openServiceStore(context, {
      ...{ name: 'orders', migrations, tables: [], patienceMs: 5_000 },
      transactionTimeoutMs: Number(TRANSACTION_MS),
    });
    return { ...resources, services: { store: resources.store } };
  },
  context: async (_request, { store }) => new Order(await store.begin()),
  idempotency: ({ store }) => storeIdempotency(store, ({ transaction }: Order) => transaction),
  toProblem: storeProblem,
} satisfies ServiceOptions<Services, Settings & DatabaseSettings, Order>;

await runService(service);
