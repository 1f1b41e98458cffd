// A loaded contract -> what answers for it: the engine and the documentation beside it. Listens to
// nothing.
import { Site } from '../docs/site.ts';
import { createEngine, type Engine, type EngineOptions } from '../engine/engine.ts';
import type { LoadedContract } from '../loading/load.ts';
import type { openTracing } from './optional.ts';
import type { Settings } from './settings.ts';

/** A contract that answers. */
export interface Served {
  readonly contract: LoadedContract;
  readonly engine: Engine;
  /** Undefined where the documentation is switched off. */
  readonly site: Site | undefined;
  /** What every path starts with. */
  readonly prefix: string;
}

/** What the engines of all contracts of a service share; the rest follows from the settings. */
export type Shared<Services> = Pick<
  EngineOptions<Services>,
  'handlers' | 'services' | 'verifiers' | 'realm' | 'admit' | 'toProblem'
>;

/**
 * @returns makes a contract answer; it throws {ContractErrors} for one that the handlers or the
 *   verifiers do not fit
 */
export function serving<Services>(
  settings: Settings,
  shared: Shared<Services>,
  tracing: Awaited<ReturnType<typeof openTracing>>,
): (contract: LoadedContract) => Promise<Served> {
  const { baseUrl, contract: path, docs, isProduction, mock } = settings;
  const basePath = baseUrl?.pathname.replace(/\/+$/, '');
  return async (contract) => {
    const { definition } = contract;
    const engine = await createEngine({
      ...shared,
      definition,
      basePath,
      mock,
      exposesFaults: !isProduction,
      step: tracing?.tracedStep,
    });
    const prefix = basePath ?? definition.operations[0]?.basePaths[0] ?? '';
    const site =
      docs === 'on' ? new Site({ definition, contract: path, baseUrl, prefix }) : undefined;
    return { contract, engine: tracing?.tracedEngine(engine) ?? engine, site, prefix };
  };
}
