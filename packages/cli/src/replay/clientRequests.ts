// Sends recorded requests through the generated client of their release.

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract } from '@stubwright/contract';
import {
  type ReplayCall,
  type ReplayedResponse,
  receivedRequest,
  type SentRequest,
} from '@stubwright/traffic';
import { RequestCheck } from 'stubwright/internals';
import { clientPackage } from '../client/clientPackage.ts';
import { functionNames } from '../client/names.ts';

const RUNTIME = '@stubwright/client';

type Call = (
  connection: unknown,
  request: object,
  options: object,
) => Promise<{ readonly status: number }>;

interface ClientModule {
  connect(options: object): unknown;
  readonly [name: string]: unknown;
}

export class ClientRequests {
  readonly #client: ClientModule;
  readonly #names: ReadonlyMap<string, string>;
  readonly #check: RequestCheck;

  /** @throws {Error} if the runtime of generated clients is not installed */
  static async of(path: string, definition: Contract, cwd: string): Promise<ClientRequests> {
    const { files } = await clientPackage(path, { document: definition.document });
    const source = files
      .get('index.js')!
      .replaceAll(`'${RUNTIME}'`, JSON.stringify(runtimeIn(cwd)));
    const client = await import(`data:text/javascript,${encodeURIComponent(source)}`);
    return new ClientRequests(client, definition);
  }

  private constructor(client: ClientModule, definition: Contract) {
    this.#client = client;
    this.#names = functionNames(definition.operations);
    this.#check = new RequestCheck({ definition, basePath: '', realm: '' });
  }

  /**
   * @param call of a valid request, with its credentials
   * @throws the error of the connection
   */
  async send(operationId: string, { root, sent, signal }: ReplayCall): Promise<ReplayedResponse> {
    let response: Response | undefined;
    let failure: unknown;
    const connection = this.#client.connect({
      baseUrl: root,
      retry: false,
      fetch: async (url: string, init: RequestInit) => {
        try {
          response = await fetch(...withCredentials(url, init, sent));
        } catch (error) {
          failure = error;
          throw error;
        }
        return copyOf(response);
      },
    });
    const call = this.#client[this.#names.get(operationId)!] as Call;
    try {
      await call(connection, await this.#request(sent), { signal });
    } catch (error) {
      if (response === undefined) throw failure ?? error;
      return { response, error: `the client of the release throws ${(error as Error).message}` };
    }
    return { response: response! };
  }

  /** @returns the request with the values that a program passes to the client */
  async #request(sent: SentRequest): Promise<object> {
    const { exchange } = await this.#check.checkWhole(receivedRequest(sent));
    const { parameters, parsedBody } = exchange;
    const { mediaType } = parsedBody;
    return {
      ...{ path: parameters.path, query: parameters.query, cookie: parameters.cookie },
      header: parameters.header,
      ...(mediaType !== undefined && { mediaType, body: parsedBody.coerced() }),
    };
  }
}

/** @returns the URL of the module in the packages of a project */
function runtimeIn(cwd: string): string {
  try {
    return pathToFileURL(createRequire(resolve(cwd, 'package.json')).resolve(RUNTIME)).href;
  } catch {
    throw new Error(`--client: got no ${RUNTIME}, expected it: npm install --save-dev ${RUNTIME}`);
  }
}

/** The recorded credentials, which the client does not know. */
function withCredentials(url: string, init: RequestInit, sent: SentRequest): [string, RequestInit] {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(sent.headers)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  headers.set('Connection', 'close');
  const own = new URL(url);
  for (const [name, value] of new URL(sent.target, own.origin).searchParams) {
    if (!own.searchParams.has(name)) own.searchParams.append(name, value);
  }
  return [own.href, { ...init, headers }];
}

/** A client that cancels the body of a clone waits until the other body is cancelled too. */
function copyOf(response: Response): Response {
  const body = response.clone().body?.pipeThrough(new TransformStream());
  return new Response(body ?? null, response);
}
