// Compares how generated clients read the pages of an operation.
import type { Operation, Pagination } from '@stubwright/contract';
import { change } from '../rules/rules.ts';
import type { ComparedPart } from './comparedPart.ts';

const KEYWORD = 'x-pagination';

/**
 * Without `x-pagination` on either side, the parameters and properties that clients recognize are compared alone.
 *
 * @returns true if it reported a change
 */
export function comparePagination(operation: ComparedPart<Operation>): boolean {
  const { before, after } = operation;
  if (before.field(KEYWORD) === undefined && after.field(KEYWORD) === undefined) return false;
  const [was, is] = [before.pagination, after.pagination];
  if (was === undefined || is === undefined) {
    if (was === is) return false;
    const kind = is === undefined ? 'removed' : 'added';
    operation.report(change(`pagination-${kind}`), KEYWORD);
    return true;
  }
  const names = PARTS.filter((name) => isMissed(name, was, is));
  if (names.length === 0) return false;
  const changed = (pages: Pagination) =>
    Object.fromEntries(names.map((name) => [name, readParts(pages)[name] ?? null]));
  operation.report(change('pagination-changed', { was: changed(was), is: changed(is) }), KEYWORD);
  return true;
}

const PARTS = ['kind', 'parameter', 'items', 'next', 'more'] as const;

/** The parts that clients read: those of a page by number do not read `next`, nor those of a link a parameter. */
function readParts({ kind, parameter, items, next, more }: Pagination): Partial<Pagination> {
  const isFollowed = kind === 'cursor' || kind === 'link';
  return {
    ...{ kind, items },
    ...(kind !== 'link' && parameter !== undefined && { parameter }),
    ...(isFollowed && next !== undefined && { next }),
    ...(more !== undefined && { more }),
  };
}

/** A client that does not read `more` ends with an empty page. */
function isMissed(name: (typeof PARTS)[number], was: Pagination, is: Pagination): boolean {
  const [earlier, later] = [readParts(was)[name], readParts(is)[name]];
  return earlier !== later && !(name === 'more' && earlier === undefined);
}
