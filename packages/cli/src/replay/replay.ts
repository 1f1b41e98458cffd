// Sends the recorded requests of releases to a service, and compares the responses with those releases.

import type { Finding, LoadedContract, Operation, Position } from '@stubwright/contract';
import { countOf, positionText, printableLines } from '@stubwright/contract/printable';
import { describeViolation, type Violation } from '@stubwright/contract/values';
import { inside } from '@stubwright/diff/internals';
import { type Conversation, type ReleasedRequest, recordedFor } from '@stubwright/traffic';
import { type NamedContract, openContract } from '../check/contracts.ts';
import { CONTRACT, RELEASED } from '../project/layout.ts';
import { type Release, releasesIn } from '../project/releases.ts';
import type { RoundTripFinding, RoundTrips } from '../serving/roundTrips.ts';
import { type ServedSelection, servedSelections } from '../serving/servedVersions.ts';
import { type ReplayedRequest, Replayer } from './replayer.ts';
import { type StartedService, type StartIn, startOf } from './startedService.ts';

interface Replaying {
  readonly released: NamedContract;
  readonly current: NamedContract;
  readonly start: StartIn;
  readonly options: ReplayOptions;
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
    const { released, options, served } = context;
    this.#replayer = new Replayer(released.definition, {
      headers: { ...served?.headers, ...options.headers },
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
      const context = { released, current, start, options, served: version };
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

export interface ReplayOptions {
  /** The folder of the project; by default the working directory. */
  readonly cwd?: string | undefined;
  /** By default `openapi.yaml`. */
  readonly contract?: string | undefined;
  /** The folder of the releases; by default `test/released`. */
  readonly folder?: string | undefined;
  /** One version; by default all. */
  readonly release?: string | undefined;
  /** True for the served versions alone: other releases are left out. */
  readonly versions?: boolean | undefined;
  /** The root of a running service. By default each conversation starts `src/service.ts` in this process. */
  readonly url?: string | undefined;
  /** Replaces the recorded placeholder of credentials. By default that of the started service. */
  readonly token?: string | undefined;
  /** Sent with each request; a header with recorded credentials is replaced only where one was recorded. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The DATABASE_URL of the own service; by default a new SQLite file for each conversation. */
  readonly database?: string | undefined;
  /** Starts the service in a situation that a conversation names. */
  readonly startIn?: StartIn | undefined;
  /** The environment of the own service. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Folders that references may lead to, besides the contract's folder or repository. */
  readonly allowOutside?: readonly string[] | undefined;
}

export interface ReplayedConversation {
  readonly release: string;
  readonly name: string;
  /** `not run`: nothing starts the service in its situation. */
  readonly outcome: 'passed' | 'failed' | 'not run';
  readonly situation: string | undefined;
  /** The statuses of the responses: recorded when the version was released, and now. */
  readonly statuses: readonly { readonly recorded: number; readonly status: number | undefined }[];
  readonly failures: readonly ReplayFailure[];
}

export interface Replay {
  readonly releases: readonly string[];
  readonly conversations: readonly ReplayedConversation[];
  /** The samples that went through the converters of served versions, oldest first. */
  readonly roundTrips: readonly RoundTrips[];
  /** True if no conversation failed, and no converter. */
  readonly passed: boolean;
  /** Each failure, then a summary. */
  readonly report: string;
}

/** A response that a client of the release does not expect. */
export interface ReplayFailure {
  readonly operationId: string;
  /** The request, with placeholders for credentials. */
  readonly curl: string;
  /** The status and the start of the body; undefined without a response. */
  readonly response: string | undefined;
  /** One message per violation: `/name is required`. */
  readonly violations: readonly string[];
  /** The location in the released contract that the response violates. */
  readonly released: Position;
  /** The same location in the current contract; undefined if it has none. */
  readonly current: Position | undefined;
}

type Results = Omit<Replay, 'report'>;

function replayText({ releases, conversations, roundTrips }: Results): string {
  const lines = conversations.flatMap(({ release, name, outcome, situation, failures }) => {
    if (outcome === 'not run') return [`${release} ${name}: not run: ${situation}`];
    return failures.flatMap(({ curl, response, violations, released, current }) => [
      `${release} ${name}: ${violations.join('; ')}`,
      `  ${curl}`,
      `  response  ${response ?? 'none'}`,
      `  released  ${positionText(released)}`,
      `  current   ${current === undefined ? 'no such operation' : positionText(current)}`,
    ]);
  });
  const failed = conversations.filter(({ outcome }) => outcome === 'failed').length;
  const notRun = conversations.filter(({ outcome }) => outcome === 'not run').length;
  const counts = [
    countOf(releases.length, 'release'),
    countOf(conversations.length, 'conversation'),
    `${failed} failed`,
    ...(notRun > 0 ? [`${notRun} not run`] : []),
  ];
  const text = [...lines, ...roundTripLines(roundTrips), counts.join(', ')].join('\n');
  return printableLines(text, { isLineStart: true });
}

/** For formats that consist of findings; positions are those of the current contract, else of the release. */
export function replayFindings({ conversations, roundTrips }: Results): Finding[] {
  return [
    ...conversations.flatMap(({ release, name, outcome, situation, failures }): Finding[] => {
      const message = `${release} ${name}: not run: ${situation}`;
      if (outcome === 'not run') {
        return [{ level: 'note', rule: 'replay-not-run', message, position: undefined }];
      }
      return failures.map(({ violations, curl, response, released, current }) => ({
        level: 'error',
        rule: 'replay-response',
        message: `${release} ${name}: ${violations.join('; ')}: ${response ?? 'no response'}: ${curl}`,
        position: current ?? released,
      }));
    }),
    ...roundTripFindings(roundTrips),
  ];
}

/** @returns the findings of each version, then a line with its counts */
function roundTripLines(versions: readonly RoundTrips[]): string[] {
  return versions.flatMap(({ version, next, requests, replies, values, findings }) => {
    const counts = [
      countOf(requests, 'request'),
      countOf(replies, 'reply', 'replies'),
      countOf(values, 'value'),
    ].join(', ');
    const outcome = findings.length === 0 ? 'no finding' : countOf(findings.length, 'finding');
    return [
      ...findings.flatMap((finding) => {
        const { example, position } = finding;
        return [
          titleOf(finding),
          ...(example === null ? [] : [`  example   ${example}`]),
          ...(position === undefined ? [] : [`  released  ${positionText(position)}`]),
        ];
      }),
      `${version} -> ${next}: ${counts}: ${outcome}`,
    ];
  });
}

/** @returns the findings, for formats that consist of them */
function roundTripFindings(versions: readonly RoundTrips[]): Finding[] {
  return versions.flatMap(({ findings }) =>
    findings.map((finding): Finding => {
      const { rule, example, position } = finding;
      const message = `${titleOf(finding)}${example === null ? '' : `: ${example}`}`;
      return { level: 'error', rule, message, position };
    }),
  );
}

/** @returns `1.4.0 createBook reply: it has the status 410, which the version does not declare` */
function titleOf({ version, rule, operationId, message }: RoundTripFinding): string {
  const part = { 'converted-request': ' request', 'converted-reply': ' reply' };
  const direction = rule in part ? part[rule as keyof typeof part] : '';
  return `${version} ${operationId === null ? '' : `${operationId}${direction}: `}${message}`;
}
