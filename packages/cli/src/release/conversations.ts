// Generates the requests that a release records: the documented ones, and those of a project's registry.
import {
  type Definition,
  exampleValue,
  type LocatedNode,
  type Operation,
  responseFor,
} from 'stubwright/contract';
import {
  ExampleRequests,
  preferredKey,
  RequestWriter,
  Samples,
  Validators,
} from 'stubwright/validation';
import { type Exemption, isExempt } from '../coverage/exemptions.ts';

/** A part of a body; a long one is given as the string that it repeats. */
export type BodyPart = string | { readonly repeat: string; readonly times: number };

/** A request, and the status of its response when the version was released. */
export interface RecordedRequest {
  readonly operationId: string;
  readonly method: string;
  /** The template with `params`, otherwise the path that is sent. */
  readonly path: string;
  readonly params?: { readonly path: Readonly<Record<string, string | number>> };
  /** `TOKEN` represents a valid token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: readonly BodyPart[];
  readonly status: number;
  /** True for a request that the generated types do not allow. */
  readonly isUntyped?: true;
}

/** Requests that build on each other, sent to a service with a new store. */
export interface Conversation {
  readonly name: string;
  /** The state of the service, by the name that the project gives it. */
  readonly situation?: string;
  readonly requests: readonly RecordedRequest[];
}

/** The difference to the documented request of an operation that causes another response. */
export interface ErrorScenario {
  readonly path?: string;
  /** An undefined header is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** An undefined body is not sent. */
  readonly body?: BodyPart | readonly BodyPart[] | undefined;
  /** Documented requests to send before, by operationId and name of the example. */
  readonly before?: readonly string[];
  readonly situation?: string;
  readonly isUntyped?: true;
}

/**
 * Error scenarios by operationId, status and a name: `getToy 404 unknown`. `*` instead of the operationId
 * stands for each operation that declares the status. An entry of an operation has precedence.
 */
export type ErrorScenarios = Readonly<Record<string, ErrorScenario>>;

interface Documented {
  /** `getToy tagged`; `getToy` without named examples of the body. */
  readonly name: string;
  readonly request: RecordedRequest;
}

/**
 * @returns a conversation with the documented requests of each operation, and one for each error scenario
 * @throws {NoSample} if no valid value is found for a required part of a request
 * @throws {Error} for an error scenario that names an unknown request
 */
export function conversationsOf(
  definition: Definition,
  errorScenarios: ErrorScenarios = {},
): Conversation[] {
  const documented = new Map(
    definition.operations.map((each) => [each, documentedRequests(definition, each)]),
  );
  // Other operations often need the resources that POST creates.
  const posts = definition.operations
    .filter(({ method }) => method === 'post')
    .map((each) => documented.get(each)![0]!.request);
  return definition.operations.flatMap((operation): Conversation[] => {
    const own = scenariosOf(operation, errorScenarios);
    const requests = documented.get(operation)!;
    const hasSuccess = own.some(({ status }) => status < 300);
    const first = operation.method === 'post' ? [] : posts;
    const name = `${operation.operationId} as documented`;
    return [
      ...(hasSuccess && requests.length === 1
        ? []
        : [{ name, requests: [...first, ...requests.map(({ request }) => request)] }]),
      ...own.map(({ key, status, scenario }) => ({
        name: key,
        ...(scenario.situation !== undefined && { situation: scenario.situation }),
        requests: [
          ...(scenario.before ?? []).map((each) => requestNamed(each, documented, key)),
          requestFor(requests[0]!.request, status, scenario),
        ],
      })),
    ];
  });
}

/** @returns the declared responses, `getToy 404`, without a request of the operation and an exemption */
export function unrecordedResponses(
  { operations }: Definition,
  conversations: readonly Conversation[],
  exemptions: readonly Exemption[] = [],
): string[] {
  const requests = conversations.flatMap((each) => each.requests);
  return operations.flatMap(({ operationId, responses }) => {
    const own = requests.filter((each) => each.operationId === operationId);
    const declared = new Map(Array.from(responses.keys(), (key) => [key, key]));
    const recorded = new Set(own.map(({ status }) => responseFor(declared, status)));
    return [...declared.keys()]
      .filter((status) => !recorded.has(status))
      .map((status) => `${operationId} ${status}`)
      .filter((name) => !exemptions.some((each) => isExempt(name, each)));
  });
}

function scenariosOf({ operationId, responses }: Operation, errorScenarios: ErrorScenarios) {
  return Object.entries(errorScenarios).flatMap(([name, scenario]) => {
    const [id, status = '', ...rest] = name.split(' ');
    const key = [operationId, status, ...rest].join(' ');
    const isCommon = id === '*' && errorScenarios[key] === undefined;
    if (id !== operationId && !(isCommon && responseFor(responses, status))) return [];
    return [{ key, status: Number(status), scenario }];
  });
}

function requestNamed(
  name: string,
  documented: ReadonlyMap<Operation, readonly Documented[]>,
  key: string,
): RecordedRequest {
  const found = [...documented.values()].flat().find((each) => each.name === name);
  if (found === undefined) throw new Error(`${key}: the contract documents no request ${name}`);
  return found.request;
}

function requestFor(
  documented: RecordedRequest,
  status: number,
  { path, headers, isUntyped, ...changed }: ErrorScenario,
): RecordedRequest {
  const { params, body: _, isUntyped: __, ...request } = documented;
  const body = 'body' in changed ? changed.body : documented.body;
  const sent = Object.entries({ ...request.headers, ...headers });
  return {
    ...request,
    ...(path === undefined ? params && { params } : { path }),
    headers: Object.fromEntries(sent.flatMap(([name, text]) => (text ? [[name, text]] : []))),
    ...(body !== undefined && { body: [body].flat() }),
    status,
    ...((isUntyped || path !== undefined || documented.isUntyped) && { isUntyped: true }),
  };
}

/** @returns a request for each named example of the body, at least one */
function documentedRequests(definition: Definition, operation: Operation): Documented[] {
  const validators = new Validators(definition, 'request');
  const requests = new ExampleRequests(definition, validators, new Samples(validators));
  const writer = new RequestWriter(definition, validators);
  const { operationId } = operation;
  const { target, headers, body } = requests.of(operation, 'TOKEN');
  const base = {
    operationId,
    method: operation.method,
    ...pathOf(operation, target, validators),
    headers,
  };
  const recorded = (text: unknown, status: number): RecordedRequest => {
    return { ...base, ...(typeof text === 'string' && { body: [text] }), status };
  };
  const examples = namedExamples(definition, operation.requestBody);
  if (examples.size === 0) {
    return [{ name: operationId, request: recorded(body, successOf(operation)) }];
  }
  return [...examples].map(([name, value]) => {
    const text = writer.body(operation, value)?.body;
    const status = statusWithExample(definition, operation, name) ?? successOf(operation);
    return { name: `${operationId} ${name}`, request: recorded(text, status) };
  });
}

/** Path parameters as the generated types have them, where all required parameters are simple ones. */
function pathOf(
  { path, parameters }: Operation,
  target: string,
  validators: Validators,
): Pick<RecordedRequest, 'path' | 'params' | 'isUntyped'> {
  if (target === path) return { path };
  const needed = parameters.filter(({ node }) => node.in === 'path' || node.required === true);
  const typeOf = ({ pointer }: LocatedNode) => [
    ...(validators.model.at(`${pointer}/schema`)?.types ?? []),
  ];
  const isSimple = needed.every(
    (each) => each.node.in === 'path' && /^(?:string|integer|number)$/.test(typeOf(each).join()),
  );
  if (!isSimple) return { path: target, isUntyped: true };
  const template = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^{}]*\}/g, '([^/]*)');
  const [, ...texts] = new RegExp(`^${template}$`).exec(target) ?? [];
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  const values = needed.map((each): [string, string | number] => {
    const text = decodeURIComponent(texts[names.indexOf(each.node.name)] ?? '');
    const isSafe = !typeOf(each).includes('string') && String(Number(text)) === text;
    return [each.node.name, isSafe ? Number(text) : text];
  });
  return { path, params: { path: Object.fromEntries(values) } };
}

/** @returns the values of named examples, of the media type that a client prefers */
export function namedExamples(
  definition: Definition,
  holder: LocatedNode | undefined,
): Map<string, unknown> {
  const contents = holder === undefined ? new Map() : definition.children(holder, 'content');
  const type = preferredKey([...contents.keys()]) ?? '';
  const media = contents.get(type);
  const examples = media === undefined ? [] : definition.children(media, 'examples');
  return new Map(
    [...examples].flatMap(([name, each]) => {
      const value = exampleValue(each, type);
      return value === undefined ? [] : [[name, value.node]];
    }),
  );
}

function statusWithExample(
  definition: Definition,
  { responses }: Operation,
  name: string,
): number | undefined {
  const found = [...responses].find(([, each]) => namedExamples(definition, each).has(name));
  return found === undefined ? undefined : Number(found[0]);
}

function successOf({ responses }: Operation): number {
  const status = [...responses.keys()].find((each) => /^2\d\d$/.test(each));
  return Number(status ?? 200);
}
