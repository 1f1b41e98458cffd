// Creates the engine and the documentation of a contract.

import type { LoadedContract } from '@stubwright/contract';
import type { Versions } from '@stubwright/versions';
import { createEngine, type Engine, type EngineOptions } from 'stubwright/internals';
import { Docs } from './docs/docs.ts';
import type { OpenVersions, openTracing } from './optional.ts';
import type { Settings } from './settings.ts';

export interface ActiveContract {
  readonly contract: LoadedContract;
  readonly engine: Pick<Engine, 'handle' | 'reject'>;
  /** Undefined if DOCS is off. */
  readonly docs: Pick<Docs, 'respond'> | undefined;
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
> & {
  /** Undefined without served versions. */
  readonly openVersions: OpenVersions | undefined;
};

/** @throws {ContractErrors} if handlers or verifiers do not match the contract */
export async function activate<Context>(
  contract: LoadedContract,
  settings: Settings,
  { openVersions, ...parts }: EngineParts<Context>,
  tracing: Awaited<ReturnType<typeof openTracing>>,
): Promise<ActiveContract> {
  const { definition, publish } = contract;
  const { baseUrl, isProduction, mock, handlerTimeoutSeconds, sunset } = settings;
  const basePath = baseUrl?.pathname.replace(/\/+$/, '');
  const options: EngineOptions<Context> = {
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
  };
  const current = await createEngine(options);
  const prefix = basePath ?? definition.operations[0]?.basePaths[0] ?? '';
  const ownDocs =
    settings.docs === 'on'
      ? new Docs({ definition, publish, baseUrl, prefix, reject: current.reject })
      : undefined;
  const versions = openVersions?.(current, options);
  // In production each version is opened at its first request.
  if (!isProduction) await versions?.openAll();
  const docs = versions && ownDocs ? await docsOf(ownDocs, versions, baseUrl) : ownDocs;
  const engine = versions?.engine ?? current;
  return { contract, engine: tracing?.tracedEngine(engine) ?? engine, docs, basePath, prefix };
}

async function docsOf(current: Docs, versions: Versions, baseUrl: URL | undefined) {
  const { versionedDocs } = await import('./docs/versionedDocs.ts');
  return versionedDocs(current, versions, baseUrl);
}
