// The options and the results of a replay, as text and as findings.
import type { Finding, Position } from '@stubwright/contract';
import { countOf, positionText, printableLines } from '@stubwright/contract/printable';
import type { RoundTripFinding, RoundTrips } from '../serving/roundTrips.ts';
import type { StartIn } from './startedService.ts';

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
  /** True to send the requests that the types allow through the generated client of their release. */
  readonly client?: boolean | undefined;
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

export function replayText({ releases, conversations, roundTrips }: Results): string {
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
