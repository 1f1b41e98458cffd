// A simple SQLite store: one prepared INSERT per request, each with its own transaction and fsync.
import { DatabaseSync } from 'node:sqlite';

export interface NewPlant {
  id: number;
  name: string;
  tag?: string;
}

export function openPlants(databaseUrl = process.env.DATABASE_URL!) {
  const database = new DatabaseSync(databaseUrl.replace('sqlite:', ''));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE plant (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT) STRICT');
  const insert = database.prepare('INSERT INTO plant (id, name, tag) VALUES (?, ?, ?)');
  return {
    create({ id, name, tag }: NewPlant): void {
      insert.run(id, name, tag ?? null);
    },
  };
}
