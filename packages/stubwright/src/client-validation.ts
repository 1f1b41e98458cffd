// Compares the requests and responses of a generated client with the contract, in development.
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { type LoadedContract, loadContract, type Operation } from '@stubwright/contract';
import { describeViolation, type Violation } from '@stubwright/contract/values';
import { RequestCheck } from './pipeline/requestCheck.ts';
import { Exchange } from './request/exchange.ts';
import { ResponseCheck } from './response/responseCheck.ts';

/** The option `validate` of a generated client, which runs next to `fetch`. */
export interface CallValidation {
  /** @throws {TypeError} for a request that violates the contract */
  before(request: ClientRequest): Promise<void>;
  /** @throws {TypeError} for a response that violates the contract */
  after(response: Response, request: ClientRequest): Promise<void>;
}

/** A request as the client sends it. */
export interface ClientRequest {
  readonly operationId: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: RequestInit['body'] | undefined;
}

/**
 * Creates the validation of a client: parameters and bodies, but no credentials, bytes or streams. Needs
 * Node.
 *
 * @param contract the path of a bundle, or of OpenAPI files with @stubwright/cli
 * @throws {ContractErrors} for an invalid contract
 * @example
 * const toys = createClient({ baseUrl, validate: await clientValidation('openapi.yaml') });
 */
export async function clientValidation(contract: string | LoadedContract): Promise<CallValidation> {
  const { definition } =
    typeof contract === 'string' ? await loadContract(contract, { isMocked: true }) : contract;
  const operations = new Map(
    definition.operations.map((operation) => [operation.operationId, operation]),
  );
  const operationOf = ({ operationId }: ClientRequest) => {
    const operation = operations.get(operationId);
    if (operation !== undefined) return operation;
    throw new TypeError(`${operationId}: expected an operation of the contract`);
  };
  const requests = new RequestCheck({ definition, basePath: '', realm: '' });
  const responses = new ResponseCheck(definition, 'allow');
  return {
    async before(request) {
      const violations = await requestViolations(requests, operationOf(request), request);
      fail(`${request.operationId} request`, violations);
    },
    async after(response, request) {
      const operation = operationOf(request);
      const violations = await responseViolations(responses, operation, request.method, response);
      fail(`${request.operationId} reply ${response.status}`, violations);
    },
  };
}

async function requestViolations(
  requests: RequestCheck,
  operation: Operation,
  { method, url, headers, body }: ClientRequest,
): Promise<Violation[]> {
  const isStream = body instanceof ReadableStream;
  // Encodes the body as `fetch` does.
  const sent = new Response(isStream ? null : body);
  const type = headers.get('Content-Type') ?? sent.headers.get('Content-Type');
  const head = {
    ...Object.fromEntries(headers),
    ...(type !== null && { 'content-type': type }),
    ...(body != null && { 'transfer-encoding': 'chunked' }),
  };
  const exchange = new Exchange(
    { method, url: targetOf(url, operation), headers: head },
    {
      readBody: async () => Buffer.from(await sent.arrayBuffer()),
      stream: () => (sent.body ? Readable.fromWeb(sent.body as WebStream) : Readable.from([])),
    },
  );
  requests.route(exchange);
  const { violations } = await requests.check(exchange);
  return violations.filter(({ where }) => where !== 'credentials' && !(isStream && where === ''));
}

/** @returns path and query, without the path of the server */
function targetOf(url: string, { path }: Operation): string {
  const { pathname, search } = new URL(url);
  const count = path.split('/').length - 1;
  return `/${pathname.split('/').slice(-count).join('/')}${search}`;
}

/** Of a response that is not declared the client has an error of its own. */
async function responseViolations(
  responses: ResponseCheck,
  operation: Operation,
  method: string,
  response: Response,
): Promise<readonly Violation[]> {
  const { status, headers } = response;
  const head = { status, headers };
  const isRead =
    responses.readsBody(operation, head) && responses.sequence(operation, head) === undefined;
  const bytes = isRead ? Buffer.from(await response.clone().arrayBuffer()) : undefined;
  const { declaredAs, violations } = await responses.check(operation, method, { ...head, bytes });
  return declaredAs === undefined ? [] : violations;
}

/** @throws {TypeError} if there are violations */
function fail(subject: string, violations: readonly Violation[]): void {
  if (violations.length === 0) return;
  const messages = violations.map(({ parameter, where, ...each }) =>
    describeViolation({ ...each, where: parameter ? `${parameter.in} ${parameter.name}` : where }),
  );
  throw new TypeError(`${subject}: ${[...new Set(messages)].join('; ')}`);
}
