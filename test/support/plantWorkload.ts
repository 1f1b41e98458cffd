// Creates of plants: each id is created twice, with different content.
import { type Attempt, checkHistory } from './history.ts';
import { createAt } from './service.ts';
import type { Workload } from './workload.ts';

type Create = Pick<Attempt, 'id' | 'name'>;

export function plantWorkload(firstId = 0): Workload<Create> {
  return {
    tables: ['plant'],
    step(turn) {
      const id = String(firstId + (turn >> 1));
      return { id, name: `rival ${turn & 1} for ${id}` };
    },
    send: (url, { id, name }) => createAt(url, `{"id":${id},"name":"${name}"}`),
    isOutcome: (status) => status === 200 || status === 409,
    check: (attempts, { plant = [] }) => checkHistory(attempts, plant),
    retries: ({ plant = [] }) =>
      plant.map(({ id, name }) => [
        { id: String(id), name: String(name) },
        { id: String(id), name: `rival 2 for ${id}` },
      ]),
  };
}
