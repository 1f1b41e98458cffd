// The service: handlers of 5.0.0, each with a transaction. compatibility.yaml adds the older versions.
import {
  type Environment,
  readSettings,
  type ServiceOptions,
  type Settings,
} from '@stubwright/service';
import type { DataStore } from '@stubwright/store';
import {
  type DatabaseSettings,
  openServiceStore,
  readDatabaseSettings,
  storeProblem,
} from '@stubwright/store/service';
import { handlers } from './handlers.ts';
import { Parcels } from './parcels.ts';

const migrations = new URL('../migrations/', import.meta.url);

export const service = {
  handlers,
  readSettings: (env: Environment) => ({
    ...readSettings(env),
    ...readDatabaseSettings(env, 'sqlite:parcels.db'),
  }),
  async open(context) {
    const resources = await openServiceStore(context, { name: 'parcels', migrations, tables: [] });
    return { ...resources, services: resources.store };
  },
  context: async (_request, store) => new Parcels(await store.begin()),
  toProblem: storeProblem,
} satisfies ServiceOptions<DataStore, Settings & DatabaseSettings, Parcels>;
