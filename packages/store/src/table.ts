// Declared tables: their columns, and the rows that they hold.

/** A constraint that rejects a row. */
export interface ConstraintViolation {
  readonly kind: 'unique' | 'foreign key' | 'check' | 'not null';
  /** As the database names it: `vehicle_plate_key` (PostgreSQL), `vehicle.plate` (SQLite). */
  readonly constraint: string;
}

interface WriteOptions<Write, Outcome> {
  /**
   * The outcome of a write that violates a constraint. Without it, or for undefined, the write rejects
   * with an error. Deferred constraints reject the whole batch: declare none.
   */
  onViolation?(write: Write, violation: ConstraintViolation): Outcome | undefined;
}

/**
 * Inserts rows whose key does not exist. The outcome must not be a promise, an error or undefined.
 */
export interface InsertDefinition<R, Outcome> extends WriteOptions<R, Outcome> {
  readonly table: Table<R>;
  /**
   * The outcome of an insert. It may be called for a retry, whose first attempt has inserted the row: an
   * equal row is then a success.
   *
   * @param stored the row that has the key; undefined if this write has inserted its own
   */
  decide(row: R, stored: R | undefined): Outcome;
}

/**
 * Updates or deletes one row per write, for writes that arrive together in one statement.
 *
 * @example
 * const move: ChangeDefinition<Move, Vehicle, 'moved' | 'conflict' | 'missing'> = {
 *   name: 'move', table: vehicle, given: { id: 'int64', version: 'int64', place: 'text' },
 *   sql: (vehicle) => `UPDATE ${vehicle} SET place = given.place, version = vehicle.version + 1
 *     FROM given WHERE vehicle.id = given.id AND vehicle.version = given.version`,
 *   isRepeatable: true,
 *   applied: () => 'moved',
 *   notApplied: ({ version, place }, row) => row === undefined ? 'missing'
 *     : row.version === version + 1n && row.place === place ? 'moved' : 'conflict',
 * };
 */
export interface ChangeDefinition<Write, R, Outcome> extends WriteOptions<Write, Outcome> {
  /** Unique in the store. */
  readonly name: string;
  readonly table: Table<R>;
  /** The columns of a write, with the key of the table. */
  readonly given: Columns;
  /**
   * An UPDATE or DELETE of the table that joins the writes by their key: the relation `given` has one row
   * per write, and different keys. It has no RETURNING. The same text runs on both databases.
   *
   * @param table the name of the table with its schema
   */
  sql(table: string): string;
  /**
   * True if a second run of a write that was applied has a true outcome, too. Otherwise a write whose
   * commit is unknown is `StoreUnavailable`.
   */
  readonly isRepeatable: boolean;
  /** @param row the row after an update, or the deleted one */
  applied(write: Write, row: R): Outcome;
  /**
   * The outcome of a write that changed nothing.
   *
   * @param row the row that has the key; it is durable
   * @returns undefined to run the statement again: the row has changed meanwhile
   */
  notApplied(write: Write, row: R | undefined): Outcome | undefined;
}

/** Any write, with its types erased. */
export type WriteDefinition = InsertDefinition<Row, unknown> | ChangeDefinition<Row, Row, unknown>;

export function isChange(
  definition: WriteDefinition,
): definition is ChangeDefinition<Row, Row, unknown> {
  return 'sql' in definition;
}

/** Attempts to apply a write that neither applies nor finds a row that explains it. */
export const MAX_ATTEMPTS = 3;

interface ColumnValues {
  /** `bigint` in PostgreSQL, `INTEGER` in SQLite. */
  int64: bigint;
  /** A safe integer; `bigint` or `integer` in PostgreSQL, `INTEGER` in SQLite. */
  integer: number;
  text: string;
  /** `double precision` in PostgreSQL, `REAL` in SQLite. A finite number. */
  float64: number;
  /** `boolean` in PostgreSQL, `INTEGER` 0 or 1 in SQLite. */
  boolean: boolean;
  /** `bytea` in PostgreSQL, `BLOB` in SQLite. */
  bytes: Uint8Array;
}

/** A column with `?` may be NULL: its property is then missing. */
export type ColumnType = keyof ColumnValues | `${keyof ColumnValues}?`;
export type Columns = Readonly<Record<string, ColumnType>>;
export type ColumnValue = ColumnValues[keyof ColumnValues];
export type Row = Readonly<Record<string, ColumnValue | undefined>>;
/** The value of a key column. */
export type RowKey = bigint | string;

type OptionalNames<C extends Columns> = {
  [Name in keyof C]: C[Name] extends `${string}?` ? Name : never;
}[keyof C];
type ValueOf<Type> = Type extends `${infer Base extends keyof ColumnValues}?`
  ? ColumnValues[Base]
  : Type extends keyof ColumnValues
    ? ColumnValues[Type]
    : never;

type RowWith<C extends Columns> = {
  readonly [Name in Exclude<keyof C, OptionalNames<C>>]: ValueOf<C[Name]>;
} & { readonly [Name in OptionalNames<C>]?: ValueOf<C[Name]> };

/** The rows of a table, `RowOf<typeof vehicle>`, or those with these columns. */
export type RowOf<T extends Columns | Table<unknown>> =
  T extends Table<infer R> ? R : T extends Columns ? RowWith<T> : never;

/** A table that migrations create. */
export interface Table<R = Row> {
  /** Letters, digits and `_`. All statements of the store quote it. */
  readonly name: string;
  /** The primary key: one column, `int64` or `text`. */
  readonly key: string;
  readonly columns: Columns;
  /** The type of its rows; has no value. */
  readonly row?: R;
}

const NAME = /^[A-Za-z_]\w*$/;

/**
 * Declares a table. A text key needs `COLLATE "C"` in PostgreSQL: databases then agree on its order.
 *
 * @example
 * const vehicle = defineTable('vehicle', { key: 'id', columns: { id: 'int64', plate: 'text', note: 'text?' } });
 * @throws {TypeError} for a name with other characters, or a key that is not an `int64` or `text` column
 */
export function defineTable<const C extends Columns>(
  name: string,
  { key, columns }: { readonly key: keyof C & string; readonly columns: C },
): Table<RowWith<C>> {
  for (const text of [name, ...Object.keys(columns)]) {
    if (!NAME.test(text)) {
      throw new TypeError(`${text}: expected a name of letters, digits and _`);
    }
  }
  if (columns[key] !== 'int64' && columns[key] !== 'text') {
    throw new TypeError(`${name}.${key}: expected a key of type int64 or text`);
  }
  return { name, key, columns };
}

/** The tables of the package itself, which migrations of an application may create. Moves copy them, too. */
export const OWN_TABLES: readonly Table[] = [
  defineTable('stubwright_outbox', {
    key: 'id',
    columns: {
      ...{ id: 'text', name: 'text', url: 'text', method: 'text', type: 'text?', body: 'text' },
      ...{ due_at: 'int64?', attempts: 'int64', failure: 'text?' },
    },
  }),
  defineTable('stubwright_idempotency', {
    key: 'id',
    columns: {
      ...{ id: 'text', fingerprint: 'text', status: 'integer', headers: 'text', body: 'bytes?' },
      expires_at: 'int64',
    },
  }),
];

/** @returns the value of the key column */
export function rowKeyOf({ key }: Table, row: Row): RowKey {
  return row[key] as RowKey;
}

/** A text has U+0000, which PostgreSQL cannot store; SQLite neither, so that both give one answer. */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText';
}

/** @throws {UnstorableText} for a text with U+0000 */
export function expectStorable(values: readonly unknown[]): void {
  const at = values.findIndex((value) => typeof value === 'string' && value.includes('\0'));
  if (at >= 0) throw new UnstorableText(`expected $${at + 1} to be text without U+0000`);
}

export function isNullable(type: ColumnType): boolean {
  return type.endsWith('?');
}

/** @returns an SQL identifier */
export function quotedName(name: string): string {
  return `"${name}"`;
}

/** @returns the names of the columns as SQL, after the name of a table if it is given */
export function columnList(columns: Columns, table?: string): string {
  const prefix = table === undefined ? '' : `${quotedName(table)}.`;
  return Object.keys(columns)
    .map((name) => prefix + quotedName(name))
    .join(', ');
}

/**
 * @param values by name, or in the order of the columns: integers as bigints or text, booleans as SQLite or
 *   PostgreSQL have them
 */
export function rowFrom(
  columns: Columns,
  values: readonly unknown[] | Readonly<Record<string, unknown>>,
): Row {
  const row: Record<string, ColumnValue> = {};
  let at = 0;
  for (const name in columns) {
    const value = Array.isArray(values) ? values[at++] : (values as Record<string, unknown>)[name];
    if (value === null || value === undefined) continue;
    row[name] = columnValue(baseOf(columns[name]!), value as string | ColumnValue);
  }
  return row;
}

function columnValue(type: keyof ColumnValues, value: string | ColumnValue): ColumnValue {
  if (type === 'boolean') return value === true || value === 1n;
  if (type === 'integer') return Number(value);
  return type === 'int64' && typeof value === 'string' ? BigInt(value) : value;
}

/** @returns the type without `?` */
export function baseOf(type: ColumnType): keyof ColumnValues {
  return type.replace('?', '') as keyof ColumnValues;
}

/** @returns true if all columns are equal; a missing value equals only a missing value */
export function areSameRows({ columns }: Table, a: Row, b: Row): boolean {
  return Object.entries(columns).every(([name, type]) => {
    const [one, other] = [a[name], b[name]];
    if (baseOf(type) !== 'bytes' || !one || !other) return one === other;
    return Buffer.compare(one as Uint8Array, other as Uint8Array) === 0;
  });
}
