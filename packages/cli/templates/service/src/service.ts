// Composes the service: handlers, verifiers, services.
import type { Log, Service } from 'stubwright/service';
import * as stubwright from 'stubwright/service';
import type { Config } from './config.ts';
import { handlers } from './handlers/index.ts';
import type { Services } from './handlers/services.ts';

/**
 * Starts the service.
 *
 * @param tokens the configured tokens, including those of API_TOKENS_FILE
 * @throws the errors of stubwright's startService
 */
export async function startService(
  config: Config,
  tokens: readonly string[],
  log: Log,
): Promise<Service> {
  return stubwright.startService<Services>({
    settings: config,
    tokens,
    log,
    handlers,
    verifiers: {{verifiers}},
    async open() {
      return { services: {} };
    },
  });
}
