// Generates the requests that a release records: the documented ones, and those of a project's registry.
import type { Contract, Operation } from '@stubwright/contract';
import type { BodyPart, Conversation, ReleasedRequest } from '@stubwright/traffic';
import { type Documented, DocumentedRequests, ValueSources } from './documentedRequests.ts';

/** The difference to the documented request of an operation that causes another response. */
interface ErrorScenario {
  readonly path?: string;
  /** An undefined header is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** An undefined body is not sent. */
  readonly body?: BodyPart | readonly BodyPart[] | undefined;
  /** Documented requests to send before, by operationId and name of the example. */
  readonly before?: readonly string[];
  readonly situation?: string;
}

/**
 * Error scenarios by operationId, status and a name: `getToy 404 unknown`. `*` instead of the operationId
 * stands for each operation that declares the status. An entry of an operation has precedence.
 */
export type ErrorScenarios = Readonly<Record<string, ErrorScenario>>;

/**
 * @returns a conversation with the documented requests of each operation, and one for each error scenario
 * @throws {NoSample} if no valid value is found for a required part of a request
 * @throws {Error} for an error scenario that names an unknown request
 */
export async function conversationsOf(
  definition: Contract,
  errorScenarios: ErrorScenarios = {},
): Promise<Conversation[]> {
  const documented = await documentedRequests(definition);
  return definition.operations.flatMap((operation): Conversation[] => {
    const own = scenariosOf(operation, errorScenarios);
    const requests = documented.get(operation)!;
    const hasSuccess = own.some(({ status }) => status < 300);
    const first = creatorsFor(operation, documented);
    const name = `${operation.operationId} as documented`;
    return [
      ...(hasSuccess && requests.length === 1
        ? []
        : [{ name, requests: [...first, ...requests.map(({ request }) => request)] }]),
      ...own.map(({ key, status, scenario }) => ({
        name: key,
        ...(scenario.situation !== undefined && { situation: scenario.situation }),
        requests: [
          ...(scenario.before ?? []).map((earlier) => requestNamed(earlier, documented, key)),
          requestFor(requests[0]!.request, status, scenario),
        ],
      })),
    ];
  });
}

/** @returns the declared responses, `getToy 404`, without a request of the operation */
export function unrecordedResponses(
  { operations }: Contract,
  conversations: readonly Conversation[],
): string[] {
  const requests = conversations.flatMap((conversation) => conversation.requests);
  return operations.flatMap(({ operationId, responses }) => {
    const own = requests.filter((request) => request.operationId === operationId);
    const recorded = new Set(own.map(({ status }) => responses.keyFor(status)));
    return [...responses.keys()]
      .filter((status) => !recorded.has(status))
      .map((status) => `${operationId} ${status}`);
  });
}

async function documentedRequests(
  definition: Contract,
): Promise<Map<Operation, readonly Documented[]>> {
  const requests = new DocumentedRequests(definition);
  const sources = new ValueSources(definition);
  const documented = new Map<Operation, readonly Documented[]>();
  for (const operation of definition.operations) {
    const own = await requests.of(operation);
    const withSources = own.map(({ name, request }) => {
      const values = sources.of(operation, request);
      const hasValues = Object.keys(values).length > 0;
      return { name, request: hasValues ? { ...request, values } : request };
    });
    documented.set(operation, withSources);
  }
  return documented;
}

/** @returns the requests whose responses have the values of an operation, and the creation of listed items */
function creatorsFor(
  operation: Operation,
  documented: ReadonlyMap<Operation, readonly Documented[]>,
): ReleasedRequest[] {
  const found = new Set<Operation>([operation]);
  const inOrder: ReleasedRequest[] = [];
  const add = (operation: Operation) => {
    if (found.has(operation)) return;
    found.add(operation);
    const [{ request }] = documented.get(operation)! as [Documented];
    for (const needed of operationsIn(request)) add(needed);
    inOrder.push(request);
  };
  const operations = [...documented.keys()];
  const operationsIn = ({ values = {} }: ReleasedRequest) => {
    const ids = Object.values(values).map(({ operationId }) => operationId);
    return operations.filter(({ operationId }) => ids.includes(operationId));
  };
  for (const { request } of documented.get(operation)!) operationsIn(request).forEach(add);
  const isCreator = ({ method, path }: Operation) => method === 'post' && path === operation.path;
  if (operation.method !== 'post') operations.filter(isCreator).forEach(add);
  return inOrder;
}

function scenariosOf({ operationId, responses }: Operation, errorScenarios: ErrorScenarios) {
  return Object.entries(errorScenarios).flatMap(([name, scenario]) => {
    const [id, status = '', ...rest] = name.split(' ');
    const key = [operationId, status, ...rest].join(' ');
    const isCommon = id === '*' && errorScenarios[key] === undefined;
    if (id !== operationId && !(isCommon && responses.for(status))) return [];
    return [{ key, status: Number(status), scenario }];
  });
}

function requestNamed(
  name: string,
  documented: ReadonlyMap<Operation, readonly Documented[]>,
  key: string,
): ReleasedRequest {
  const found = [...documented.values()].flat().find((request) => request.name === name);
  if (found === undefined) throw new Error(`${key}: the contract documents no request ${name}`);
  return found.request;
}

function requestFor(
  documented: ReleasedRequest,
  status: number,
  { path, headers, ...changed }: ErrorScenario,
): ReleasedRequest {
  const { params, body: _, values = {}, ...request } = documented;
  const isReplaced = (target: string) =>
    target.startsWith('$request.body') ? 'body' in changed : path !== undefined;
  const kept = Object.entries(values).filter(([target]) => !isReplaced(target));
  const body = 'body' in changed ? changed.body : documented.body;
  const sent = Object.entries({ ...request.headers, ...headers });
  return {
    ...request,
    ...(path === undefined ? params && { params } : { path }),
    headers: Object.fromEntries(sent.flatMap(([name, text]) => (text ? [[name, text]] : []))),
    ...(body !== undefined && { body: [body].flat() }),
    ...(kept.length > 0 && { values: Object.fromEntries(kept) }),
    status,
  };
}
