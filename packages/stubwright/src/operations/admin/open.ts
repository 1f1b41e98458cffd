// The admin listener with its metrics: what the service loads where ADMIN_PORT is set.
import { type AdminListener, type Checks, listenForAdmin } from './listener.ts';
import { Metrics, type MetricsSource } from './metrics.ts';

export interface Admin extends AdminListener {
  readonly metrics: Metrics;
}

/** @throws the system's error (`EADDRINUSE`, …) when the address cannot be listened on */
export async function openAdmin(
  address: { readonly host: string; readonly port: number },
  checks: Checks,
  source: MetricsSource,
): Promise<Admin> {
  const metrics = new Metrics(source);
  const listener = await listenForAdmin({ ...address, checks, metrics: metrics.text });
  return { ...listener, metrics };
}
