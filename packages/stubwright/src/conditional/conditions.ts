// The conditions of a request, and their evaluation (RFC 9110, section 13.2.2).
import type { Parameter, Problem } from '@stubwright/contract';
import type { Exchange } from '../request/exchange.ts';
import { violationProblem } from '../request/violations.ts';
import { entityTagsOf, isStrongMatch, isWeakMatch, type TagList } from './entityTag.ts';

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
export type FalseCondition = ConditionName | 'none';

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
  return list === '*' || tags.some((tag) => list.some((each) => isMatch(each, tag)));
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
