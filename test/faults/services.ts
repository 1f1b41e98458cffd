// The service as a process that a fault can kill and start again on the same port.
import { freePort } from '@stubwright/test-support/freePort';
import { type ServiceProcess, TOKEN } from '../support/service.ts';
import type { Application } from './application.ts';

export interface RestartableService extends AsyncDisposable {
  readonly url: string;
  /** Resolves when it has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Resolves when it listens again. */
  restart(): Promise<void>;
  /** Everything that it printed since its last start. */
  output(): string;
}

export async function startService(
  application: Application,
  databaseUrl: string,
): Promise<RestartableService> {
  const env = { API_TOKENS: TOKEN, DATABASE_URL: databaseUrl, PORT: String(await freePort()) };
  let running: ServiceProcess = application.spawn(env);
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    await running.stop(signal);
  };
  return {
    url: await running.url,
    end,
    async restart() {
      running = application.spawn(env);
      await running.url;
    },
    output: () => running.output(),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
}
