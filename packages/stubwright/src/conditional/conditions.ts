// The conditions of a request, and their evaluation (RFC 9110, section 13.2.2).

import type { Contract, Operation, Parameter, Problem } from '@stubwright/contract';
import { violationProblem } from '../request/body/body.ts';
import type { Exchange } from '../request/exchange.ts';

export const CONDITIONS = [
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
] as const;

export type ConditionName = (typeof CONDITIONS)[number];

/** What a request expects of the resource; undefined for conditions that it does not have. */
export interface Conditions {
  readonly ifMatch: TagList | undefined;
  readonly ifNoneMatch: TagList | undefined;
  /** In milliseconds. */
  readonly ifModifiedSince: number | undefined;
  /** In milliseconds. */
  readonly ifUnmodifiedSince: number | undefined;
}

/** The selected representation. */
export interface Current {
  readonly exists: boolean;
  /** Those of its media types; empty if it has none. */
  readonly tags: readonly string[];
  /** In milliseconds; undefined if unknown. */
  readonly lastModified: number | undefined;
}

/** `none`: all conditions are true. Otherwise the condition that is false. */
type FalseCondition = ConditionName | 'none';

/** @returns the first condition that is false, in the order of RFC 9110, section 13.2.2 */
export function falseCondition(
  conditions: Conditions,
  { exists, tags, lastModified }: Current,
): FalseCondition {
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = conditions;
  if (ifMatch !== undefined) {
    if (!exists || !matches(ifMatch, tags, isStrongMatch)) return 'If-Match';
  } else if (isBefore(ifUnmodifiedSince, lastModified)) return 'If-Unmodified-Since';
  if (ifNoneMatch !== undefined) {
    return exists && matches(ifNoneMatch, tags, isWeakMatch) ? 'If-None-Match' : 'none';
  }
  const isUnmodified =
    ifModifiedSince !== undefined && lastModified !== undefined && lastModified <= ifModifiedSince;
  return isUnmodified ? 'If-Modified-Since' : 'none';
}

function matches(
  list: TagList,
  tags: readonly string[],
  isMatch: (a: string, b: string) => boolean,
): boolean {
  return list === '*' || tags.some((tag) => list.some((text) => isMatch(text, tag)));
}

function isBefore(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && a < b;
}

/**
 * Reads the conditions of a request. Of a read, a malformed `If-None-Match` is ignored: its response is
 * complete. A malformed date is ignored (RFC 9110, sections 13.1.3 and 13.1.4).
 *
 * @param textOf the value of a condition that applies to the operation
 * @throws {Problem} 400 for malformed entity tags, without which a write would have no condition
 */
export function conditionsOf(
  textOf: (name: ConditionName) => string | undefined,
  isRead: boolean,
): Conditions {
  return {
    ifMatch: tagsIn('If-Match', textOf('If-Match')),
    ifNoneMatch: isRead
      ? entityTagsOf(textOf('If-None-Match') ?? 'none')
      : tagsIn('If-None-Match', textOf('If-None-Match')),
    ifModifiedSince: httpDate(textOf('If-Modified-Since')),
    ifUnmodifiedSince: httpDate(textOf('If-Unmodified-Since')),
  };
}

function tagsIn(name: ConditionName, text: string | undefined): TagList | undefined {
  if (text === undefined) return undefined;
  const tags = entityTagsOf(text);
  if (tags === undefined) throw malformed(name, text);
  return tags;
}

function malformed(name: ConditionName, value: string): Problem {
  const message = 'expected * or entity tags in quotes, such as "1"';
  const parameter = { in: 'header', name } as const;
  return violationProblem([
    { where: `header ${name}`, pointer: '', message, value, keyword: 'style', parameter },
  ]);
}

/** The value of a header; of a request that was converted from another contract, its parameter. */
export function conditionText(
  { headers, parameters }: Pick<Exchange, 'headers' | 'parameters'>,
  name: ConditionName,
  parameter: Parameter | undefined,
): string | undefined {
  const value: unknown = parameter && parameters.header[parameter.name];
  return (Array.isArray(value) ? value.join() : (value ?? headers[name.toLowerCase()]))?.toString();
}

/** RFC 9110, section 5.6.7: the preferred format, and the two obsolete ones. */
const DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/** @returns the time in milliseconds; undefined for another format */
export function httpDate(text: string | undefined): number | undefined {
  if (text === undefined || !DATE.test(text)) return undefined;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/** The version of a resource, such as a column that each write increments. */
export type ResourceVersion = string | number | bigint;

/** `*`, or the entity tags of a condition. */
type TagList = '*' | readonly string[];

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/y;
const WHITESPACE = /[ \t]*/y;

/**
 * Returns the entity tag of a version, for the header `ETag`. Each version has a tag of its own: characters
 * that an entity tag cannot have are percent-encoded.
 *
 * @param isWeak for representations that are equivalent, and not equal in each byte; `If-Match` never
 *   matches a weak tag
 * @throws {TypeError} for a version that is no string, bigint or finite number
 * @example
 * return { status: 200, headers: { ETag: etag(toy.version) }, body: toy };
 */
export function etag(
  version: ResourceVersion,
  { isWeak = false }: { readonly isWeak?: boolean } = {},
): string {
  const isVersion = ['string', 'bigint'].includes(typeof version) || Number.isFinite(version);
  const text = String(version);
  if (!isVersion || !text.isWellFormed()) {
    throw new TypeError(`etag: got ${text.toWellFormed()}, expected a version: text or a number`);
  }
  return `${isWeak ? 'W/' : ''}"${text.replace(/[^\x21\x23\x24\x26-\x7e]/gu, percentEncoded)}"`;
}

function percentEncoded(character: string): string {
  return Array.from(
    Buffer.from(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

export function isEntityTag(text: string): boolean {
  TAG.lastIndex = 0;
  return TAG.test(text) && TAG.lastIndex === text.length;
}

/**
 * Reads a condition. Empty elements of a list are ignored (RFC 9110, section 5.6.1.2).
 *
 * @returns undefined if it is malformed
 */
export function entityTagsOf(text: string): TagList | undefined {
  if (text === '*') return '*';
  const tags: string[] = [];
  let at = endOf(WHITESPACE, text, 0);
  while (at < text.length) {
    const end = endOf(TAG, text, at);
    if (end > at) tags.push(text.slice(at, end));
    at = endOf(WHITESPACE, text, end);
    if (at === text.length) return tags;
    if (text[at] !== ',') return undefined;
    at = endOf(WHITESPACE, text, at + 1);
  }
  return tags;
}

/** @returns the end of the match; the start if there is none */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

/** RFC 9110, section 8.8.3.2. */
export function isStrongMatch(a: string, b: string): boolean {
  return a === b && !a.startsWith('W/');
}

/** RFC 9110, section 8.8.3.2. */
export function isWeakMatch(a: string, b: string): boolean {
  return opaqueTag(a) === opaqueTag(b);
}

function opaqueTag(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

export function isRead({ method }: Operation): boolean {
  return method === 'get' || method === 'head';
}

/** True for a read with an entity tag or a date, which may get 304. */
export function isConditionalRead(operation: Operation): boolean {
  const hasValidator = () =>
    declaresHeader(operation, 'etag') || declaresHeader(operation, 'last-modified');
  return isRead(operation) && hasValidator();
}

/** True for a write whose handler checks conditions. */
export function isConditionalWrite(operation: Operation): boolean {
  return !isRead(operation) && declaredConditions(operation).length > 0;
}

/** A condition of a write on the date alone is ignored (RFC 9110, section 13.1.3). */
export function declaredConditions(operation: Operation): ConditionName[] {
  const applicable = isRead(operation)
    ? CONDITIONS
    : CONDITIONS.filter((name) => name !== 'If-Modified-Since');
  return applicable.filter((name) => operation.parameter('header', name) !== undefined);
}

/** @returns the GET of the same path, if it declares an ETag */
export function readOf({ operations }: Contract, { path }: Operation): Operation | undefined {
  const read = operations.find(
    (operation) => operation.path === path && operation.method === 'get',
  );
  return read !== undefined && declaresHeader(read, 'etag') ? read : undefined;
}

/** @returns true if a success response declares the header */
export function declaresHeader(operation: Operation, name: string): boolean {
  const names = successKeys(operation).flatMap((key) => [
    ...operation.responses.get(key)!.headers.keys(),
  ]);
  return names.some((text) => text.toLowerCase() === name);
}

/** @returns the declared success statuses and ranges */
export function successKeys({ responses }: Operation): string[] {
  return [...responses.keys()].filter((key) => key.startsWith('2'));
}
