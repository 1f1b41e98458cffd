// Assigns breaking changes to converters: the member of a converter that a change needs, if any.
import type { Change } from '@stubwright/diff';

export type SchemaMember = 'toNew' | 'toOld';
export type OperationMember = 'request' | 'reply' | 'item' | 'call';
export type ConverterMember = SchemaMember | OperationMember;

export function stepsOf(member: ConverterMember): string {
  return `${member}Steps`;
}

/** The rules whose changes no converter can undo. */
const UNCONVERTIBLE = new Set<string>([
  ...['operation-id-changed', 'operation-id-removed', 'sunset-earlier', 'server-removed'],
  ...['security-requirement-removed', 'webhook-removed', 'pagination-removed'],
  ...['request-sunset-earlier', 'response-sunset-earlier'],
  // The older contract sets its own default.
  'request-default-changed',
]);

/** @returns whether clients send or receive the part that changed; undefined if no converter applies */
export function directionOf({ rule, severity }: Change): 'request' | 'reply' | 'call' | undefined {
  if (severity !== 'breaking' || UNCONVERTIBLE.has(rule)) return undefined;
  if (rule === 'operation-removed' || rule === 'operation-moved') return 'call';
  return rule.startsWith('response-') ? 'reply' : 'request';
}

/** The breaking changes of the clients of a current contract that those of a served version do not notice. */
const UNNOTICED = new Set<string>([
  ...['operation-id-changed', 'operation-id-removed', 'request-default-changed'],
]);

/** True for a change that the converters of a served version undo, or that does not reach its clients. */
export function isConvertibleChange(change: Change): boolean {
  if (UNNOTICED.has(change.rule)) return true;
  const { operations } = change;
  const isOfWebhook = operations.some((title) => title.startsWith('webhook '));
  return directionOf(change) !== undefined && operations.length > 0 && !isOfWebhook;
}

/** The rules of schemas whose changes TypeScript shows, without their direction. */
const TYPED =
  /^(?:type-|enum-|extensible-enum-|property-|required-property-|alternative-|discriminator-|(?:required-|optional-)?body-|media-type-)/;
/** The formats that have a type of their own. */
const TYPED_FORMATS = new Set<unknown>(['int64', 'binary']);

/** True for a change of a constraint, which both contracts have the same types for. */
export function isConstraint({ rule, facts }: Change): boolean {
  const [, schemaRule] = /^(?:request|response)-(.*)$/.exec(rule) ?? [];
  if (schemaRule === undefined || TYPED.test(schemaRule)) return false;
  if (schemaRule.startsWith('format-')) {
    return ![facts?.['was'], facts?.['is']].some((each) => TYPED_FORMATS.has(each));
  }
  return !/^(?:status|header|range)-/.test(schemaRule);
}

const COMPONENT = /^\/components\/schemas\/([^/]+)(\/.*)?$/;

/** @returns the component schema that a JSON pointer leads into, as in the pointer */
export function componentIn(pointer: string): string | undefined {
  return COMPONENT.exec(pointer)?.[1];
}

/** @returns `/names/common` for `/components/schemas/Toy/properties/names/properties/common/maxLength` */
export function pathInComponent(pointer: string): string {
  const [, , inner = ''] = COMPONENT.exec(pointer) ?? [];
  const tokens = inner.split('/').slice(1);
  const path: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at] === 'properties' && tokens[at + 1] !== undefined) path.push(tokens[++at]!);
    else if (tokens[at] === 'items') path.push('items');
  }
  return path.length === 0 ? '' : `/${path.join('/')}`;
}
