// A contract of a few lines, served: a service on a real socket, with handlers of the test's.
import type { Contract } from '@stubwright/contract';
import type { MockOptions, mocked } from '@stubwright/mock/mocked';
import { createLog, readSettings, type Settings, startService } from '@stubwright/service';
import type { Verifier } from 'stubwright';
import { parse } from 'yaml';
import { loadedContract } from './loadedContract.ts';

// biome-ignore lint/suspicious/noExplicitAny: a toy contract has no generated types
type ToyHandler = (request: any) => unknown;

export interface ToyOptions {
  readonly handlers?: Record<string, ToyHandler | typeof mocked>;
  readonly verifiers?: Record<string, Verifier>;
  readonly bodyLimitBytes?: number;
  readonly isProduction?: boolean;
  readonly mock?: Settings['mock'];
  readonly mockOptions?: MockOptions | undefined;
  /** Receives each line of the log. */
  readonly onLog?: (line: LogLine) => void;
}

export interface LogLine {
  readonly status?: number;
  /** Why a response is not what the handler returned. */
  readonly err?: { readonly message: string };
}

export interface Toy {
  readonly url: string;
  /** What the handlers got, the last request first. */
  readonly got: Record<string, unknown>[];
  fetch(path: string, init?: RequestInit): Promise<ToyAnswer>;
  close(): Promise<void>;
}

export interface ToyAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** @param version `3.0.3` or `3.1.0` @param yaml the contract from `paths:` on */
export function serveToy(version: string, yaml: string, options: ToyOptions = {}): Promise<Toy> {
  const text = `openapi: ${version}\ninfo: {title: t, version: '1'}\n${yaml}`;
  return serveDefinition(loadedContract(parse(text)).definition, options);
}

/** The same for a contract that has been loaded. */
export async function serveDefinition(
  definition: Contract,
  options: ToyOptions = {},
): Promise<Toy> {
  const got: Record<string, unknown>[] = [];
  const { bodyLimitBytes = 100_000, isProduction = false, mock = 'off', onLog } = options;
  const recording = (handler: ToyHandler) => (request: Record<string, unknown>) => {
    got.unshift(request);
    return handler(request);
  };
  const handlers = definition.operations.map(({ operationId }) => {
    const handler = options.handlers?.[operationId] ?? (() => ({ status: 204 }));
    return [operationId, typeof handler === 'function' ? recording(handler) : handler] as const;
  });
  const service = await startService({
    contract: { ...loadedContract({}), definition },
    settings: readSettings({
      ...{ PORT: '0', DOCS: 'off', LAG_LIMIT: '60000', MOCK: mock },
      BODY_LIMIT: String(bodyLimitBytes),
      ...(isProduction && { NODE_ENV: 'production' }),
    }),
    log: onLog
      ? createLog('info', { write: (line: string) => onLog(JSON.parse(line)) })
      : createLog('silent'),
    handlers: Object.fromEntries(handlers) as never,
    verifiers: () => options.verifiers ?? {},
    realm: 'toys',
    mockOptions: options.mockOptions,
    errors: 'numbered',
    bounds: { settleMs: 5 },
  });
  const url = new URL(service.url).origin;
  return {
    url,
    got,
    async fetch(path, init) {
      const response = await fetch(url + path, {
        redirect: 'manual',
        ...init,
        headers: { Connection: 'close', ...init?.headers },
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    close: () => service.stop(),
  };
}
