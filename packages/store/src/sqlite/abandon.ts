// Keeps a database open whose log may not be durable: closing it would checkpoint the log.
import type { DatabaseSync } from 'node:sqlite';

/** Garbage collection closes a database, too. */
const abandoned = new Set<DatabaseSync>();

/** Leaves a database to the next start, which makes its log durable first; its file stays locked until the process ends. */
export function abandon(database: DatabaseSync): void {
  // A process that ends by itself closes its databases after these listeners; process.exit does not.
  if (abandoned.size === 0) process.once('exit', (code) => process.exit(code));
  abandoned.add(database);
}
