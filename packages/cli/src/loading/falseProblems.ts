// Problems that Redocly reports of valid contracts.

import type { NormalizedProblem } from '@redocly/openapi-core';
import { isObject, type Node, unescapeUri, valueAt } from '@stubwright/contract';
import { parseText } from './parse.ts';
import { withoutStops } from './schemaReferences.ts';

/** Since OpenAPI 3.2 a response needs no description. */
const NO_DESCRIPTION = /^The field `description` must be present/;
/** Redocly cannot compile the schema; `check/examples.ts` validates the same examples. */
const NOT_COMPILED = /^Example validation errored: /;
/** Since OpenAPI 3.1 `true` and `false` are schemas. */
const BOOLEAN_SCHEMA = /^Expected type `Schema` \(object\) but got `boolean`/;

/** Redocly finds parameters in paths by `[a-zA-Z0-9_.-]+`. */
const UNUSED_PARAMETER = /^Path parameter `(.+)` is not used in the path `(.+)`\.$/s;

const MAPPED = /\/discriminator\/mapping\/[^/]+$/;

/** @returns the problems that the version of the contract has */
export function withoutFalseProblems(
  problems: readonly NormalizedProblem[],
  document: Node,
  { isConnected }: { readonly isConnected: boolean },
): readonly NormalizedProblem[] {
  const [, minor = '0'] = String(document.openapi).split('.');
  const valid = [
    NOT_COMPILED,
    ...(Number(minor) >= 1 ? [BOOLEAN_SCHEMA] : []),
    ...(Number(minor) >= 2 ? [NO_DESCRIPTION] : []),
  ];
  const parsed = new Map<string, unknown>();
  const mapsToSchema = ({ ruleId, location: [at] }: NormalizedProblem) => {
    if (ruleId !== 'no-unresolved-refs' || !MAPPED.test(at?.pointer ?? '')) return false;
    const { body } = at!.source;
    if (!parsed.has(body)) {
      const result = parseText(body, false);
      parsed.set(body, 'value' in result ? result.value : undefined);
    }
    return isSchemaName(valueAt(parsed.get(body), at!.pointer!), document);
  };
  const found = isConnected ? withoutStops(problems, document) : problems;
  return found.filter(
    (problem) =>
      !valid.some((pattern) => pattern.test(problem.message)) &&
      !isUsedParameter(problem) &&
      !isResolved(problem, document) &&
      !mapsToSchema(problem),
  );
}

function isUsedParameter({ message }: NormalizedProblem): boolean {
  const [, name, path] = UNUSED_PARAMETER.exec(message) ?? [];
  return path?.includes(`{${name}}`) === true;
}

/** Redocly drops the empty tokens of a JSON pointer. */
function isResolved({ ruleId, location: [at] }: NormalizedProblem, document: Node): boolean {
  if (ruleId !== 'no-unresolved-refs' && ruleId !== 'contract/refs') return false;
  const pointer = unescapeUri(at?.pointer?.slice(1).replace(/\/\$ref$/, '') ?? '');
  const { $ref } = Object(valueAt(document, pointer));
  if (typeof $ref !== 'string' || !/^#\/.*\/(?:\/|$)/.test($ref)) return false;
  return valueAt(document, unescapeUri($ref.slice(1))) !== undefined;
}

/** A mapping may name a schema in place of its URI. */
function isSchemaName(value: unknown, { components }: Node): boolean {
  const schemas = isObject(components) ? components.schemas : undefined;
  return typeof value === 'string' && isObject(schemas) && Object.hasOwn(schemas, value);
}
