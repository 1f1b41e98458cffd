// Composes the service: handlers, verifiers, settings and the store.
import {
  type Environment,
  readSettings,
  type ServiceOptions,
  type Settings,
} from "@stubwright/service";
import {
  type DatabaseSettings,
  openServiceStore,
  readDatabaseSettings,
  storeBlocksAtStart,
  storeProblem,
} from "@stubwright/store/service";
import { handlers } from "./handlers/index.ts";
import type { Services } from "./handlers/services.ts";
import { schema, tablesIn } from "./store.ts";

export const service = {
  handlers,
  verifiers: {{verifiers}},
  readSettings: (env: Environment) => ({
    ...readSettings(env),
    ...readDatabaseSettings(env, "{{databaseUrl}}"),
  }),
  async open(context) {
    const resources = await openServiceStore(context, schema);
    return { ...resources, services: tablesIn(resources.store) };
  },
  toProblem: storeProblem,
  blocksAtStart: storeBlocksAtStart,
} satisfies ServiceOptions<Services, Settings & DatabaseSettings>;
