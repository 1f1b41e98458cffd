// The toy store under test: in this process on a real socket, or as a process that can be killed.

import { createLog, type Limits, readSettings, type Service } from '@stubwright/service';
import { declaredIn } from './declared.ts';
import { type Answer, type Call, checkedClient } from './http.ts';
import { type ServiceProcess, spawnScript } from './serviceProcess.ts';
import { CONTRACT, startToyService, type ToyParts } from './toyService.ts';
import type { ToyStore } from './toyStore.ts';
import { toysBundle } from './toysBundle.ts';

export const TOKEN = 'a-token.for~tests+only/==';
export const authorized = { Authorization: `Bearer ${TOKEN}` };
export const json = { 'Content-Type': 'application/json' };

/** A bundle, as in production: a start needs no @stubwright/cli. */
const BUNDLE = await toysBundle();

/** Each response is checked against toys.yaml. */
export const { call, exchangeBytes } = checkedClient(declaredIn(CONTRACT), '/toys');

export interface TestService extends Service {
  /** Stores a toy with a good token; `toy` is an object, or JSON text where digits matter. */
  create(toy: unknown, options?: Call): Promise<Answer>;
  remove(): Promise<void>;
}

export async function startTestService(
  env: Record<string, string> = {},
  bounds: Partial<Limits> = {},
  store?: ToyStore,
  parts: ToyParts = {},
): Promise<TestService> {
  const settings = readSettings({
    PORT: '0',
    API_TOKENS: TOKEN,
    CONTRACT: BUNDLE,
    // Tests share this process and its event loop.
    LAG_LIMIT: '60000',
    ...env,
  });
  const service = await startToyService(settings, settings.apiTokens, createLog('silent'), {
    ...parts,
    bounds: { lingerMs: 100, settleMs: 20, timeoutCheckMs: 50, ...bounds },
    ...(store && { store }),
  });
  return {
    ...service,
    create: (toy, options) => createAt(service.url, toy, options),
    remove: () => service.stop(),
  };
}

export function createAt(url: string, toy: unknown, { headers, ...rest }: Call = {}) {
  return call(url, {
    headers: { ...authorized, ...json, ...headers },
    body: typeof toy === 'string' || Buffer.isBuffer(toy) ? toy : JSON.stringify(toy),
    ...rest,
  });
}

/** @param command that runs it and becomes its process, with arguments */
export function spawnService(
  env: Record<string, string>,
  command: readonly string[] = [],
): ServiceProcess {
  const script = 'packages/test-support/toyProcess.ts';
  return spawnScript(script, { CONTRACT: BUNDLE, ...env }, command);
}
