// This project's service on a simple PostgreSQL store: one INSERT per request through a pg pool.

import { runService } from '@stubwright/service';
import { Pool } from 'pg';
import { readConfig } from '../../src/config.ts';
import type { Plants } from '../../src/plants/store.ts';
import { service } from '../../src/service.ts';

const config = readConfig(process.env);
const pool = new Pool({ connectionString: config.databaseUrl });
await pool.query(
  'CREATE TABLE IF NOT EXISTS plant (id bigint PRIMARY KEY, name text NOT NULL, tag text)',
);

const plants: Plants = {
  async create({ id, name, tag }) {
    await pool.query('INSERT INTO plant (id, name, tag) VALUES ($1, $2, $3)', [id, name, tag]);
    return 'created';
  },
  find: async () => undefined,
};
const store = { isReady: async () => true, waiting: 0, close: () => pool.end() };
await runService({
  ...service,
  open: async () => ({ services: { plants }, store }),
});
