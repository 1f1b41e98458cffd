// Composes the service: handlers, verifiers, settings and the store.
import {
  type Environment,
  readSettings,
  type ServiceOptions,
  type Settings,
} from "@stubwright/service";
{{storeImport}}
import {
  type DatabaseSettings,
  openServiceStore,
  readDatabaseSettings,
  storeBlocksAtStart,
  storeProblem,
} from "@stubwright/store/service";
import type { RequestOutcome } from "stubwright";
import { handlers } from "./handlers/index.ts";
import type { Services } from "./handlers/services.ts";
import { schema } from "./store.ts";{{webhookImport}}

interface Opened extends Omit<Services, "transaction"> {
  readonly store: DataStore;
}

export const service = {
  handlers,
  verifiers: {{verifiers}},
  readSettings: (env: Environment) => ({
    ...readSettings(env),
    ...readDatabaseSettings(env, "{{databaseUrl}}"),{{webhookSettings}}
  }),
  async open(context) {
    const resources = await openServiceStore(context, schema);
    const { store } = resources;{{openedWebhooks}}
  },
  async context(_request, { store, ...services }) {
    const transaction = await store.begin();
    return {
      ...services,
      transaction,
      [Symbol.asyncDispose]: (outcome?: RequestOutcome) =>
        transaction[Symbol.asyncDispose](outcome),
    };
  },{{idempotency}}
  toProblem: storeProblem,
  blocksAtStart: storeBlocksAtStart,
} satisfies ServiceOptions<{{types}}>;
