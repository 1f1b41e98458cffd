// Durable writes, transactions, migrations, backup: SQLite and PostgreSQL.

export {
  type IdempotentRequest,
  type KeptResponse,
  storeIdempotency,
  type TransactionOf,
} from './idempotency.ts';
export { compareStores, copyMissing, type Move, moveStore, type StoreComparison } from './move.ts';
export { openStore, type StoreOptions, withoutSecrets } from './open.ts';
export { type Queryable, type RowsAfter, rowsAfter } from './rowsAfter.ts';
export type { StoreSchema } from './schema.ts';
export {
  ConstraintViolated,
  type DatabaseKind,
  type DataStore,
  type DurableWrite,
  type SpanOf,
  type SqlResult,
  type SqlValue,
  type StoreEmitter,
  type StoreEvents,
  StoreRefused,
  type StoreTransaction,
  StoreUnavailable,
  storeMetrics,
} from './store.ts';
export type { ChangeDefinition, ConstraintViolation, InsertDefinition } from './table.ts';
export {
  areSameRows,
  type Columns,
  type ColumnType,
  type ColumnValue,
  defineTable,
  type Row,
  type RowKey,
  type RowOf,
  type Table,
  UnstorableText,
} from './table.ts';
