// The settings of the plant store: those of every service, and its database.
import { type Environment, integer, readSettings, type Settings } from 'stubwright';

export interface Config extends Settings {
  readonly databaseUrl: string;
  /** The most connections to a PostgreSQL database. */
  readonly databaseConnections: number;
}

/** @throws {ConfigError} for the first setting with a bad value */
export function readConfig(env: Environment): Config {
  return Object.freeze({
    ...readSettings(env),
    databaseUrl: env['DATABASE_URL'] || 'sqlite:data/plants.db',
    // Two are for commits, so one is left for reads and probes.
    databaseConnections: integer(env, 'DATABASE_CONNECTIONS', 10, 3, 1000),
  });
}
