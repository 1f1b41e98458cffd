// Composes the plant store: handlers, verifiers, settings and the store.
import type { OpenContext, Resources, ServiceOptions } from '@stubwright/service';
import { openServiceStore, storeBlocksAtStart, storeProblem } from '@stubwright/store/service';
import { type Config, DEFAULT_DATABASE_URL, readConfig } from './config.ts';
import { handlers } from './handlers/index.ts';
import type { Services } from './handlers/services.ts';
import { plantsIn } from './store/plants.ts';
import { PLANT_STORE } from './store/schema.ts';

export const service: ServiceOptions<Services, Config> = {
  readSettings: readConfig,
  handlers,
  verifiers: (verify) => ({ bearerAuth: verify }),
  realm: 'plants',
  open,
  toProblem: storeProblem,
  errors: 'numbered',
  blocksAtStart: storeBlocksAtStart,
};

/** @throws {StoreRefused} if the database is unusable */
async function open(context: OpenContext<Config>): Promise<Resources<Services>> {
  const createsFolder = context.settings.databaseUrl === DEFAULT_DATABASE_URL;
  const options = { ...PLANT_STORE, createsFolder, writes: 'creates' };
  const resources = await openServiceStore(context, options);
  return { ...resources, services: { plants: plantsIn(resources.store) } };
}
