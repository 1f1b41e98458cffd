// The service as a process that a fault can kill and start again on the same port.
import { freePort } from '../support/freePort.ts';
import { type ServiceProcess, spawnService, TOKEN } from '../support/service.ts';

export interface RestartableService extends AsyncDisposable {
  readonly url: string;
  /** Resolves when it has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Resolves when it listens again. */
  restart(): Promise<void>;
  /** Everything that it printed since its last start. */
  output(): string;
}

export async function startService(databaseUrl: string): Promise<RestartableService> {
  const env = { API_TOKENS: TOKEN, DATABASE_URL: databaseUrl, PORT: String(await freePort()) };
  let running: ServiceProcess = spawnService(env);
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    running.child.kill(signal);
    await running.exited;
  };
  return {
    url: await running.url,
    end,
    async restart() {
      running = spawnService(env);
      await running.url;
    },
    output: () => running.output(),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
}
