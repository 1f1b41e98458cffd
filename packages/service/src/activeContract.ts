// Creates the engine and the documentation of a contract.

import type { LoadedContract } from '@stubwright/contract';
import { createEngine, type Engine, type EngineOptions } from 'stubwright/internals';
import { Docs } from './docs/docs.ts';
import type { openTracing } from './optional.ts';
import type { Settings } from './settings.ts';

export interface ActiveContract {
  readonly contract: LoadedContract;
  readonly engine: Engine;
  /** Undefined if DOCS is off. */
  readonly docs: Docs | undefined;
  /** The path of BASE_URL; undefined if it is not set. */
  readonly basePath: string | undefined;
  /** The base path of the first route; `''` for none. */
  readonly prefix: string;
}

/** The engine options that do not depend on contract or settings. */
export type EngineParts<Context> = Pick<
  EngineOptions<Context>,
  | ('handlers' | 'context' | 'services' | 'log' | 'verifiers' | 'realm' | 'admit')
  | ('toProblem' | 'errors' | 'responseValidation' | 'mockOptions' | 'cors' | 'recorder')
  | ('report' | 'warn')
>;

/** @throws {ContractErrors} if handlers or verifiers do not match the contract */
export async function activate<Context>(
  contract: LoadedContract,
  settings: Settings,
  parts: EngineParts<Context>,
  tracing: Awaited<ReturnType<typeof openTracing>>,
): Promise<ActiveContract> {
  const { definition, publish } = contract;
  const { baseUrl, isProduction, mock, handlerTimeoutSeconds, sunset } = settings;
  const basePath = baseUrl?.pathname.replace(/\/+$/, '');
  const engine = await createEngine({
    ...parts,
    definition,
    basePath,
    ...{ mock, sunset },
    keepAliveMs: Math.round(settings.eventKeepAliveSeconds * 1000),
    handlerTimeoutMs:
      handlerTimeoutSeconds > 0 ? Math.ceil(handlerTimeoutSeconds * 1000) : undefined,
    exposeErrors: !isProduction,
    warn: isProduction ? undefined : parts.warn,
    step: tracing?.tracedStep,
    cors: settings.cors ?? parts.cors,
    hasMockCors: true,
  });
  const prefix = basePath ?? definition.operations[0]?.basePaths[0] ?? '';
  const docs =
    settings.docs === 'on'
      ? new Docs({ definition, publish, baseUrl, prefix, reject: engine.reject })
      : undefined;
  return { contract, engine: tracing?.tracedEngine(engine) ?? engine, docs, basePath, prefix };
}
