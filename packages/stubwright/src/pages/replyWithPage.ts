// Fetches the page that a request selects, and writes it as the contract declares it.

import {
  type Contract,
  contractViolation,
  expectNumbers,
  invalidCursor,
  isPrimitive,
  type MaybePromise,
  type Operation,
  type PageRules,
  POSITIVE,
  pageRulesOf,
  stringifyJson,
  tokensOf,
} from '@stubwright/contract';
import { ConvertedExchange, type Exchange } from '../request/exchange.ts';
import {
  type CursorContext,
  CursorError,
  type KeyValue,
  listFingerprint,
  readCursor,
  writeCursor,
} from './cursors.ts';

/** The part of a reply that a page fills. */
export interface AnyPageReply {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @throws as `page` */
export async function replyWithPage(
  exchange: Exchange,
  parts: PageParts,
  source: AnySource,
): Promise<AnyPageReply> {
  const plan = pagePlanOf(exchange.operation!, parts.definition);
  const { kind } = plan.pagination;
  const isNumbered = kind === 'page' || kind === 'offset';
  const { rows, values } = await (isNumbered ? pageAt : pageAfter)(exchange, plan, source, parts);
  const urls = pageUrls(exchange, plan.parameter, plan.credentials, source.origin);
  const items = source.item === undefined ? rows : rows.map((row) => source.item!(row as never));
  const next = kind === 'link' && values.next !== undefined ? urls.of(values.next) : values.next;
  return {
    body: bodyOf(plan, items, next),
    ...(plan.linkHeader !== undefined && { headers: { [plan.linkHeader]: urls.header(values) } }),
  };
}

/**
 * The page of the items that a stateful mock keeps.
 *
 * @param rows in the order of their positions
 * @throws {Problem} as `page`
 */
export function mockedPage(
  exchange: Exchange,
  parts: PageParts,
  rows: readonly { readonly position: number }[],
): Promise<AnyPageReply> {
  return replyWithPage(exchange, parts, {
    order: ['position'],
    fetch({ after, offset, limit }) {
      const last = after?.[0];
      const rest =
        last === undefined ? rows.slice(offset) : rows.filter((row) => row.position > Number(last));
      return rest.slice(0, limit) as never;
    },
  });
}

/** A page with a number, or at an offset. */
async function pageAt(
  exchange: Exchange,
  plan: PagePlan,
  { fetch }: AnySource,
): Promise<FetchedPage> {
  const { parameter, start, operationId } = plan;
  const isPage = plan.pagination.kind === 'page';
  const at = integerIn(exchange.parameters.query[parameter] ?? start, parameter, start);
  const size = sizeOf(exchange, plan);
  const offset = isPage ? (at - start) * size : at - start;
  if (!Number.isSafeInteger(offset + size)) throw pageViolation(parameter, 'a smaller integer');
  const all = await fetch({ after: undefined, offset, limit: size + 1 });
  expectAtMost(all, size + 1, operationId);
  const step = isPage ? 1 : size;
  const next = all.length > size ? at + step : undefined;
  const prev = at > start ? Math.max(start, at - step) : undefined;
  return { rows: all.slice(0, size), values: { first: start, prev, next } };
}

type Properties = Record<string, unknown>;

/** @param next undefined on the last page */
function bodyOf(
  { items, next, more, nextType, end }: PagePlan,
  page: FetchedPage['rows'] | readonly unknown[],
  nextValue: PageValue,
): unknown {
  if (items.length === 0) return page;
  const body: Properties = {};
  put(body, items, page);
  if (more !== undefined) put(body, more, nextValue !== undefined);
  if (next !== undefined) {
    put(body, next, nextValue === undefined ? end : likeDeclared(nextValue, nextType));
  }
  return body;
}

/** Sets a property within objects; undefined leaves it out. */
function put(body: Properties, path: readonly string[], value: unknown): void {
  const holder = path.slice(0, -1).reduce<Properties>((inner, name) => {
    inner[name] ??= {};
    return inner[name] as Properties;
  }, body);
  if (value !== undefined) holder[path.at(-1)!] = value;
}

function likeDeclared(value: string | number, type: PagePlan['nextType']): unknown {
  if (typeof value === 'string') return value;
  return type === 'string' ? String(value) : type === 'bigint' ? BigInt(value) : value;
}

/** @throws as `page` */
async function pageAfter(
  exchange: Exchange,
  plan: PagePlan,
  source: AnySource,
  { cursorSecrets = [] }: PageParts,
): Promise<FetchedPage> {
  const { operationId, parameter } = plan;
  const { order = [], fetch, maxAgeSeconds } = source;
  // Any age is below NaN.
  expectNumbers({ maxAgeSeconds }, { maxAgeSeconds: POSITIVE });
  if (cursorSecrets.length === 0) {
    throw new Error(`${operationId}: expected CURSOR_SECRET, or cursorSecrets of the API`);
  }
  const context = contextOf(exchange, plan, source);
  const cursor = exchange.parameters.query[parameter];
  const after =
    cursor === undefined ? undefined : keyIn(String(cursor), parameter, context, cursorSecrets);
  const size = sizeOf(exchange, plan);
  const all = await fetch({ after, offset: 0, limit: size + 1 });
  expectAtMost(all, size + 1, operationId);
  const keys = all.map((row) => keyOf(row, order, operationId));
  expectDistinct(after === undefined ? keys : [after, ...keys], operationId);
  const isLast = all.length <= size;
  const next = isLast ? undefined : writeCursor(keys[size - 1]!, context, cursorSecrets);
  return { rows: all.slice(0, size), values: { first: undefined, next } };
}

function keyIn(
  cursor: string,
  parameter: string,
  context: CursorContext,
  secrets: readonly string[],
): KeyValue[] {
  try {
    return readCursor(cursor, context, secrets);
  } catch (error) {
    throw error instanceof CursorError ? invalidCursor(parameter, error.message) : error;
  }
}

/** A cursor belongs to the path, the order and the filters of its request. */
function contextOf(
  { parameters: { path, query } }: Exchange,
  { operationId, parameter, pagination, defaults, credentials }: PagePlan,
  { order, boundTo, maxAgeSeconds }: AnySource,
): CursorContext {
  const filters = sorted(query).filter(([name, value]) => {
    if (name === parameter || name === pagination.size || credentials.has(name)) return false;
    // A parameter that a later version adds with a default leaves cursors valid.
    return stringifyJson(value) !== defaults.get(name);
  });
  const fingerprint = listFingerprint([operationId, order, sorted(path), filters, boundTo ?? null]);
  return { fingerprint, maxAgeSeconds };
}

function sorted(values: Readonly<Record<string, unknown>>): [name: string, value: unknown][] {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.sort(([one], [other]) => (one < other ? -1 : 1));
}

/** @throws {TypeError} for a value that cannot be in a cursor */
function keyOf(row: AnyRow, order: readonly string[], operationId: string): KeyValue[] {
  return order.map((text) => {
    const name = text.replace(/^-/, '');
    const value = row[name] ?? null;
    if (isKeyValue(value)) return value;
    throw new TypeError(`${operationId}: expected ${name} to be a string, number or bigint`);
  });
}

function isKeyValue(value: unknown): value is KeyValue {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || isPrimitive(value);
}

/** Of two rows with the same key, one could be missing from all pages. */
function expectDistinct(keys: readonly (readonly KeyValue[])[], operationId: string): void {
  const at = keys.findIndex(
    (key, index) => index > 0 && key.every((value, part) => value === keys[index - 1]![part]),
  );
  if (at < 0) return;
  const shown = keys[at]!.map(String).join(', ');
  throw new Error(
    `${operationId}: two rows have the key (${shown}): expected an order that ends with a unique property, and rows after \`after\``,
  );
}

/** A row by the names of its properties. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** `CursorSource` and `OffsetSource` have the exact types. */
export interface AnySource {
  readonly order?: readonly string[];
  readonly maxAgeSeconds?: number | undefined;
  readonly boundTo?: string | undefined;
  readonly origin?: string | undefined;
  readonly item?: (row: never) => unknown;
  readonly fetch: (range: {
    readonly after: readonly KeyValue[] | undefined;
    readonly offset: number;
    readonly limit: number;
  }) => MaybePromise<readonly AnyRow[]>;
}

/** Of the API. */
export interface PageParts {
  readonly definition: Contract;
  /** The first one signs cursors, all verify; undefined for none. */
  readonly cursorSecrets: readonly string[] | undefined;
}

/** A page without its envelope. */
export interface FetchedPage {
  readonly rows: readonly AnyRow[];
  readonly values: PageValues;
}

/** @returns the number of items of the page that a request selects */
function sizeOf(
  { parameters: { query } }: Exchange,
  { pagination: { size }, defaultSize, maxSize }: PagePlan,
): number {
  const given = size === undefined ? undefined : query[size];
  if (given === undefined) return defaultSize;
  return Math.min(integerIn(given, size!, 1), maxSize);
}

/** @throws {Problem} 40000 for a value below the minimum, which the contract may not declare */
function integerIn(value: unknown, parameter: string, min: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= min) return number;
  throw pageViolation(parameter, `an integer from ${min}`);
}

/** @returns 40000 */
function pageViolation(parameter: string, expected: string) {
  return contractViolation(`query ${parameter}: expected ${expected}`, [
    { in: 'query', pointer: `/${parameter}`, rule: 'minimum', expected },
  ]);
}

/** @throws {Error} for a source that ignores the limit */
function expectAtMost(rows: readonly unknown[], limit: number, operationId: string): void {
  if (rows.length <= limit) return;
  throw new Error(`${operationId}: fetch returned ${rows.length} rows, expected at most ${limit}`);
}

/** The value of the parameter that selects a page; undefined for the first page without one. */
export type PageValue = string | number | undefined;

/** The pages that a page leads to. */
export interface PageValues {
  readonly first: PageValue;
  /** Undefined on the first page, and for cursors. */
  readonly prev?: PageValue;
  /** Undefined on the last page. */
  readonly next?: PageValue;
}

/**
 * Writes the URLs of a request with another page. They keep its path and its other query parameters.
 *
 * @param hidden the names of query parameters that no URL may have: credentials
 * @param origin before the path
 */
function pageUrls(exchange: Exchange, parameter: string, hidden: ReadonlySet<string>, origin = '') {
  // A client of an older version requests the pages of that one.
  const { path, queryText } = exchange instanceof ConvertedExchange ? exchange.sent : exchange;
  const start = `${origin.replace(/\/+$/, '')}${path}`;
  const others = queryText.split('&').filter((pair) => {
    const [name] = new URLSearchParams(pair).keys();
    return name !== undefined && name !== parameter && !hidden.has(name);
  });
  const urlOf = (value: PageValue): string => {
    const own =
      value === undefined ? [] : [`${encodeURIComponent(parameter)}=${encodeURIComponent(value)}`];
    const query = [...others, ...own].join('&');
    return uriReference(query === '' ? start : `${start}?${query}`);
  };
  return {
    of: urlOf,
    /** @returns the value of the header `Link` */
    header({ first, prev, next }: PageValues): string {
      const links = [`<${urlOf(first)}>; rel="first"`];
      if (prev !== undefined) links.push(`<${urlOf(prev)}>; rel="prev"`);
      if (next !== undefined) links.push(`<${urlOf(next)}>; rel="next"`);
      return links.join(', ');
    },
  };
}

/** Escapes characters that a URI must not contain; Node has each byte of a request target as one character. */
function uriReference(text: string): string {
  return text.replace(
    /[^\x21\x23-\x3b\x3d\x3f-\x7e]/g,
    (text) => `%${text.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

export interface PagePlan extends PageRules {
  readonly operationId: string;
  /** The query parameter that selects a page. */
  readonly parameter: string;
  readonly items: readonly string[];
  readonly next: readonly string[] | undefined;
  readonly more: readonly string[] | undefined;
  /** The defaults of query parameters as JSON, by name. */
  readonly defaults: ReadonlyMap<string, string>;
  /** The query parameters of security schemes. */
  readonly credentials: ReadonlySet<string>;
}

const PLANS = new WeakMap<Operation, PagePlan>();

/** @throws {TypeError} for an operation whose `x-pagination` does not name a query parameter */
function pagePlanOf(operation: Operation, definition: Contract): PagePlan {
  const known = PLANS.get(operation);
  if (known !== undefined) return known;
  const { operationId } = operation;
  const rules = pageRulesOf(operation);
  const parameter = rules?.pagination.parameter;
  if (rules === undefined || parameter === undefined) {
    throw new TypeError(`${operationId}: expected x-pagination with a query parameter`);
  }
  const { items, next, more } = rules.pagination;
  const plan: PagePlan = {
    ...{ ...rules, operationId, parameter, items: tokensOf(items) },
    next: next === undefined ? undefined : tokensOf(next),
    more: more === undefined ? undefined : tokensOf(more),
    defaults: defaultsOf(operation),
    credentials: credentialsOf(definition),
  };
  PLANS.set(operation, plan);
  return plan;
}

function defaultsOf({ parameters }: Operation): ReadonlyMap<string, string> {
  const ofQuery = parameters.filter((parameter) => parameter.in === 'query');
  return new Map(
    ofQuery.flatMap(({ name, schema }) => {
      const written = schema?.conjuncts.findLast(
        (conjunct) => conjunct.keywords.default !== undefined,
      );
      return written === undefined ? [] : [[name, stringifyJson(written.keywords.default)]];
    }),
  );
}

function credentialsOf({ securitySchemes }: Contract): ReadonlySet<string> {
  const schemes = [...securitySchemes.values()];
  return new Set(
    schemes
      .filter((scheme) => scheme.type === 'apiKey' && scheme.in === 'query')
      .map(({ name }) => name),
  );
}
