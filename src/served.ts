// A loaded contract -> what answers for it: the engine, wired to the service's parts, and the
// documentation beside it. Listens to nothing.

import { Site } from '../packages/stubwright/src/docs/site.ts';
import {
  createEngine,
  type Engine,
  type EngineOptions,
} from '../packages/stubwright/src/engine/engine.ts';
import { unavailable } from '../packages/stubwright/src/errors/problem.ts';
import type { LoadedContract } from '../packages/stubwright/src/loading/load.ts';
import type { Config } from './config.ts';
import { handlers } from './handlers/index.ts';
import type { Services } from './handlers/services.ts';
import type { Identity } from './identity.ts';
import { openAuthFailures, openRateLimit, openTracing } from './optional.ts';
import { type PlantStore, StoreUnavailable } from './plants/store.ts';
import { tracedStore } from './plants/tracedStore.ts';

/** A contract that answers. */
export interface Served {
  readonly contract: LoadedContract;
  readonly engine: Engine;
  /** Undefined where the documentation is switched off. */
  readonly site: Site | undefined;
  /** What every path starts with. */
  readonly prefix: string;
}

/** When a client that met a 503 may try again. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Wires the parts that every contract of the service shares.
 *
 * @returns makes a contract answer; it throws {ContractFaults} for one that the handlers or the
 *   verifiers do not fit
 */
export async function serving(
  config: Config,
  plants: PlantStore,
  { verify }: Identity,
): Promise<(contract: LoadedContract) => Promise<Served>> {
  const tracing = await openTracing();
  const admit = await openRateLimit(config);
  const authFailures = await openAuthFailures(config);
  const basePath = config.baseUrl?.pathname.replace(/\/+$/, '');
  const shared: Omit<EngineOptions<Services>, 'definition'> = {
    handlers,
    services: { plants: tracing ? tracedStore(plants, tracing.inSpan) : plants },
    step: tracing?.tracedStep,
    verifiers: { bearerAuth: authFailures?.guard(verify) ?? verify },
    realm: 'plants',
    exposesFaults: !config.isProduction,
    mock: config.mock,
    admit,
    basePath,
    toProblem: (error) =>
      error instanceof StoreUnavailable
        ? unavailable('the store cannot be reached, try again', RETRY_AFTER_SECONDS)
        : undefined,
  };
  return async (contract) => {
    const { definition } = contract;
    const engine = await createEngine({ ...shared, definition });
    const prefix = basePath ?? definition.operations[0]?.basePaths[0] ?? '';
    const { baseUrl, contract: path } = config;
    const site =
      config.docs === 'on' ? new Site({ definition, contract: path, baseUrl, prefix }) : undefined;
    return { contract, engine: tracing?.tracedEngine(engine) ?? engine, site, prefix };
  };
}
