// The settings of the plant store: those of stubwright, and the database.
import { type Environment, readSettings, type Settings } from '@stubwright/service';
import { type DatabaseSettings, readDatabaseSettings } from '@stubwright/store/service';

/** The only database whose folder is created. */
export const DEFAULT_DATABASE_URL = 'sqlite:data/plants.db';

export interface Config extends Settings, DatabaseSettings {}

/** @throws {ConfigError} for the first invalid setting */
export function readConfig(env: Environment): Config {
  return Object.freeze({
    ...readSettings(env),
    ...readDatabaseSettings(env, DEFAULT_DATABASE_URL),
  });
}
