// Metrics of a store: size and duration of its commits.
import type { StoreEmitter } from './store.ts';

const SECONDS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5];
/** MAX_BATCH is 256: a commit above the last bucket is a full batch. */
const WRITES = [1, 2, 5, 10, 20, 50, 100, 200, 255];

/** The part of prom-client that is used. */
interface PromClient<Registry> {
  readonly Histogram: new (options: {
    name: string;
    help: string;
    buckets: number[];
    registers: Registry[];
  }) => { observe(value: number): void };
}

/**
 * @param writes the plural noun for writes in the name of the first metric
 * @returns a function that creates the metrics `store_commit_writes` and `store_commit_duration_seconds`
 */
export function storeMetrics(events: StoreEmitter, writes = 'writes') {
  return <Registry>({ Histogram }: PromClient<Registry>, registers: Registry[]): void => {
    const commitWrites = new Histogram({
      name: `store_commit_${writes}`,
      help: `${writes.charAt(0).toUpperCase()}${writes.slice(1)} in one commit`,
      buckets: WRITES,
      registers,
    });
    const commitSeconds = new Histogram({
      name: 'store_commit_duration_seconds',
      help: 'Duration of a commit',
      buckets: SECONDS,
      registers,
    });
    events.on('committed', ({ writes: count, durationMs }) => {
      commitWrites.observe(count);
      commitSeconds.observe(durationMs / 1000);
    });
  };
}
