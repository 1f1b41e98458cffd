// The problem of a request that violates the contract: its message, and one violation per error.
import {
  contractViolation,
  escapeToken,
  MORE,
  type Problem,
  type ProblemViolation,
} from '@stubwright/contract';
import { describeViolations, joinMessages, type Violation } from '@stubwright/contract/values';

/** @returns 400 with each violation */
export function violationProblem(violations: readonly Violation[]): Problem {
  return contractViolation(violationsText(violations), problemViolations(violations));
}

/** @returns the violations in one line */
export function violationsText(violations: readonly Violation[]): string {
  return joinMessages(new Set(describeViolations(violations)));
}

export function problemViolations(violations: readonly Violation[]): ProblemViolation[] {
  const described = violations.filter((each) => each.message !== MORE.message);
  return described.map(problemViolation);
}

function problemViolation({
  parameter,
  pointer,
  keyword = 'contract',
  message,
}: Violation): ProblemViolation {
  const start = parameter === undefined ? '' : `/${escapeToken(parameter.name)}`;
  const expected = EXPECTED[keyword] ?? message.replace(/^expected /, '');
  return { in: parameter?.in ?? 'body', pointer: start + pointer, rule: keyword, expected };
}

/** For messages that do not name the expectation. */
const EXPECTED: Readonly<Record<string, string>> = {
  required: 'a value',
  additionalProperties: 'no such name',
  unevaluatedProperties: 'no such name',
  propertyNames: 'an allowed name',
  unevaluatedItems: 'no such item',
  false: 'no value',
};
