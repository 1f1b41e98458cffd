// Problems that Redocly reports of valid contracts.
import type { NormalizedProblem } from '@redocly/openapi-core';
import type { Node } from 'stubwright/internal/document/definition';

const NO_DESCRIPTION = /^The field `description` must be present/;

/** Since OpenAPI 3.2 a response needs no description; Redocly 2 still reports it. */
export function withoutFalseProblems(
  problems: readonly NormalizedProblem[],
  document: Node,
): readonly NormalizedProblem[] {
  if (!String(document.openapi).startsWith('3.2')) return problems;
  return problems.filter(({ message }) => !NO_DESCRIPTION.test(message));
}
