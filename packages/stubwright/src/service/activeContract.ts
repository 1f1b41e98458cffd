// A contract with its engine and its documentation, before any listener.

import type { LoadedContract } from '../contract/bundle.ts';
import { Docs } from '../docs/docs.ts';
import { createEngine, type Engine, type EngineOptions } from '../engine/engine.ts';
import type { openTracing } from './optional.ts';
import type { Settings } from './settings.ts';

export interface ActiveContract {
  readonly contract: LoadedContract;
  readonly engine: Engine;
  /** Undefined where the documentation is switched off. */
  readonly docs: Docs | undefined;
  /** The path that every route starts with. */
  readonly prefix: string;
}

/** What the engines of all contracts of a service share; the rest follows from the settings. */
export type EngineParts<Services> = Pick<
  EngineOptions<Services>,
  'handlers' | 'services' | 'verifiers' | 'realm' | 'admit' | 'toProblem'
>;

/** @throws {ContractErrors} for a contract that the handlers or the verifiers do not fit */
export async function activate<Services>(
  contract: LoadedContract,
  settings: Settings,
  parts: EngineParts<Services>,
  tracing: Awaited<ReturnType<typeof openTracing>>,
): Promise<ActiveContract> {
  const { definition, publish } = contract;
  const { baseUrl, isProduction, mock } = settings;
  const basePath = baseUrl?.pathname.replace(/\/+$/, '');
  const engine = await createEngine({
    ...parts,
    definition,
    basePath,
    mock,
    exposesErrors: !isProduction,
    step: tracing?.tracedStep,
  });
  const prefix = basePath ?? definition.operations[0]?.basePaths[0] ?? '';
  const docs =
    settings.docs === 'on' ? new Docs({ definition, publish, baseUrl, prefix }) : undefined;
  return { contract, engine: tracing?.tracedEngine(engine) ?? engine, docs, prefix };
}
