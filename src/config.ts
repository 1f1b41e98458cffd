// The settings of the plant store: those of stubwright, and the database.
import { type Environment, integer, readSettings, type Settings } from '@stubwright/service';

/** The only database whose folder is created. */
export const DEFAULT_DATABASE_URL = 'sqlite:data/plants.db';

export interface Config extends Settings {
  readonly databaseUrl: string;
  /** Maximum number of connections to PostgreSQL. */
  readonly databaseConnections: number;
}

/** @throws {ConfigError} for the first invalid setting */
export function readConfig(env: Environment): Config {
  return Object.freeze({
    ...readSettings(env),
    databaseUrl: env['DATABASE_URL'] || DEFAULT_DATABASE_URL,
    // At least 3: two for commits, one for reads and probes.
    databaseConnections: integer(env, 'DATABASE_CONNECTIONS', 10, 3, 1000),
  });
}
