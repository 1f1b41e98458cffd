// The results of a replay, as text and as findings.

import type { Finding } from '@stubwright/contract';
import { countOf, positionText, printableLines } from '@stubwright/contract/printable';
import { proofFindings, proofLines } from '../proof/proofText.ts';
import type { Replay } from './results.ts';

type Results = Omit<Replay, 'report'>;

export function replayText({ releases, conversations, typeFailures, proofs }: Results): string {
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
  const ofTypes = typeFailures.flatMap(
    ({ release, operationId, use, message, change, position }) => [
      `${release} types: a program that uses ${operationId} does not compile: it ${use}`,
      `  compiler  ${message}`,
      ...(change === undefined ? [] : [`  change    ${change}`]),
      ...(position === undefined ? [] : [`  current   ${positionText(position)}`]),
    ],
  );
  const failed = conversations.filter(({ outcome }) => outcome === 'failed').length;
  const notRun = conversations.filter(({ outcome }) => outcome === 'not run').length;
  const counts = [
    countOf(releases.length, 'release'),
    countOf(conversations.length, 'conversation'),
    `${failed} failed`,
    ...(notRun > 0 ? [`${notRun} not run`] : []),
    countOf(typeFailures.length, 'type error'),
  ];
  const text = [...lines, ...ofTypes, ...proofLines(proofs), counts.join(', ')].join('\n');
  return printableLines(text, { isLineStart: true });
}

/** For formats that consist of findings; positions are those of the current contract, else of the release. */
export function replayFindings({ conversations, typeFailures, proofs }: Results): Finding[] {
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
    ...typeFailures.map(({ release, operationId, use, message, change, position }): Finding => {
      const cause = change === undefined ? '' : `: ${change}`;
      const text = `${release} ${operationId}: a program that ${use} does not compile: ${message}${cause}`;
      return { level: 'error', rule: 'replay-types', message: text, position };
    }),
    ...proofFindings(proofs),
  ];
}
