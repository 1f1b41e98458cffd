// What the contract says about the pages that a server sends: their size, their start and their end.
import { isObject } from '../document/node.ts';
import { unescapeToken } from '../document/pointer.ts';
import { isBigint, type Schema } from '../schema/model.ts';
import { possibleSchemas } from '../schema/possible.ts';
import type { Parameter } from './describedValues.ts';
import {
  bodySchemas,
  type PagedOperation,
  type Pagination,
  paginationOf,
  schemasAt,
} from './pagination.ts';

/** The pages of an operation with `x-pagination`, for the server. */
export interface PageRules {
  readonly pagination: Pagination;
  /** The first page, or the first item. */
  readonly start: number;
  /** The number of items of a page for a request that has none. */
  readonly defaultSize: number;
  /** A larger size is reduced to it. */
  readonly maxSize: number;
  /** The type of `next`. */
  readonly nextType: 'string' | 'bigint' | 'number';
  /** The value of `next` on the last page; undefined omits it. */
  readonly end: null | '' | undefined;
  /** The name of the header `Link` as the success declares it. */
  readonly linkHeader: string | undefined;
}

/** Without a declared default, and without a declared maximum. */
const DEFAULT_SIZE = 100;
const MAX_SIZE = 1000;

/** @returns undefined for an operation without `x-pagination`, and for one with errors */
export function pageRulesOf(
  operation: PagedOperation & { field(name: string): unknown },
): PageRules | undefined {
  const described = operation.field('x-pagination');
  const pagination = isObject(described) ? paginationOf(operation, described) : undefined;
  if (pagination === undefined) return undefined;
  const { size, items, next } = pagination;
  const [body] = bodySchemas(operation);
  const declared = size === undefined ? undefined : operation.parameter('query', size);
  const maxSize = Math.min(
    maximumOf(declared?.schema?.conjuncts ?? [], 'maximum') ?? MAX_SIZE,
    maximumOf(body === undefined ? [] : schemasAt([body], items), 'maxItems') ?? MAX_SIZE,
  );
  const headers = operation.responses.success?.headers.keys() ?? [];
  const own = body === undefined || next === undefined ? [] : schemasAt([body], next);
  const ofNext = [...possibleSchemas(own)];
  return {
    pagination,
    start: firstPageOf(operation, pagination),
    defaultSize: Math.min(defaultOf(declared) ?? DEFAULT_SIZE, maxSize),
    maxSize,
    nextType: typeOf(ofNext),
    end: body === undefined || next === undefined ? undefined : endOf(body, next, ofNext),
    linkHeader: [...headers].find((name) => name.toLowerCase() === 'link'),
  };
}

/** @returns the default of the parameter, else 1 for pages and 0 for items */
export function firstPageOf(operation: PagedOperation, { kind, parameter }: Pagination): number {
  const declared = parameter === undefined ? undefined : operation.parameter('query', parameter);
  return defaultOf(declared) ?? (kind === 'page' ? 1 : 0);
}

function defaultOf(parameter: Parameter | undefined): number | undefined {
  const conjuncts = parameter?.schema?.conjuncts ?? [];
  const value = conjuncts
    .map(({ keywords }) => keywords.default)
    .find((each) => each !== undefined);
  const number = Number(value ?? Number.NaN);
  return Number.isInteger(number) ? number : undefined;
}

function maximumOf(schemas: Iterable<Schema>, keyword: 'maximum' | 'maxItems') {
  const values = [...possibleSchemas(schemas)].map(({ keywords }) => Number(keywords[keyword]));
  const numbers = values.filter((value) => Number.isFinite(value) && value >= 1);
  return numbers.length === 0 ? undefined : Math.floor(Math.min(...numbers));
}

function typeOf(schemas: readonly Schema[]): PageRules['nextType'] {
  if (schemas.some(({ types }) => types?.has('string'))) return 'string';
  return schemas.some(isBigint) ? 'bigint' : 'number';
}

/** Omitted where it may be, else null where the schema allows it, else empty: each ends the iteration. */
function endOf(body: Schema, next: string, ofNext: readonly Schema[]): null | '' | undefined {
  const at = next.lastIndexOf('/');
  const name = unescapeToken(next.slice(at + 1));
  const parents = [...possibleSchemas(schemasAt([body], next.slice(0, at)))];
  const isRequired = parents.some(({ keywords }) => [keywords.required].flat().includes(name));
  if (!isRequired) return undefined;
  return ofNext.some(({ types }) => types?.has('null')) ? null : '';
}
