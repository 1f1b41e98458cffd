// What a recording of requests can show of each kind of change.
import type { Change, RuleId } from '../rules/rules.ts';

type Request<Id> = Id extends `request-${string}` ? Id : never;

/** A request that such a change concerns is refused: it shows when the request is put to the new contract. */
export const REFUSING: ReadonlySet<string> = new Set<RuleId>([
  'operation-removed',
  'operation-moved',
  'parameter-removed',
  'required-parameter-added',
  'parameter-became-required',
  'allow-empty-value-removed',
  'request-body-removed',
  'request-required-body-added',
  'request-body-became-required',
  'request-media-type-removed',
  ...keywords(
    ...(['type-narrowed', 'type-changed', 'enum-set', 'enum-value-removed'] as const),
    ...(['format-narrowed', 'format-changed', 'pattern-set', 'pattern-changed'] as const),
    ...(['minimum-narrowed', 'maximum-narrowed', 'multiple-of-narrowed'] as const),
    ...(['multiple-of-changed', 'min-length-narrowed', 'max-length-narrowed'] as const),
    ...(['min-items-narrowed', 'max-items-narrowed', 'unique-items-set'] as const),
    ...(['min-properties-narrowed', 'max-properties-narrowed'] as const),
    ...(['required-property-added', 'property-disallowed', 'property-became-required'] as const),
    ...(['additional-properties-disallowed', 'dependent-required-added'] as const),
    ...(['pattern-property-removed', 'not-set', 'condition-set', 'contains-set'] as const),
    ...(['min-contains-narrowed', 'max-contains-narrowed'] as const),
    ...(['alternative-removed', 'values-changed'] as const),
  ),
]);

function keywords<Id extends string>(...ids: readonly Id[]): Request<`request-${Id}`>[] {
  return ids.map((id) => `request-${id}` as Request<`request-${Id}`>);
}

const PART = /^(?:(?:path|query|header|cookie|querystring) parameter|request body|response)\b/;

/** False for security, servers, webhooks, callbacks and names of SDKs: what a recording cannot show counts as used. */
export function isVisible({ operations, part, rule }: Change): boolean {
  if (part.includes('callback') || !operations.every((operation) => /^[A-Z]+ \//.test(operation))) {
    return false;
  }
  return PART.test(part) || (part === '' && REFUSING.has(rule));
}
