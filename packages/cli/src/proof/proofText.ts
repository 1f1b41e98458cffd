// The proofs of served versions, as text and as findings.
import type { Finding } from '@stubwright/contract';
import { countOf, positionText } from '@stubwright/contract/printable';
import type { ProofFinding, VersionProof } from './results.ts';

/** @returns the findings of each version, then a line with its counts */
export function proofLines(proofs: readonly VersionProof[]): string[] {
  return proofs.flatMap((proof) => [...proof.findings.flatMap(linesOf), summaryOf(proof)]);
}

function linesOf(finding: ProofFinding): string[] {
  const { version, message, example, position } = finding;
  return [
    `${version} ${subjectOf(finding)}: ${message}`,
    ...(example === null ? [] : [`  example   ${example}`]),
    ...(position === undefined ? [] : [`  released  ${positionText(position)}`]),
  ];
}

function summaryOf({ version, next, findings, ...counts }: VersionProof): string {
  const parts = [
    countOf(counts.converters, 'converter'),
    countOf(counts.requests, 'request'),
    countOf(counts.replies, 'reply', 'replies'),
    countOf(counts.witnesses, 'witness', 'witnesses'),
    countOf(counts.roundTrips, 'round trip'),
  ];
  const outcome = findings.length === 0 ? 'proven' : countOf(findings.length, 'finding');
  return `${version} -> ${next}: ${parts.join(', ')}: ${outcome}`;
}

/** @returns `getToy reply`, or the converter */
function subjectOf({ converter, operationId, direction }: ProofFinding): string {
  const named = converter ?? operationId ?? 'the version';
  return converter !== null || direction === null ? named : `${named} ${direction}`;
}

export function proofFindings(proofs: readonly VersionProof[]): Finding[] {
  return proofs.flatMap(({ findings }) =>
    findings.map((finding): Finding => {
      const { rule, version, message, example, position } = finding;
      const shown = example === null ? '' : `: ${example}`;
      const text = `${version} ${subjectOf(finding)}: ${message}${shown}`;
      return { level: 'error', rule, message: text, position };
    }),
  );
}
