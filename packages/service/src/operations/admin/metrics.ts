// Prometheus metrics. Labels have few values: operationIds, statuses, names of static tokens, and the callers of
// deprecated parts. Versions are a label of services that serve older ones.
import * as prom from 'prom-client';
import type { SentResponse, ServiceEmitter } from '../events.ts';

/** Creates metrics of the application with these `registers`, and subscribes them to events. */
export type AddMetrics = (
  client: typeof prom,
  registers: prom.Registry[],
  events: ServiceEmitter,
) => void;

/** Histogram buckets, from a write on a fast disk to the timeout of a client. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Label of requests that match no operation. */
const NO_OPERATION = 'none';
/** The callers of deprecated parts that have a label of their own. */
const MAX_CALLERS = 100;

/**
 * Subscribes the metrics of every service to its events.
 *
 * @param queueLength the number of requests that wait in the queue of the services
 * @returns a function that returns all metrics in the Prometheus text format
 */
export function collectMetrics(
  events: ServiceEmitter,
  queueLength: () => number,
  addMetrics: AddMetrics = () => {},
): () => Promise<string> {
  const registry = new prom.Registry();
  const registers = [registry];
  const requests = new prom.Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the headers of a request to its response, for a stream to its head; _count is the number of requests',
    labelNames: ['api', 'version', 'operation', 'status'],
    buckets: SECONDS,
    registers,
  });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new prom.Counter({ name, help, labelNames, registers });
  const callerRequests = counter(
    'http_caller_requests_total',
    'Requests with a static token that has a name',
    ['caller', 'version', 'status'],
  );
  const items = counter('http_stream_items_total', 'Items of the streams that have ended', [
    'api',
    'version',
    'operation',
  ]);
  events.on('responded', ({ status, ...sent }) => {
    const labels = labelsOf(sent);
    requests.observe({ ...labels, status }, (sent.headMs ?? sent.durationMs) / 1000);
    if (sent.items !== undefined) items.inc(labels, sent.items);
    const { caller, version } = sent;
    if (caller === undefined) return;
    const by = version === undefined ? { caller } : { caller, version };
    callerRequests.inc({ ...by, status });
  });
  events.on('requestRejected', ({ status }) =>
    requests.observe({ operation: NO_OPERATION, status }, 0),
  );
  const deprecatedRequests = counter(
    'http_deprecated_requests_total',
    `Requests that used a deprecated part of the contract; callers beyond ${MAX_CALLERS} are other`,
    ['api', 'version', 'operation', 'caller'],
  );
  const callers = new Set<string>();
  events.on('responded', ({ deprecated, ...sent }) => {
    if (deprecated === undefined) return;
    if (callers.size < MAX_CALLERS) callers.add(deprecated.caller);
    const caller = callers.has(deprecated.caller) ? deprecated.caller : 'other';
    deprecatedRequests.inc({ ...labelsOf(sent), caller });
  });
  const droppedConnections = counter(
    'http_connections_dropped_total',
    'New connections that were closed because of a connection limit',
    [],
  );
  events.on('connectionDropped', () => droppedConnections.inc());
  new prom.Gauge({
    name: 'service_queue_length',
    help: 'Requests that wait in the queue of the services, such as for a commit',
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

/** `api` is the base path of the contract, if the service has several; `version` that of an older contract. */
function labelsOf({
  api,
  version,
  operationId: operation = NO_OPERATION,
}: Pick<SentResponse, 'api' | 'version' | 'operationId'>) {
  const at = api === undefined ? { operation } : { api, operation };
  return version === undefined ? at : { ...at, version };
}
