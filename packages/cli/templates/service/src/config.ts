// The settings of the service: those of stubwright.
import { type Environment, readSettings, type Settings } from 'stubwright/service';

export interface Config extends Settings {}

/** @throws {ConfigError} for the first invalid setting */
export function readConfig(env: Environment): Config {
  return Object.freeze({
    ...readSettings(env),
  });
}
