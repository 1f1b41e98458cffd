// Parts that only some services have: each is loaded where its setting asks for it.
import type { AdminListener, Checks } from '../operations/admin/listener.ts';
import type { AddMetrics } from '../operations/admin/metrics.ts';
import type { AuthFailures } from '../operations/authFailures.ts';
import type { ServiceEmitter } from '../operations/events.ts';
import type { RateLimit } from '../operations/rateLimit.ts';
import type { Store } from './resources.ts';
import { ConfigError, type Settings } from './settings.ts';

/** RATE_LIMIT: what is asked before a caller's request is read. */
export async function openRateLimit({
  rateLimit,
}: Settings): Promise<RateLimit['admit'] | undefined> {
  if (rateLimit === undefined) return undefined;
  const { RateLimit } = await import('../operations/rateLimit.ts');
  return new RateLimit(rateLimit).admit;
}

/** AUTH_FAILURE_LIMIT: what wrong credentials are counted by. */
export async function openAuthFailures({
  authFailureLimit,
}: Settings): Promise<AuthFailures | undefined> {
  if (authFailureLimit === undefined) return undefined;
  const { AuthFailures } = await import('../operations/authFailures.ts');
  return new AuthFailures(authFailureLimit);
}

/**
 * ADMIN_PORT: prom-client and a listener for it.
 *
 * @throws {ConfigError} for an address that cannot be listened on
 */
export async function openAdmin(
  { admin }: Settings,
  store: Store,
  checks: Checks,
  events: ServiceEmitter,
  addMetrics?: AddMetrics,
): Promise<AdminListener | undefined> {
  if (admin === undefined) return undefined;
  const { listenForAdmin } = await import('../operations/admin/listener.ts');
  const { collectMetrics } = await import('../operations/admin/metrics.ts');
  const metrics = collectMetrics(events, () => store.waiting, addMetrics);
  try {
    return await listenForAdmin({ ...admin, checks, metrics });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `ADMIN_PORT: got ${admin.host}:${admin.port} (${code}), expected an address of this machine and a free port`,
    );
  }
}

/** Where @opentelemetry/api keeps what an SDK registers, for all its copies of major version 1. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/**
 * Tracing, where an SDK was loaded before this program (`node --import`). Nothing else reads the
 * API: without an SDK it would only do nothing, slowly.
 */
export async function openTracing(): Promise<typeof import('../operations/trace.ts') | undefined> {
  return REGISTERED in globalThis ? import('../operations/trace.ts') : undefined;
}
