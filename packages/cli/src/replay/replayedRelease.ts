// The conversations of one release, sent to the current service.
import type { LoadedContract, Operation } from '@stubwright/contract';
import { describeViolation, type Violation } from '@stubwright/contract/values';
import { inside } from '@stubwright/diff/internals';
import {
  type Conversation,
  overFetch,
  type ReleasedRequest,
  type ReplayedRequest,
  Replayer,
} from '@stubwright/traffic';
import { ResponseCheck } from 'stubwright/internals';
import type { NamedContract } from '../check/contracts.ts';
import type { ServedSelection } from '../serving/servedFiles.ts';
import type { ClientRequests } from './clientRequests.ts';
import type { ReplayedConversation, ReplayFailure, ReplayOptions } from './results.ts';
import type { StartedService, StartIn } from './startedService.ts';

interface Replaying {
  readonly released: NamedContract;
  readonly current: NamedContract;
  readonly start: StartIn;
  readonly options: ReplayOptions;
  /** Undefined to send the recorded bytes. */
  readonly client?: ClientRequests | undefined;
  /** How its clients name their version; undefined for a release that is not served any more. */
  readonly served?: ServedSelection | undefined;
}

/** The response depends on stored data, which another service than a new one has. */
const DEPENDS_ON_DATA = [404, 409, 410];

export class ReplayedRelease {
  readonly #version: string;
  readonly #context: Replaying;
  readonly #replayer: Replayer;

  constructor(version: string, context: Replaying) {
    this.#version = version;
    this.#context = context;
    const { client, released, options, served } = context;
    const { definition } = released;
    this.#replayer = new Replayer(definition, {
      // Later versions may add properties.
      responses: new ResponseCheck(definition, 'allow'),
      headers: { ...served?.headers, ...options.headers },
      call: (call, recorded) =>
        client === undefined || recorded.isUntyped || recorded.status >= 400
          ? overFetch(call)
          : client.send(recorded.operationId, call),
      mayRefuse: (...refused) => this.#mayRefuse(...refused),
    });
  }

  async converse({ name, situation, requests }: Conversation): Promise<ReplayedConversation> {
    const started = await this.#context.start(situation);
    const service = started && this.#serving(started);
    const own = { release: this.#version, name, situation };
    if (service === undefined) return { ...own, outcome: 'not run', statuses: [], failures: [] };
    const statuses: { recorded: number; status: number | undefined }[] = [];
    const failures: ReplayFailure[] = [];
    this.#replayer.startConversation();
    try {
      for (const recorded of requests) {
        const replayed = await this.#replayer.send(recorded, service);
        statuses.push({ recorded: recorded.status, status: replayed.status });
        if (replayed.violations.length > 0) failures.push(this.#failure(replayed));
      }
    } finally {
      await service.stop?.();
    }
    return { ...own, outcome: failures.length > 0 ? 'failed' : 'passed', statuses, failures };
  }

  /** The path of a served version stands instead of those of the servers of its contract. */
  #serving(service: StartedService): StartedService {
    const path = this.#context.served?.path;
    if (path === undefined) return service;
    return { ...service, url: service.url.replace(/\/+$/, '') + path, isOrigin: false };
  }

  #mayRefuse(recorded: ReleasedRequest, status: number, allowed: readonly number[]): boolean {
    const { current, options, served } = this.#context;
    const isShared = options.url !== undefined && DEPENDS_ON_DATA.includes(status);
    // Only `startIn` empties the store of a started service.
    const isStored = options.startIn === undefined && status === 409;
    const isServed = served !== undefined || currentOperation(current, recorded) !== undefined;
    return (isShared || isStored || allowed.includes(status)) && isServed;
  }

  #failure({ operation, curl, status, response, violations }: ReplayedRequest): ReplayFailure {
    const { released, current } = this.#context;
    const [first] = violations;
    const at = ({ locations }: NamedContract, of: Operation | undefined) =>
      of && locations.position(locationOf(of, first!, status));
    return {
      ...{ operationId: operation.operationId, curl, response },
      violations: violations.map(describeViolation),
      released: at(released, operation)!,
      current: at(current, currentOperation(current, operation)),
    };
  }
}

/** Its name may have changed, or its path. */
function currentOperation(
  { definition: { operations } }: LoadedContract,
  { operationId, method, path }: Pick<Operation, 'operationId' | 'method' | 'path'>,
): Operation | undefined {
  return (
    operations.find((each) => each.method === method.toLowerCase() && each.path === path) ??
    operations.find((each) => each.operationId === operationId)
  );
}

/** @returns the pointer of the schema that a part of a response violates, else of the response */
function locationOf(
  operation: Operation,
  { pointer, where }: Pick<Violation, 'pointer' | 'where'>,
  status: number | undefined,
): string {
  const response = status === undefined ? undefined : operation.responses.for(status);
  if (response === undefined || where === 'status') return `${operation.pointer}/responses`;
  if (where.startsWith('header ')) {
    return `${response.pointer}/headers/${where.slice('header '.length)}`;
  }
  const [content] = response.contents.values();
  const whole = content?.schema;
  const schema = whole ?? content?.item;
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
