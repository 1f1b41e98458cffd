// Maps a problem of Redocly to our message and severity.
import type { NormalizedProblem } from '@redocly/openapi-core';

/** The rule of errors that do not prevent mocking. */
export const MOCKABLE = 'contract/mockable';

export interface Classified {
  readonly isError: boolean;
  /** As in ContractError. */
  readonly isMockable?: boolean;
  /** `error  expectation` */
  readonly text: string;
}

/** Types of nodes for documentation only; the engine requires the shape of all others. */
const FOR_READERS =
  /^(?:Info|Tag|ExternalDocs|Contact|License|Logo|Example|Link|Callback|Webhook|Named(?:Example|Link|Callback)|X[A-Z]|SpecExtension|OAuth2|\w+Flow|\w+Scopes|Enum)/;
/** Fields that are required for routing and responses. */
const NEEDED = new Set(['paths', 'responses']);
/** Keywords that the engine enforces in every version; Redocly lists them for some only. */
const ENFORCED = new Set([
  ...['nullable', 'const', 'if', 'then', 'else', 'prefixItems', 'patternProperties', 'contains'],
  ...['minContains', 'maxContains', 'propertyNames', 'dependentRequired', 'dependentSchemas'],
  ...['unevaluatedItems', 'unevaluatedProperties', '$recursiveRef', '$recursiveAnchor'],
]);
/** Requests that the service would send, not receive. */
const OUTGOING = /^#\/webhooks\/|\/callbacks\//;

/** @returns undefined for a bigint, which Redocly does not accept as a number */
export function classify(problem: NormalizedProblem): Classified | undefined {
  const { ruleId, severity, message, location, suggest } = problem;
  if (ruleId.startsWith('contract/')) {
    const isMockable = ruleId === MOCKABLE;
    return { isError: severity === 'error', isMockable, text: message };
  }
  if (message.includes('got `bigint`')) return undefined;
  if (ruleId === 'no-identical-paths' || ruleId === 'no-ambiguous-paths') {
    return ambiguous(message) ?? unknown(plain(message));
  }
  return structural(message, location[0]?.pointer ?? '', suggest);
}

/** Of `struct`: https://redocly.com/docs/cli/rules/common/struct */
function structural(message: string, pointer: string, suggest: readonly string[]): Classified {
  const text = plain(message);
  const isOutgoing = OUTGOING.test(pointer);
  const [, type, shape, got] =
    /^Expected type `([^`]+)` \((array|object)\) but got `([^`]+)`/.exec(message) ?? [];
  if (type !== undefined) {
    const isError = !FOR_READERS.test(type) && !isOutgoing;
    return { isError, text: `got ${kind(got!)}  expected ${kind(shape!)} (${type})` };
  }
  const [, field] = /^The field `([^`]+)` must be present/.exec(message) ?? [];
  if (field !== undefined) {
    const isError = NEEDED.has(field) && !isOutgoing;
    return { isError, text: `${field} is missing  expected it here` };
  }
  const [, oneOf] = /^Must contain at least one of the following fields: (.*)$/.exec(text) ?? [];
  if (oneOf !== undefined) {
    return { isError: pointer === '#/', text: `got none of them  expected ${oneOf}` };
  }
  const known = harmless(text, suggest);
  return known === undefined ? unknown(text) : { isError: false, text: known };
}

/** An unknown message may have any meaning. */
function unknown(text: string): Classified {
  return { isError: true, text: `${text}  expected valid OpenAPI` };
}

/** @returns undefined for an unknown message */
function harmless(text: string, suggest: readonly string[]): string | undefined {
  const [, unknown] = /^Property (.+) is not expected here/.exec(text) ?? [];
  if (unknown !== undefined && ENFORCED.has(unknown)) {
    return `${unknown} is not a keyword of this version, but is enforced  expected a keyword of this version`;
  }
  if (unknown !== undefined) {
    const meant = suggest.length > 0 ? suggest.join(' or ') : 'a field of the specification or x-…';
    return `${unknown} is unknown here and ignored  expected ${meant}`;
  }
  const [, wanted, got] = /^Expected type (\w+) but got (\w+)/.exec(text) ?? [];
  if (wanted !== undefined) return `got ${kind(got!)}  expected ${kind(wanted)}`;
  const [, field, values] = /^(\w+) can be one of the following only: (.*)/.exec(text) ?? [];
  if (field !== undefined) return `${field} has an unknown value  expected one of ${values}`;
  const [, notAllowed] = /^The field (\S+) is not allowed here$/.exec(text) ?? [];
  if (notAllowed !== undefined) return `${notAllowed} is ignored here  expected no such field`;
  const [, small, minimum] =
    /^The value of the (\S+) field must be greater than or equal to (\S+)$/.exec(text) ?? [];
  return small === undefined ? undefined : `${small} is too small  expected ${minimum} or more`;
}

/** @returns undefined for a message without two paths */
function ambiguous(message: string): Classified | undefined {
  const [, first, second] = /: `([^`]+)` and `([^`]+)`\.$/.exec(message) ?? [];
  if (second === undefined) return undefined;
  const text = `${second} is ambiguous with ${first}, which takes precedence  expected unambiguous paths`;
  return { isError: false, text };
}

function plain(message: string): string {
  return message.replaceAll('`', '').replace(/\.$/, '');
}

function kind(type: string): string {
  const names: Record<string, string> = {
    array: 'an array',
    object: 'an object',
    integer: 'an integer',
    undefined: 'nothing',
    null: 'null',
  };
  return names[type] ?? `a ${type}`;
}
