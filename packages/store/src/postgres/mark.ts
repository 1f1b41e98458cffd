// Makes a transaction that only reads wait until the rows that it has read are durable.

/**
 * A commit waits for its own WAL to be durable, on the standbys too; a plain read also returns rows that are
 * not durable on the standbys. So a read writes something that changes nothing:
 * - `message`: `pg_logical_emit_message`, which needs no privilege on any table. PostgreSQL and its extensions.
 * - `row lock`: a shared lock of the first row of the table of migrations, for engines without that function.
 *   Needs the UPDATE privilege on that table.
 */
export type MarkKind = 'message' | 'row lock';

/** An expression with the kind that the server and the role permit. Its arguments differ between versions. */
export const MARK_KIND = `
  CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_proc
                    WHERE proname = 'pg_logical_emit_message' AND has_function_privilege(oid, 'EXECUTE'))
       THEN 'message' ELSE 'row lock' END`;

/**
 * @param prefix identifies the application in the WAL
 * @param migrations the qualified name of the table of migrations
 * @returns an SQL expression
 */
export function markOf(kind: MarkKind, prefix: string, migrations: string): string {
  return kind === 'message'
    ? `pg_logical_emit_message(true, '${prefix}', '')`
    : `(SELECT version FROM ${migrations} ORDER BY version LIMIT 1 FOR KEY SHARE)`;
}
