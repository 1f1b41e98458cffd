// What the transactions of both databases share.
import type { SqlResult, StoreTransaction } from './store.ts';

/** @returns the rows by column */
export function objectsOf<R extends object>({ columns, rows }: SqlResult): R[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])) as R);
}

/** Commits after a valid reply with a status below 400, as a handler's context. */
export function endWith(
  transaction: Pick<StoreTransaction, 'commit' | 'rollBack'>,
  outcome: { readonly kind: string; readonly status?: number } | undefined,
): Promise<void> {
  const isSuccess = outcome?.kind === 'replied' && (outcome.status ?? 0) < 400;
  return isSuccess ? transaction.commit() : transaction.rollBack();
}
