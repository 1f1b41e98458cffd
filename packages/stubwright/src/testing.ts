// A client for tests, which compares every response with the contract.
import {
  COUNT,
  expectNumbers,
  type LoadedContract,
  loadContract,
  normalizedBasePath,
} from '@stubwright/contract';
import { operationById, Router } from './pipeline/router.ts';
import type { UndeclaredProperties } from './response/responseCheck.ts';
import { recordedResponses, showingUnsentReasons } from './testing/recordedResponses.ts';
import {
  type ArgumentsOf,
  type ReceivedOf,
  requestsOf,
  type UntypedCall,
} from './testing/requests.ts';

export type { UndeclaredProperties } from './response/responseCheck.ts';
export { ContractViolation } from './testing/recordedResponses.ts';
export type { CallOf, ReceivedOf } from './testing/requests.ts';

/** The contract and the service under test. */
export interface TestClientOptions {
  /** The path of the bundle that `stubwright generate` writes, or of OpenAPI files with @stubwright/cli. */
  readonly contract: string | LoadedContract;
  /**
   * The URL of a service, or a function that responds in process, such as `fetchHandler(contract)` of
   * `stubwright/fetch`.
   */
  readonly target: string | ((request: Request) => Promise<Response>);
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The credentials for all security schemes. `call` sends them unless it has a header, query parameter or
   * cookie of that name, also `{ header: { Authorization: undefined } }`. By default `call` sends none, and
   * example requests send `token`.
   */
  readonly token?: string | undefined;
  /** The start of all paths; by default the path of the URL, else of the contract's first server. */
  readonly basePath?: string | undefined;
  /**
   * The properties of responses that no schema declares, where additional properties are not forbidden:
   * by default `report`, a violation.
   */
  readonly undeclaredProperties?: UndeclaredProperties | undefined;
  /** The iteration of a sequence ends after this number of items, since it may have no end; by default 1000. */
  readonly maxItems?: number | undefined;
  /** The folder in which `seen` is recorded for `stubwright coverage`; by default none. */
  readonly observed?: string | undefined;
}

/** Sends requests, and compares each response with the contract. @typeParam Operations the generated types */
export interface TestClient<Operations> {
  /**
   * Sends a request to an operation. The request is not validated. A body that is a sequence is an async
   * iterable, which compares each item with the contract; a loop that ends early closes the connection.
   *
   * @throws {ContractViolation} for a response that the contract does not allow
   * @throws {TypeError} for a request that cannot be written
   */
  call<Id extends keyof Operations & string>(
    operationId: Id,
    ...request: ArgumentsOf<Operations[Id]>
  ): Promise<ReceivedOf<Operations[Id]>>;
  /**
   * Creates a valid request of an operation from the examples and schemas of the contract, with the
   * required parameters and with credentials, for `fetch` of this client.
   *
   * @throws {Error} if no valid value is found for a required part, or `Request` cannot represent it
   */
  example(operationId: `${keyof Operations & (string | number)}`): Request;
  /**
   * Sends any request, as the global `fetch` does, without following redirects. A path is relative to the
   * base path. The response is compared with the contract if an operation has the method and the path.
   *
   * @throws {ContractViolation} for a response that the contract does not allow
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The declared responses that were received, each as `getToy 200 application/json` or `getToy 204`. */
  readonly seen: ReadonlySet<string>;
  /** @returns the declared responses that were not received, as in `seen` */
  uncovered(): string[];
}

const MAX_ITEMS = 1000;

/** In process there is no host. */
const IN_PROCESS = 'http://localhost';

/**
 * Creates a client that compares each response with the contract: status, headers, media type, body. Warns of
 * the message of an error that no property of its response has, if the service is in this process.
 *
 * @throws {ContractErrors} for an invalid contract
 * @throws {RangeError | TypeError} for `maxItems` that is not an integer from 0
 * @example
 * const client = await testClient<operations>({ contract: 'generated/contract.json', target: url });
 * const toy = await client.call('getToy', { path: { id: 1n } });
 * if (toy.status === 200) expect(toy.body.name).toBe('Bear');
 */
// biome-ignore lint/suspicious/noExplicitAny: without generated types
export async function testClient<Operations = Record<string, any>>(
  options: TestClientOptions,
): Promise<TestClient<Operations>> {
  const { contract, target, token, undeclaredProperties, observed: folder } = options;
  const { maxItems = MAX_ITEMS } = options;
  expectNumbers({ maxItems }, { maxItems: COUNT });
  const { definition } =
    typeof contract === 'string' ? await loadContract(contract, { isMocked: true }) : contract;
  const address = addressOf(options);
  const headers = new Headers(options.headers);
  const requests = requestsOf(definition, { ...address, headers, token });
  const responses = recordedResponses(definition, { undeclaredProperties, folder, maxItems });
  const router = new Router(definition.operations, address.basePath);
  const respond = showingUnsentReasons(typeof target === 'string' ? fetch : target);
  return {
    async call(operationId, ...[parts = {}]) {
      const operation = operationById(operationId, definition);
      const request = requests.call(operation, parts as UntypedCall);
      const response = await respond(request);
      const checked = await responses.check(operation, request.method, response);
      const { type, headers: values, body } = checked;
      return { status: response.status, type, headers: values, body, response } as never;
    },
    example: (operationId) => requests.example(operationById(operationId, definition)),
    async fetch(input, init) {
      const request = requests.fetch(input, init);
      const { method } = request;
      const response = await respond(request);
      const match = router.match(method, new URL(request.url).pathname);
      if (match !== undefined) await responses.check(match.operation, method, response);
      return response;
    },
    seen: responses.seen,
    uncovered: responses.unseen,
  };
}

function addressOf({ target, basePath }: TestClientOptions) {
  if (typeof target !== 'string') {
    return { origin: IN_PROCESS, basePath: normalizedBasePath(basePath) };
  }
  const { origin, pathname } = new URL(target);
  const path = pathname.replace(/\/+$/, '');
  return { origin, basePath: normalizedBasePath(basePath) ?? (path === '' ? undefined : path) };
}
