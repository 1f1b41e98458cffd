// The applications that faults are caused on: the plant store, and the fleet.
import { DatabaseSync } from 'node:sqlite';
import { type ServiceProcess, spawnScript } from '@stubwright/test-support/serviceProcess';
import { fleetWorkload } from '../fleet/workload.ts';
import { plantWorkload } from '../support/plantWorkload.ts';
import { query } from '../support/postgres.ts';
import { spawnService } from '../support/service.ts';
import type { Tables, Workload } from '../support/workload.ts';

export interface Application {
  readonly name: string;
  spawn(env: Record<string, string>): ServiceProcess;
  /** @param firstId greater than those of another load */
  workload(firstId?: number): Workload<object>;
  /** The table that most requests write to. */
  readonly table: string;
  /** Inserts a row under an id that will soon be asked for. */
  readonly holdSql: string;
}

export const plantStore: Application = {
  name: 'plant store',
  spawn: (env) => spawnService(env),
  workload: (firstId) => plantWorkload(firstId) as Workload<object>,
  table: 'plant',
  holdSql: "INSERT INTO plant (id, name) SELECT max(id) + 20, 'held' FROM plant",
};

export const fleet: Application = {
  name: 'fleet',
  spawn: (env) =>
    spawnScript('test/fleet/main.ts', { CONTRACT: 'test/fleet/generated/contract.json', ...env }),
  workload: (firstId) => fleetWorkload(firstId) as Workload<object>,
  table: 'vehicle',
  holdSql: `INSERT INTO vehicle (id, plate, place, version, load)
    SELECT max(id) + 10, 'held', 'held', 1, 100 FROM vehicle WHERE id < 1000000`,
};

export const applications: readonly Application[] = [plantStore, fleet];

/** @returns the rows of a PostgreSQL database */
export async function tablesAt(application: Application, url: string): Promise<Tables> {
  const tables: Record<string, Record<string, unknown>[]> = {};
  for (const table of application.workload().tables) {
    tables[table] = await query(url, `SELECT * FROM ${table}`);
  }
  return tables;
}

/** @returns the rows of a database file that no service has open */
export function tablesIn(application: Application, file: string): Tables {
  const database = new DatabaseSync(file);
  const rows = application.workload().tables.map((table) => {
    const select = database.prepare(`SELECT * FROM ${table}`);
    select.setReadBigInts(true);
    return [table, select.all()] as const;
  });
  database.close();
  return Object.fromEntries(rows);
}
