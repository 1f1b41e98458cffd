// The service: each request has a transaction, which commits with its reply and its idempotency key.
import {
  type Environment,
  readSettings,
  type ServiceOptions,
  type Settings,
} from '@stubwright/service';
import { type DataStore, storeIdempotency } from '@stubwright/store';
import {
  type DatabaseSettings,
  openServiceStore,
  readDatabaseSettings,
  storeProblem,
} from '@stubwright/store/service';
import { handlers } from './handlers.ts';
import { Orders, placedOrder } from './orders.ts';

const migrations = new URL('../migrations/', import.meta.url);

export const service = {
  handlers,
  readSettings: (env: Environment) => ({
    ...readSettings(env),
    ...readDatabaseSettings(env, 'sqlite:orders.db'),
  }),
  async open(context) {
    const resources = await openServiceStore(context, {
      ...{ name: 'orders', migrations, tables: [placedOrder] },
    });
    return { ...resources, services: resources.store };
  },
  // A customer and a program may have the same name.
  context: async ({ principal }, store) =>
    new Orders(await store.begin(), JSON.stringify([principal!.issuer ?? null, principal!.name])),
  idempotency: (store) => storeIdempotency(store, ({ transaction }: Orders) => transaction),
  verifiers: (verify) => ({ customer: verify, apiKey: verify.forScheme('apiKey') }),
  toProblem: storeProblem,
} satisfies ServiceOptions<DataStore, Settings & DatabaseSettings, Orders>;
