// What every outbox does: the same tests for SQLite and PostgreSQL.
import { expect, it } from '@jest/globals';
import type { ClaimedMessage, Outbox, OutboxMessage } from '@stubwright/webhooks';
import fc from 'fast-check';

const LEASE_MS = 100;

export const message = (id: string, dueAt = 0): OutboxMessage => ({
  ...{ id, name: 'sold', url: 'https://a.example/', method: 'POST' },
  ...{ type: 'application/json', body: `{"id":9223372036854775807,"text":"né"}`, dueAt },
});

interface Place<Transaction> {
  /** An empty outbox, and another instance on the same table. */
  readonly open: () => Promise<readonly [Outbox<Transaction>, Outbox<Transaction>]>;
  /** Calls `use` in a transaction, and rolls it back. */
  readonly rollBack: (use: (transaction: Transaction) => Promise<void>) => Promise<void>;
}

const ids = (claimed: readonly ClaimedMessage[]) => claimed.map(({ id }) => id);

export function outboxConformance<Transaction>(
  { open, rollBack }: Place<Transaction>,
  runs = 50,
): void {
  it('returns a message as it was stored, once for each lease', async () => {
    const [outbox, other] = await open();
    await outbox.put(message('a'));
    await outbox.put({ ...message('a'), body: 'another' });
    const claim = { limit: 9, leaseMs: LEASE_MS };
    expect(await other.claim({ ...claim, now: 5 })).toEqual([
      { ...message('a', 5 + LEASE_MS), attempt: 1 },
    ]);
    expect(await outbox.claim({ ...claim, now: 5 + LEASE_MS - 1 })).toEqual([]);
    expect(await outbox.claim({ ...claim, now: 5 + LEASE_MS })).toMatchObject([{ attempt: 2 }]);
  });

  it('ignores a result after another claim', async () => {
    const [outbox] = await open();
    await outbox.put(message('a'));
    const claim = { limit: 9, leaseMs: LEASE_MS };
    const [first] = await outbox.claim({ ...claim, now: 0 });
    const [second] = await outbox.claim({ ...claim, now: LEASE_MS });
    await outbox.delivered(first!);
    await outbox.giveUp(first!, 'late');
    await outbox.reschedule(first!, 1);
    expect(await outbox.claim({ ...claim, now: LEASE_MS + 1 })).toEqual([]);
    await outbox.reschedule(second!, LEASE_MS + 5);
    expect(ids(await outbox.claim({ ...claim, now: LEASE_MS + 5 }))).toEqual(['a']);
  });

  it('takes no message that was delivered or given up', async () => {
    const [outbox] = await open();
    for (const id of ['a', 'b']) await outbox.put(message(id));
    const claimed = await outbox.claim({ limit: 9, leaseMs: LEASE_MS, now: 0 });
    const byId = new Map(claimed.map((each) => [each.id, each]));
    await outbox.delivered(byId.get('a')!);
    await outbox.giveUp(byId.get('b')!, 'status 410');
    expect(await outbox.claim({ limit: 9, leaseMs: LEASE_MS, now: 1e12 })).toEqual([]);
  });

  it('stores nothing for a transaction that rolls back', async () => {
    const [outbox] = await open();
    await rollBack((transaction) => outbox.put(message('a'), transaction));
    expect(await outbox.claim({ limit: 9, leaseMs: LEASE_MS, now: 1 })).toEqual([]);
  });

  it('gives each message to one of two instances that claim at once', async () => {
    const instances = await open();
    for (let at = 0; at < 60; at++) await instances[0].put(message(`m${at}`));
    const claims = Array.from({ length: 20 }, (_, at) =>
      instances[at % 2]!.claim({ limit: 5, leaseMs: LEASE_MS, now: 1 }),
    );
    const claimed = (await Promise.all(claims)).flatMap(ids);
    // PostgreSQL skips rows that are locked meanwhile.
    const rest = ids(await instances[0].claim({ limit: 60, leaseMs: LEASE_MS, now: 1 }));
    const all = [...claimed, ...rest];
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(60);
  });

  it('loses no message, and repeats none after its delivery, whatever fails', async () => {
    const step = fc.constantFrom(
      'put',
      'claim',
      'deliver',
      'reschedule',
      'give up',
      'crash',
      'wait',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const [outbox] = await open();
        const open_ = new Set<string>();
        let held: ClaimedMessage[] = [];
        let now = 0;
        let count = 0;
        for (const each of steps) {
          if (each === 'put') {
            open_.add(`m${count}`);
            await outbox.put(message(`m${count++}`, now));
          } else if (each === 'claim') {
            const claimed = await outbox.claim({ limit: 2, leaseMs: LEASE_MS, now });
            for (const { id } of claimed) expect(open_).toContain(id);
            held.push(...claimed);
          } else if (each === 'crash') held = [];
          else if (each === 'wait') now += LEASE_MS;
          else {
            const last = held.pop();
            if (last === undefined) continue;
            const isCurrent = last.dueAt > now;
            if (each === 'reschedule') await outbox.reschedule(last, now + 1);
            else {
              if (each === 'deliver') await outbox.delivered(last);
              else await outbox.giveUp(last, 'gone');
              // An older lease has no effect if the message was claimed again.
              if (isCurrent) open_.delete(last.id);
              else {
                const left = await outbox.claim({
                  limit: 99,
                  leaseMs: 0,
                  now: now + 10 * LEASE_MS,
                });
                for (const id of [...open_]) if (!ids(left).includes(id)) open_.delete(id);
                held = [];
                now += 10 * LEASE_MS;
              }
            }
          }
        }
        const left = await outbox.claim({ limit: 99, leaseMs: LEASE_MS, now: now + 10 * LEASE_MS });
        expect(ids(left).sort()).toEqual([...open_].sort());
      }),
      { numRuns: runs },
    );
  });
}
