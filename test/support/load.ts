// Load with rivals: each id is asked for twice, with different content, by clients that go on whatever
// they are answered; and what was acknowledged, to hold it against what is stored.
import { expect } from '@jest/globals';
import { createAt } from './service.ts';

const LANES = 16;

export interface Load {
  /** How many answers of a status there were so far. */
  count(status: number): number;
  /** Resolves when there were `more` further answers of a status. */
  more(status: number, more: number): Promise<void>;
  /** Resolves when no request is under way any more. */
  end(): Promise<void>;
  /** Every plant acknowledged is among the rows, and no id was acknowledged with two contents. */
  expectIn(rows: readonly { id?: unknown; name?: unknown }[]): void;
}

/**
 * @param urls of the services; requests go to them in turn
 * @param firstId of the plants
 */
export function startLoad(urls: readonly string[], firstId = 0): Load {
  const statuses = new Map<number, number>();
  const acknowledged: { id: string; name: string }[] = [];
  let sent = 0;
  let isOver = false;

  const lane = async () => {
    while (!isOver) {
      const turn = sent++;
      const id = String(firstId + (turn >> 1));
      const name = `rival ${turn & 1} for ${id}`;
      const url = urls[(turn + (turn >> 1)) % urls.length]!;
      // A service that was killed answers nothing; the lane goes on with the others.
      const answer = await createAt(url, `{"id":${id},"name":"${name}"}`).catch(() => undefined);
      const status = answer?.status ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) acknowledged.push({ id, name });
      if (status === 503) expect(answer?.headers['retry-after']).toBe('1');
      if (status !== 200 && status !== 409) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const lanes = Promise.all(Array.from({ length: LANES }, lane));
  lanes.catch(() => {});

  const count = (status: number) => statuses.get(status) ?? 0;
  return {
    count,
    async more(status, more) {
      const goal = count(status) + more;
      // A lane that failed ends the wait with its error.
      while (count(status) < goal)
        await Promise.race([lanes, new Promise((resolve) => setTimeout(resolve, 5))]);
    },
    async end() {
      isOver = true;
      await lanes;
    },
    expectIn(rows) {
      const stored = new Map(rows.map(({ id, name }) => [String(id), name]));
      const lost = acknowledged.filter(({ id, name }) => stored.get(id) !== name);
      expect(lost).toEqual([]);
      expect(new Set(acknowledged.map(({ id }) => id)).size).toBe(acknowledged.length);
    },
  };
}
