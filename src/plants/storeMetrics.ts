// Metrics of a store: size and duration of its commits.
import type { AddMetrics } from '@stubwright/service';
import type { StoreEmitter } from './store.ts';

const SECONDS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5];
/** MAX_BATCH is 256: a commit above the last bucket is a full batch. */
const CREATES = [1, 2, 5, 10, 20, 50, 100, 200, 255];

/** @returns the metrics of a store */
export function storeMetrics(events: StoreEmitter): AddMetrics {
  return ({ Histogram }, registers) => {
    const commitCreates = new Histogram({
      name: 'store_commit_creates',
      help: 'Creates in one commit',
      buckets: CREATES,
      registers,
    });
    const commitSeconds = new Histogram({
      name: 'store_commit_duration_seconds',
      help: 'Duration of a commit',
      buckets: SECONDS,
      registers,
    });
    events.on('committed', ({ creates, durationMs }) => {
      commitCreates.observe(creates);
      commitSeconds.observe(durationMs / 1000);
    });
  };
}
