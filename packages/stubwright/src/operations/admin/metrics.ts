// The metrics for Prometheus. Loads prom-client, so only a service with an admin listener loads this.
// Label sets are bounded: operations and statuses of the contract, never a path or a caller.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What is asked for when Prometheus comes by. */
export interface MetricsSource {
  /** Creates that were taken and are not yet decided. */
  readonly queueLength: () => number;
}

/** From a create on a fast disk to a client that was given up. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const COMMIT_SECONDS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5];
/** What exceeds the last is a full batch of a store. */
const CREATES = [1, 2, 5, 10, 20, 50, 100, 200, 255];
/** For what was answered before an operation was found. */
const NO_OPERATION = 'none';

export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'operation' | 'status'>;
  readonly #commitCreates: Histogram;
  readonly #commitSeconds: Histogram;
  readonly #droppedConnections: Counter;

  constructor({ queueLength }: MetricsSource) {
    const registers = [this.#registry];
    this.#requests = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'From the headers of a request to its answer; its _count is the number of requests',
      labelNames: ['operation', 'status'],
      buckets: SECONDS,
      registers,
    });
    this.#commitCreates = new Histogram({
      name: 'store_commit_creates',
      help: 'Creates in one commit',
      buckets: CREATES,
      registers,
    });
    this.#commitSeconds = new Histogram({
      name: 'store_commit_duration_seconds',
      help: 'From the begin of a commit until its outcome was known',
      buckets: COMMIT_SECONDS,
      registers,
    });
    this.#droppedConnections = new Counter({
      name: 'http_connections_dropped_total',
      help: 'Connections closed when they were accepted, because of a connection limit',
      registers,
    });
    new Gauge({
      name: 'store_queue_creates',
      help: 'Creates that wait for their commit to be done',
      registers,
      collect() {
        this.set(queueLength());
      },
    });
    // Event-loop lag, heap, garbage collection, CPU, file descriptors.
    collectDefaultMetrics({ register: this.#registry });
  }

  /** @param operation an operationId of the contract */
  answered(operation: string | undefined, status: number, durationMs: number): void {
    this.#requests.observe({ operation: operation ?? NO_OPERATION, status }, durationMs / 1000);
  }

  committed(creates: number, durationMs: number): void {
    this.#commitCreates.observe(creates);
    this.#commitSeconds.observe(durationMs / 1000);
  }

  connectionDropped(): void {
    this.#droppedConnections.inc();
  }

  /** @returns everything, in Prometheus' text format */
  readonly text = (): Promise<string> => this.#registry.metrics();
}
