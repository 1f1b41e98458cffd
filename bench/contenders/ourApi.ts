// This project's API and store, for the adapters of stubwright.
import type { Server } from 'node:http';
import { createApi } from 'stubwright';
import { handlers } from '../../src/handlers/index.ts';
import type { Services } from '../../src/handlers/services.ts';
import { project } from '../machine.ts';
import { openPlants } from './ourStore.ts';
import { isAuthorized } from './settings.ts';

export async function ourApi<Native>() {
  const plants = await openPlants(process.env.DATABASE_URL!);
  const api = await createApi<Services, Native>({
    // The bundle: reading openapi.yaml would load @stubwright/cli.
    contract: `${project}/generated/contract.json`,
    handlers,
    context: () => ({ plants }),
    verifiers: {
      bearerAuth: (token) => (isAuthorized(`Bearer ${token}`) ? { name: 'bench' } : undefined),
    },
    errors: 'numbered',
  });
  const close = (server: Server) => {
    server.closeAllConnections();
    server.close(async () => {
      await plants.close();
      process.exit();
    });
  };
  return { api, close };
}
