// The conversations of one release, sent to the current service.
import {
  contentsOf,
  itemSchemaOf,
  type LoadedContract,
  type Operation,
  responseFor,
  SchemaModel,
  stringifyJson,
} from '@stubwright/contract';
import { describeViolation, type Violation } from '@stubwright/contract/values';
import {
  type Conversation,
  curlLine,
  type ReleasedRequest,
  type ReplayCredentials,
  type SentRequest,
  sentRequest,
} from '@stubwright/traffic';
import { type CheckedItem, ResponseCheck } from 'stubwright/internals';
import type { NamedContract } from '../check/contracts.ts';
import { inside } from '../diff/counterexample/spot.ts';
import type { ClientRequests, ClientResponse } from './clientRequests.ts';
import { EarlierResponses } from './earlierResponses.ts';
import type { ReplayedConversation, ReplayFailure, ReplayOptions } from './results.ts';
import type { StartedService, StartIn } from './startedService.ts';

interface Replaying {
  readonly released: NamedContract;
  readonly current: NamedContract;
  readonly start: StartIn;
  readonly options: ReplayOptions;
  /** Undefined to send the recorded bytes. */
  readonly client?: ClientRequests | undefined;
}

interface Received {
  readonly violations: readonly Violation[];
  readonly text: string;
}

interface Answer {
  readonly status: number | undefined;
  readonly failure: ReplayFailure | undefined;
}

/** The response depends on stored data, which another service than a new one has. */
const DEPENDS_ON_DATA = [404, 409, 410];
const MAX_BODY = 500;
/** A stream may never end: its first items are validated, as many as arrive in this time. */
const MAX_ITEMS = 10;
const STREAM_MS = 5_000;

export class ReplayedRelease {
  readonly #version: string;
  readonly #context: Replaying;
  readonly #check: ResponseCheck;
  readonly #earlier: EarlierResponses;

  constructor(version: string, context: Replaying) {
    this.#version = version;
    this.#context = context;
    // Later versions may add properties.
    this.#check = new ResponseCheck(context.released.definition, 'allow');
    this.#earlier = new EarlierResponses(context.released.definition);
  }

  async converse({ name, situation, requests }: Conversation): Promise<ReplayedConversation> {
    const { start, options } = this.#context;
    const service = await start(situation);
    const own = { release: this.#version, name, situation };
    if (service === undefined) return { ...own, outcome: 'not run', statuses: [], failures: [] };
    const credentials = { token: service.token, headers: options.headers };
    const statuses: { recorded: number; status: number | undefined }[] = [];
    const failures: ReplayFailure[] = [];
    this.#earlier.startConversation();
    try {
      for (const recorded of requests) {
        const { status, failure } = await this.#send(recorded, service, credentials);
        statuses.push({ recorded: recorded.status, status });
        if (failure !== undefined) failures.push(failure);
      }
    } finally {
      await service.stop?.();
    }
    return { ...own, outcome: failures.length > 0 ? 'failed' : 'passed', statuses, failures };
  }

  async #send(
    asRecorded: ReleasedRequest,
    { url: root, isOrigin = false }: StartedService,
    credentials: ReplayCredentials,
  ): Promise<Answer> {
    const { definition } = this.#context.released;
    const operation = operationIn(this.#context.released, asRecorded);
    const url = isOrigin ? `${root}${operation.basePaths[0]}` : root;
    const { request: recorded, allowed } = this.#earlier.fill(asRecorded, operation);
    const withoutCredentials = sentRequest(recorded, definition);
    expectSameOrigin(root, url + withoutCredentials.target, recorded);
    const sent = sentRequest(recorded, definition, credentials);
    const curl = curlLine(url, withoutCredentials);
    const fail = (violations: readonly Violation[], response?: string): ReplayFailure => ({
      ...{ operationId: recorded.operationId, curl, response },
      violations: violations.map(describeViolation),
      ...this.#locations(operation, violations[0]!, Number(response?.slice(0, 3))),
    });
    const leaving = new AbortController();
    try {
      const { response, error } = await this.#response(recorded, url, sent, leaving.signal);
      const { status } = response;
      const { violations, text } = await this.#received(operation, sent.method, response);
      if (status < 400) this.#earlier.add(recorded, { headers: response.headers, text });
      const ofClient = error === undefined ? [] : [violation(error)];
      const found = violations.length > 0 ? violations : ofClient;
      const all = found.length > 0 ? found : this.#refusal(recorded, status, allowed);
      const shown = text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)}…` : text;
      return {
        status,
        failure: all.length === 0 ? undefined : fail(all, `${status} ${shown}`.trim()),
      };
    } catch (error) {
      const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
      if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
        throw new Error(`URL: got ${url} (${code}), expected a service that responds`);
      }
      return { status: undefined, failure: fail([violation(`no response: ${code ?? message}`)]) };
    } finally {
      leaving.abort();
    }
  }

  async #response(
    { operationId, isUntyped, status }: ReleasedRequest,
    root: string,
    sent: SentRequest,
    signal: AbortSignal,
  ): Promise<ClientResponse> {
    const { client } = this.#context;
    if (client !== undefined && !isUntyped && status < 400) {
      return client.send(operationId, { root, sent, signal });
    }
    const { method, target, headers, body } = sent;
    const response = await fetch(root + target, {
      ...{ method, redirect: 'manual', headers: { Connection: 'close', ...headers }, signal },
      ...(body !== undefined && { body }),
    });
    return { response, error: undefined };
  }

  async #received(operation: Operation, method: string, response: Response): Promise<Received> {
    const { status, headers } = response;
    const read = this.#check.sequence(operation, { status, headers });
    const isSequence = read !== undefined && response.body !== null;
    const bytes = isSequence ? undefined : Buffer.from(await response.arrayBuffer());
    const { violations } = await this.#check.check(operation, method, { status, headers, bytes });
    if (!isSequence || violations.length > 0) return { violations, text: bytes?.toString() ?? '' };
    return firstItems(read(response.body));
  }

  /** Later versions may accept more requests, but not fewer. */
  #refusal(recorded: ReleasedRequest, status: number, allowed: readonly number[]): Violation[] {
    if (recorded.status >= 400 || status < 400) return [];
    const { current, options } = this.#context;
    const isShared = options.url !== undefined && DEPENDS_ON_DATA.includes(status);
    // Only `startIn` empties the store of a started service.
    const isStored = options.startIn === undefined && status === 409;
    const isServed = currentOperation(current, recorded) !== undefined;
    if ((isShared || isStored || allowed.includes(status)) && isServed) return [];
    return [violation(`expected ${recorded.status}, as when the version was released`)];
  }

  #locations(operation: Operation, { pointer, where }: Violation, status: number) {
    const { released, current } = this.#context;
    const at = ({ definition, locations }: NamedContract, of: Operation | undefined) =>
      of && locations.position(locationOf(definition, of, { pointer, where }, status));
    const { method, path } = operation;
    return {
      released: at(released, operation)!,
      current: at(current, currentOperation(current, { ...operation, method, path })),
    };
  }
}

/** @returns the violations of the first invalid item, and the items until then as JSON Lines */
async function firstItems(items: AsyncGenerator<CheckedItem>): Promise<Received> {
  const ended = AbortSignal.timeout(STREAM_MS);
  const late = new Promise<undefined>((resolve) => {
    ended.addEventListener('abort', () => resolve(undefined));
  });
  const lines: string[] = [];
  while (lines.length < MAX_ITEMS) {
    const next = await Promise.race([items.next(), late]);
    if (next === undefined || next.done) break;
    const { value, violations } = next.value;
    lines.push(stringifyJson(value ?? null));
    if (violations.length > 0) return { violations, text: lines.join('\n') };
  }
  return { violations: [], text: lines.join('\n') };
}

/** A recorded path may continue the host of the URL: `.example/`, `0/`. */
function expectSameOrigin(root: string, url: string, { operationId, path }: ReleasedRequest): void {
  const { origin } = new URL(root);
  if (URL.parse(url)?.origin === origin) return;
  throw new Error(
    `the requests of the release: got the path ${JSON.stringify(path)} of ${operationId}, expected a path at ${origin}`,
  );
}

function violation(message: string): Violation {
  return { where: 'status', pointer: '', message, value: undefined };
}

function operationIn({ definition }: LoadedContract, { operationId }: ReleasedRequest): Operation {
  const found = definition.operations.find((each) => each.operationId === operationId);
  if (found !== undefined) return found;
  throw new Error(`the release has no operation ${operationId}, which its requests name`);
}

/** Its name may have changed, or its path. */
function currentOperation(
  { definition: { operations } }: LoadedContract,
  { operationId, method, path }: Pick<ReleasedRequest, 'operationId' | 'method' | 'path'>,
): Operation | undefined {
  return (
    operations.find((each) => each.method === method.toLowerCase() && each.path === path) ??
    operations.find((each) => each.operationId === operationId)
  );
}

/** @returns the pointer of the schema that a part of a response violates, else of the response */
function locationOf(
  definition: LoadedContract['definition'],
  { responses, location }: Operation,
  { pointer, where }: Pick<Violation, 'pointer' | 'where'>,
  status: number,
): string {
  const response = Number.isNaN(status) ? undefined : responseFor(responses, status);
  if (response === undefined || where === 'status') return `${location.pointer}/responses`;
  if (where.startsWith('header ')) {
    return `${response.pointer}/headers/${where.slice('header '.length)}`;
  }
  const [content] = contentsOf(definition, response).values();
  const model = SchemaModel.of(definition);
  const whole = content && model.at(`${content.pointer}/schema`);
  const schema = whole ?? (content && itemSchemaOf(content, model));
  if (schema === undefined) return response.pointer;
  let spot = { before: [schema], after: [] as (typeof schema)[] };
  // Without a schema of the array, the index of the item leads nowhere.
  for (const token of pointer.split('/').slice(whole === undefined ? 2 : 1)) {
    const next = inside(spot, /^\d+$/.test(token) ? Number(token) : token);
    if (next.before.length === 0) break;
    spot = { before: [...next.before], after: [] };
  }
  const [found] = spot.before;
  return (found!.ref ?? found!).pointer;
}
