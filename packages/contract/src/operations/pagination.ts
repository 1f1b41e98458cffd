// How an operation returns a list in pages: `x-pagination`, else by the usual names.
import { isObject, tokensOf, unescapeToken } from '../document/node.ts';
import { isBigint, type Schema } from '../schema/model.ts';
import { possibleSchemas } from '../schema/possible.ts';
import type { Parameter, Responses } from './describedValues.ts';
import { type FieldError, FieldErrors } from './extensions.ts';
import { isJsonMediaType } from './mediaType.ts';

/** The parts of an operation that describe its pages. */
interface PagedOperation {
  readonly method: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Responses;
  parameter(where: string, name: string): Parameter | undefined;
}

const PAGINATION_KINDS = ['cursor', 'page', 'offset', 'link'] as const;

/** A JSON pointer is one in the body of a success. */
export interface Pagination {
  /** `page` counts pages, `offset` items, and `link` follows a URL. */
  readonly kind: (typeof PAGINATION_KINDS)[number];
  /** The query parameter that selects a page. A `link` may name the one in its URLs, for the server. */
  readonly parameter?: string;
  /** The query parameter with the maximum number of items of a page. */
  readonly size?: string;
  /** JSON pointer of the items; empty if the body is the array. */
  readonly items: string;
  /** JSON pointer of the next cursor or URL. A `link` without it follows the header `Link` with `rel="next"`. */
  readonly next?: string;
  /** JSON pointer of a boolean: false for the last page. */
  readonly more?: string;
}

const FIELDS = ['kind', 'parameter', 'size', 'items', 'next', 'more'];

/** @param described the value of `x-pagination` @returns the parts that the operation does not have */
export function paginationErrors(operation: PagedOperation, described: unknown): FieldError[] {
  if (described === false) return [];
  if (!isObject(described)) return [{ field: '', message: 'expected an object, or false' }];
  const errors = new FieldErrors(described, FIELDS);
  const { kind, parameter, size, items = '', next, more } = described;
  errors.expect(PAGINATION_KINDS.includes(kind), 'kind', PAGINATION_KINDS.join(', '));
  const isLink = kind === 'link';
  const isDeclared = (name: unknown) =>
    typeof name === 'string' && operation.parameter('query', name) !== undefined;
  const query = 'the name of a query parameter of the operation';
  const isOptional = isLink && parameter === undefined;
  errors.expect(isOptional || isDeclared(parameter), 'parameter', query);
  errors.expect(size === undefined || isDeclared(size), 'size', query);
  const [body] = bodySchemas(operation);
  const has = (pointer: unknown, types: readonly string[]) =>
    typeof pointer === 'string' && body !== undefined && isTyped(schemasAt([body], pointer), types);
  errors.expect(
    has(items, ['array']),
    'items',
    'the JSON pointer of an array in the JSON body of a success',
  );
  const isNext =
    next === undefined ? kind !== 'cursor' : has(next, ['string', 'integer', 'number']);
  errors.expect(
    isNext,
    'next',
    'the JSON pointer of a string or a number in the JSON body of a success',
  );
  const isMore = more === undefined || has(more, ['boolean']);
  errors.expect(isMore, 'more', 'the JSON pointer of a boolean in the JSON body of a success');
  return errors.found;
}

/**
 * @param described the value of `x-pagination`, or of another table
 * @returns undefined for an operation without pages, and for a description with errors
 */
export function paginationOf(
  operation: PagedOperation,
  described: unknown,
): Pagination | undefined {
  if (described === undefined) return usualPagination(operation);
  if (described === false || paginationErrors(operation, described).length > 0) return undefined;
  return { items: '', ...(described as Omit<Pagination, 'items'>) };
}

const CURSORS = names('cursor page_token next_token continuation_token after starting_after');
const SIZES = names('limit page_size per_page page_limit max_results max_items count size top');
const PAGES = names('page page_number page_index');
const OFFSETS = names('offset skip start_index');
const NEXT_CURSORS = names('next_cursor next_page_token next_token continuation_token');
const NEXT_URLS = names('next next_url next_link next_page_url');
const LISTS = names('items data results values entries records');
const MORE = names('has_more has_next has_next_page more');
const HOLDERS = ['', ...names('meta metadata pagination paging page page_info links _links')];

/** Recognizes the names that most services have; a wrong guess adds methods that nobody calls. */
function usualPagination(operation: PagedOperation): Pagination | undefined {
  const [body] = operation.method === 'get' ? bodySchemas(operation) : [];
  const items = body && usualItems(body);
  if (body === undefined || items === undefined) return undefined;
  const parameter = (known: ReadonlySet<string>) =>
    operation.parameters.find(
      (parameter) => parameter.in === 'query' && known.has(plain(parameter.name)),
    )?.name;
  const at = (known: ReadonlySet<string>, types: readonly string[]) =>
    [...HOLDERS].flatMap((holder) => pointersIn(body, holder, known, types))[0];
  const size = parameter(SIZES);
  const shared = { items, ...(size !== undefined && { size }) };
  const [cursor, nextCursor] = [parameter(CURSORS), at(NEXT_CURSORS, ['string'])];
  if (cursor !== undefined && nextCursor !== undefined) {
    return { kind: 'cursor', parameter: cursor, ...shared, next: nextCursor };
  }
  const nextUrl = at(NEXT_URLS, ['string']);
  if (nextUrl !== undefined) return { kind: 'link', ...shared, next: nextUrl };
  const headers = [...(operation.responses.success?.headers.keys() ?? [])];
  if (headers.some((name) => name.toLowerCase() === 'link')) return { kind: 'link', ...shared };
  const more = at(MORE, ['boolean']);
  const ends = more === undefined ? {} : { more };
  const [page, offset] = [parameter(PAGES), parameter(OFFSETS)];
  if (page !== undefined) return { kind: 'page', parameter: page, ...shared, ...ends };
  return offset === undefined
    ? undefined
    : { kind: 'offset', parameter: offset, ...shared, ...ends };
}

/** The array itself, else a usual property, else the only array. */
function usualItems(body: Schema): string | undefined {
  if (isTyped([body], ['array'])) return '';
  const arrays = propertyNames(body).filter((name) =>
    isTyped(schemasAt([body], `/${name}`), ['array']),
  );
  const usual = arrays.find((name) => LISTS.has(plain(name)));
  const found = usual ?? (arrays.length === 1 ? arrays[0] : undefined);
  return found === undefined ? undefined : `/${found}`;
}

function pointersIn(
  body: Schema,
  holder: string,
  known: ReadonlySet<string>,
  types: readonly string[],
): string[] {
  const own = propertyNames(body).find((name) => plain(name) === holder);
  const parents: [Schema, string][] = holder === '' ? [[body, '']] : [];
  if (own !== undefined && holder !== '') {
    for (const each of schemasAt([body], `/${own}`)) parents.push([each, `/${own}`]);
  }
  return parents.flatMap(([schema, start]) =>
    propertyNames(schema)
      .filter((name) => known.has(plain(name)))
      .map((name) => `${start}/${name}`)
      .filter((pointer) => isTyped(schemasAt([body], pointer), types)),
  );
}

/** The schemas of the JSON bodies of the first success. */
function bodySchemas({ responses }: PagedOperation): Schema[] {
  const contents = responses.success?.contents.entries ?? [];
  return contents.flatMap(({ key, content }) => {
    return isJsonMediaType(key) && content.schema !== undefined ? [content.schema] : [];
  });
}

function schemasAt(schemas: readonly Schema[], pointer: string): Schema[] {
  if (pointer !== '' && !pointer.startsWith('/')) return [];
  return tokensOf(pointer).reduce<Schema[]>(
    (inner, name) =>
      [...possibleSchemas(inner)].flatMap(
        (possibleSchema) => possibleSchema.map('properties').get(name) ?? [],
      ),
    [...schemas],
  );
}

function propertyNames(schema: Schema): string[] {
  return [
    ...new Set(
      [...possibleSchemas([schema])].flatMap((possibleSchema) => [
        ...possibleSchema.map('properties').keys(),
      ]),
    ),
  ];
}

function isTyped(schemas: readonly Schema[], types: readonly string[]): boolean {
  const all = [...possibleSchemas(schemas)];
  return all.some((schema) => types.some((type) => schema.types?.has(type as never)));
}

function names(text: string): ReadonlySet<string> {
  return new Set(text.split(' ').map(plain));
}

/** `nextCursor`, `next_cursor` and `NextCursor` are one name. */
function plain(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

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
