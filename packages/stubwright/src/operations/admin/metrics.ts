// The metrics for Prometheus. Loads prom-client, so only a service with an admin listener loads this.
// Label sets are bounded: operations and statuses of the contract, never a path or a caller.
import * as prom from 'prom-client';
import type { ServiceEmitter } from '../events.ts';

/** Makes metrics of the service itself, each with these `registers`, and subscribes them to events. */
export type AddMetrics = (
  client: typeof prom,
  registers: prom.Registry[],
  events: ServiceEmitter,
) => void;

/** From a create on a fast disk to a client that was given up. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** For what was answered before an operation was found. */
const NO_OPERATION = 'none';

/** @returns writes all metrics in Prometheus' text format */
export function collectMetrics(
  events: ServiceEmitter,
  queueLength: () => number,
  addMetrics: AddMetrics = () => {},
): () => Promise<string> {
  const registry = new prom.Registry();
  const registers = [registry];
  const requests = new prom.Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the headers of a request to its answer; its _count is the number of requests',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers,
  });
  events.on('responded', ({ operationId: operation = NO_OPERATION, status, durationMs }) =>
    requests.observe({ operation, status }, durationMs / 1000),
  );
  events.on('requestRejected', ({ status }) =>
    requests.observe({ operation: NO_OPERATION, status }, 0),
  );
  const droppedConnections = new prom.Counter({
    name: 'http_connections_dropped_total',
    help: 'Connections closed when they were accepted, because of a connection limit',
    registers,
  });
  events.on('connectionDropped', () => droppedConnections.inc());
  new prom.Gauge({
    name: 'store_queue_creates',
    help: 'Creates that wait for their commit to be done',
    registers,
    collect() {
      this.set(queueLength());
    },
  });
  addMetrics(prom, registers, events);
  // Event-loop lag, heap, garbage collection, CPU, file descriptors.
  prom.collectDefaultMetrics({ register: registry });
  return () => registry.metrics();
}
