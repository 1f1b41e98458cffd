// Problems that Redocly reports of valid contracts.
import type { NormalizedProblem } from '@redocly/openapi-core';
import type { Node } from 'stubwright/contract';

/** Since OpenAPI 3.2 a response needs no description. */
const NO_DESCRIPTION = /^The field `description` must be present/;
/** Since OpenAPI 3.1 `true` and `false` are schemas. */
const BOOLEAN_SCHEMA = /^Expected type `Schema` \(object\) but got `boolean`/;

/** @returns the problems that the version of the contract has */
export function withoutFalseProblems(
  problems: readonly NormalizedProblem[],
  { openapi }: Node,
): readonly NormalizedProblem[] {
  const [, minor = '0'] = String(openapi).split('.');
  const valid = [
    ...(Number(minor) >= 1 ? [BOOLEAN_SCHEMA] : []),
    ...(Number(minor) >= 2 ? [NO_DESCRIPTION] : []),
  ];
  return problems.filter(({ message }) => !valid.some((pattern) => pattern.test(message)));
}
