// A page that starts after a row: of a cursor, or of a link.
import {
  expectNumbers,
  invalidCursor,
  isPrimitive,
  POSITIVE,
  stringifyJson,
} from '@stubwright/contract';
import type { Exchange } from '../request/exchange.ts';
import {
  type CursorContext,
  CursorError,
  type KeyValue,
  listFingerprint,
  readCursor,
  writeCursor,
} from './cursors.ts';
import type { PagePlan } from './pagePlan.ts';
import {
  type AnyRow,
  type AnySource,
  expectAtMost,
  type FetchedPage,
  type PageParts,
  sizeOf,
} from './pageSource.ts';

/** @throws as `page` */
export async function pageAfter(
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
  return order.map((each) => {
    const name = each.replace(/^-/, '');
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
