// The results of a replay, as text and as findings.

import type { Finding } from '@stubwright/contract';
import { countOf, positionText, printableLines } from '@stubwright/contract/printable';
import type { RoundTripFinding, RoundTrips } from '../serving/roundTrips.ts';
import type { Replay } from './results.ts';

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
