// Sends the recorded requests of releases to a service, and compares the responses with those releases.
import type { LoadedContract, Operation } from '@stubwright/contract';
import { describeViolation, type Violation } from '@stubwright/contract/values';
import { inside } from '@stubwright/diff/internals';
import {
  type Conversation,
  overFetch,
  type ReleasedRequest,
  type ReplayedRequest,
  Replayer,
  recordedFor,
} from '@stubwright/traffic';
import { ResponseCheck } from 'stubwright/internals';
import { type NamedContract, openContract } from '../check/contracts.ts';
import { CONTRACT, RELEASED } from '../project/layout.ts';
import { type Release, releasesIn } from '../project/releases.ts';
import type { RoundTrips } from '../serving/roundTrips.ts';
import { type ServedSelection, servedSelections } from '../serving/servedFiles.ts';
import type { ClientRequests } from './clientRequests.ts';
import {
  type Replay,
  type ReplayedConversation,
  type ReplayFailure,
  type ReplayOptions,
  replayText,
} from './replayReport.ts';
import { type StartedService, type StartIn, startOf } from './startedService.ts';

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

class ReplayedRelease {
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
    operations.find(
      (operation) => operation.method === method.toLowerCase() && operation.path === path,
    ) ?? operations.find((operation) => operation.operationId === operationId)
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

export { recordedFor } from '@stubwright/traffic';
export type {
  Replay,
  ReplayedConversation,
  ReplayFailure,
  ReplayOptions,
} from './replayReport.ts';
export type { StartedService, StartIn } from './startedService.ts';

/**
 * Replays the requests of the clients of each release, and checks the converters of each served version.
 *
 * @throws {Error} for a release that does not exist, and a service that cannot be reached
 * @example
 * const { passed, report } = await replayReleases();
 * assert.ok(passed, report);
 */
export async function replayReleases(options: ReplayOptions = {}): Promise<Replay> {
  const { cwd = '', contract = CONTRACT, folder = RELEASED, allowOutside = [] } = options;
  const access = { cwd, allowOutside };
  const served = servedSelections(cwd);
  const all = selected(releasesIn(folder, cwd), options.release, folder);
  const releases = options.versions ? all.filter(({ version }) => served.has(version)) : all;
  const conversations: ReplayedConversation[] = [];
  const roundTrips: RoundTrips[] = [];
  if (releases.length > 0 || served.size > 0) {
    const current = await openContract(contract, { variable: 'CONTRACT', ...access });
    const start = await startOf({ ...options, cwd, contract: current });
    for (const release of releases) {
      const version = served.get(release.version);
      const released = await openContract(release.path, { ...access, isRelease: true });
      const recorded = recordedFor(release, cwd);
      // Loaded on demand: it generates a client.
      const clients = options.client ? await import('./clientRequests.ts') : undefined;
      const client = await clients?.ClientRequests.of(release.path, released.definition, cwd);
      const context = { released, current, start, options, client, served: version };
      const replayed = new ReplayedRelease(release.version, context);
      for (const conversation of recorded)
        conversations.push(await replayed.converse(conversation));
    }
    if (served.size > 0) {
      const { versionRoundTrips } = await import('../serving/servedClients.ts');
      roundTrips.push(...(await versionRoundTrips(current, options.release, access)));
    }
  }
  const result = {
    releases: releases.map(({ version }) => version),
    ...{ conversations, roundTrips },
    passed:
      conversations.every(({ outcome }) => outcome !== 'failed') &&
      roundTrips.every(({ findings }) => findings.length === 0),
  };
  return { ...result, report: replayText(result) };
}

function selected(releases: readonly Release[], version: string | undefined, folder: string) {
  if (version === undefined) return releases;
  const found = releases.filter((release) => release.version === version);
  if (found.length > 0) return found;
  const known = releases.map((release) => release.version).join(', ') || 'none yet';
  throw new Error(`--release: got ${version}, expected a release in ${folder}/ (${known})`);
}
