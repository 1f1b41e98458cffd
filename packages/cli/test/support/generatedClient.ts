// A generated client, evaluated without files.
import * as runtime from '@stubwright/client';
import * as conversions from '@stubwright/client/conversions';
import * as idempotency from '@stubwright/client/idempotency';
import * as pages from '@stubwright/client/pages';
import * as reconnect from '@stubwright/client/reconnect';
import { Contract } from '@stubwright/contract';
import { type ApiOptions, createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { type ClientOptions, clientPackage } from '../../src/client/clientPackage.ts';

// biome-ignore lint/suspicious/noExplicitAny: without generated types
export type AnyClient = Record<string, (request?: any, options?: any) => Promise<runtime.AnyReply>>;

const entries = { ...runtime, ...conversions, ...idempotency, ...pages, ...reconnect };

export interface GeneratedClient {
  /** index.js */
  readonly source: string;
  createClient(options: runtime.ConnectionOptions, credentials?: runtime.Credentials): AnyClient;
}

/** @param document a contract without external references */
export async function generatedClient(
  document: object,
  options: ClientOptions = {},
): Promise<GeneratedClient> {
  const { files } = await clientPackage('openapi.yaml', { document }, options);
  const source = files.get('index.js')!;
  const body = source
    .replaceAll(
      /^import (\{[^}]*\}) from '@stubwright\/client(?:\/\w+)?';$/gm,
      'const $1 = runtime;',
    )
    .replace(/^export \{[^}]*\} from '@stubwright\/client';$/m, '')
    .replaceAll(/^export /gm, '');
  const { createClient } = new Function('runtime', `${body}\nreturn { createClient };`)(entries);
  return {
    source,
    createClient: (options, credentials) => createClient({ ...options, ...credentials }),
  };
}

export interface ServedOptions extends Partial<Pick<ApiOptions<never>, 'verifiers'>> {
  /** By operationId. */
  readonly handlers: Readonly<Record<string, (request: never) => unknown>>;
}

/** @returns `fetch` of a service of the contract, in this process */
export async function fetchOf(
  document: object,
  { handlers, ...options }: ServedOptions,
): Promise<(url: string, init: RequestInit) => Promise<Response>> {
  const definition = new Contract(structuredClone(document));
  const contract = { definition, warnings: [], files: [] } as never;
  const serve = fetchHandler(
    await createApi({ contract, handlers: handlers as never, ...options }),
  );
  return (url, init) => serve(new Request(url, init));
}
