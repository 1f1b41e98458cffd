// A service in this process, with a contract and handlers of the test, which is stopped after it.
import { afterEach } from '@jest/globals';
import {
  type Environment,
  type Limits,
  type Service,
  type ServiceOptions,
  type Settings,
  startService,
} from '../../src/index.ts';
import { limits } from '../../src/server/server.ts';
import { collectedLog, type LogLine } from './logLines.ts';

export const authorized = { Authorization: 'Bearer a-token-of-the-test' };

/** Of contracts without generated types. */
// biome-ignore lint/suspicious/noExplicitAny: handlers and services of any type
type AnyOptions = ServiceOptions<any, Settings, any>;

export interface StartOptions extends Omit<AnyOptions, 'handlers' | 'bounds'> {
  readonly handlers?: object;
  readonly bounds?: Partial<Limits>;
  readonly apis?: unknown;
}

export interface StartedService extends Service {
  /** The lines of its log. */
  readonly lines: readonly LogLine[];
}

/** @param env over the port 0, and a static token with the name `web` and the scope `read` */
export type StartService = (options: StartOptions, env?: Environment) => Promise<StartedService>;

/** @returns a function that starts services of a file of tests, which stop after each test */
export function startedServices(): StartService {
  const services: Service[] = [];
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.stop()));
  });
  return async ({ bounds, ...options }, env = {}) => {
    const { log, lines } = collectedLog();
    const service = await startService({
      env: {
        ...{ PORT: '0', API_TOKENS: 'a-token-of-the-test name=web scope=read' },
        // Tests share this process and its event loop.
        LAG_LIMIT: '60000',
        ...env,
      },
      log,
      bounds: { ...limits, settleMs: 20, lingerMs: 50, ...bounds },
      ...options,
    } as AnyOptions);
    services.push(service);
    return { ...service, lines };
  };
}
