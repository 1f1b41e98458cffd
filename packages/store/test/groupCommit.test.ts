import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { type StoreEvents, StoreUnavailable } from '@stubwright/store';
import fc from 'fast-check';
import {
  COLLECTING_FACTOR,
  charsOf,
  MAX_BATCH,
  MAX_BATCH_CHARS,
  WriteQueue,
} from '../src/groupCommit.ts';
import { type CreateOutcome, type NewToy, TOY } from './support/toyStore.ts';

type Decision = CreateOutcome | Error | Promise<CreateOutcome>;
type QueueOptions = ConstructorParameters<typeof WriteQueue>[1];

const unreported = { succeeded: () => {}, failed: () => {} };

/** A queue of creates. */
function creatingWith(
  commit: (batch: readonly NewToy[]) => Promise<readonly Decision[]>,
  options: Partial<QueueOptions>,
) {
  const queue = new WriteQueue<unknown>(
    async (batch) => {
      const decisions = await commit(batch.map(({ write }) => write as NewToy));
      return { decisions, hasChanges: decisions.includes('created') };
    },
    { prepare: () => undefined, readiness: unreported, ...options },
  );
  return {
    create: queue.add<NewToy, CreateOutcome>({ table: TOY, decide: () => 'created' }),
    close: () => queue.close(),
    get waiting() {
      return queue.waiting;
    },
  };
}

const toys = (count: number): NewToy[] =>
  Array.from({ length: count }, (_, index) => ({ id: BigInt(index), name: `toy ${index}` }));

/** With a frozen clock, no batch is due before a turn adds nothing to it. */
const now = () => 0;

/** Resolves after the commit of a batch to which nothing is added, and of the next one. */
async function collected(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await nextTurn();
}

/** A commit that stays under way until `finish` is called, once for each batch. */
function heldCommit() {
  const batches: (readonly NewToy[])[] = [];
  const finishes: ((decisions: Decision[]) => void)[] = [];
  const commit = (batch: readonly NewToy[]) => {
    batches.push(batch);
    return new Promise<Decision[]>((resolve) => finishes.push(resolve));
  };
  const finish = () => finishes.shift()?.(Array(batches.at(-1)?.length).fill('created'));
  return { batches, commit, finish };
}

/** A commit that creates each toy at once. @param onBatch receives each batch */
function instantCommit(onBatch: (batch: readonly NewToy[]) => void = () => {}) {
  const sizes: number[] = [];
  const commit = async (batch: readonly NewToy[]): Promise<Decision[]> => {
    sizes.push(batch.length);
    onBatch(batch);
    return Array(batch.length).fill('created');
  };
  return { sizes, commit };
}

describe('WriteQueue', () => {
  it('commits the creates of one turn together, in their order', async () => {
    const { batches, commit, finish } = heldCommit();
    const creates = creatingWith(commit, { now });
    const answers = toys(50).map((toy) => creates.create(toy));
    expect(batches).toEqual([]);
    await collected();
    expect(batches).toEqual([toys(50)]);
    finish();
    expect(await Promise.all(answers)).toEqual(Array(50).fill('created'));
  });

  it('collects creates that arrive during a commit for the next one', async () => {
    const { batches, commit, finish } = heldCommit();
    const creates = creatingWith(commit, { now });
    const [first, second, third] = toys(3) as [NewToy, NewToy, NewToy];
    const answers = [creates.create(first)];
    await collected();
    answers.push(creates.create(second));
    await collected();
    answers.push(creates.create(third));
    await collected();
    expect(batches).toEqual([[first]]);
    finish();
    await collected();
    expect(batches).toEqual([[first], [second, third]]);
    finish();
    await Promise.all(answers);
  });

  it('gives every create the decision on its own toy', async () => {
    const decision = fc.constantFrom<Decision>(
      'created',
      'same',
      'different',
      new Error('bad row'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(decision, { maxLength: 100 }), async (decisions) => {
        const creates = creatingWith(
          async (batch) => batch.map(({ id }) => decisions[Number(id)]!),
          { now },
        );
        const answers = await Promise.allSettled(
          toys(decisions.length).map((toy) => creates.create(toy)),
        );
        expect(answers.map((answer) => ('value' in answer ? answer.value : answer.reason))).toEqual(
          decisions,
        );
      }),
    );
  });

  it('commits a due batch in the middle of a turn', async () => {
    let nowMs = 0;
    const { sizes, commit } = instantCommit(() => nowMs++);
    const creates = creatingWith(commit, { now: () => nowMs });
    const answers: Promise<unknown>[] = [];
    for (const toy of toys(12)) {
      answers.push(creates.create(toy));
      nowMs += 1;
      await new Promise(process.nextTick);
    }
    // A commit takes a millisecond or two, and a create comes in each: so many before it is due.
    expect(sizes).toEqual([COLLECTING_FACTOR + 2, COLLECTING_FACTOR + 2]);
    await Promise.all(answers);
  });

  it('splits more creates than MAX_BATCH into several commits', async () => {
    const { sizes, commit } = instantCommit();
    const creates = creatingWith(commit, { now });
    await Promise.all(toys(2 * MAX_BATCH + 7).map((toy) => creates.create(toy)));
    expect(sizes).toEqual([MAX_BATCH, MAX_BATCH, 7]);
  });

  it('counts texts and bytes, and nothing of an absent value', () => {
    const row = {
      id: 1n,
      count: 2,
      name: 'ab',
      tag: null,
      note: undefined,
      body: new Uint8Array(3),
    };
    expect(charsOf(row as never)).toBe(5);
  });

  it('splits more text than MAX_BATCH_CHARS, and commits a toy with more by itself', async () => {
    const batches: bigint[][] = [];
    const { commit } = instantCommit((batch) => batches.push(batch.map(({ id }) => id)));
    const creates = creatingWith(commit, { now });
    const half = 'x'.repeat(MAX_BATCH_CHARS / 2);
    const texts = [half, half, 'x', `${half}${half}x`, half];
    await Promise.all(
      texts.map((text, at) =>
        creates.create(at === 1 ? { id: 1n, name: '', tag: text } : { id: BigInt(at), name: text }),
      ),
    );
    expect(batches).toEqual([[0n, 1n], [2n], [3n], [4n]]);
  });

  it('lets the event loop turn between two commits', async () => {
    const creates = creatingWith(instantCommit().commit, { now });
    let done = false;
    const all = Promise.all(toys(5 * MAX_BATCH).map((toy) => creates.create(toy)));
    all.then(() => {
      done = true;
    });
    await collected();
    expect(done).toBe(false);
    await all;
  });

  it('refuses the whole batch when the commit fails, and commits the next', async () => {
    let broken = true;
    const { commit } = instantCommit(() => {
      if (broken) throw new Error('no connection');
    });
    const creates = creatingWith(commit, { now });
    const refused = await Promise.allSettled(toys(3).map((toy) => creates.create(toy)));
    expect(refused).toEqual(
      Array(3).fill({ status: 'rejected', reason: new Error('no connection') }),
    );
    broken = false;
    expect(await creates.create({ id: 1n, name: 'Aloe vera' })).toBe('created');
  });
});

describe('WriteQueue that collects', () => {
  /** @returns the sizes of the batches of one create per turn; time passes by `turnMs` in each */
  async function sizesOf(count: number, turnMs: number): Promise<number[]> {
    let nowMs = 0;
    const { sizes, commit } = instantCommit();
    const creates = creatingWith(commit, { now: () => nowMs });
    const answers: Promise<unknown>[] = [];
    for (const toy of toys(count)) {
      answers.push(creates.create(toy));
      await nextTurn();
      nowMs += turnMs;
    }
    await Promise.all(answers);
    return sizes;
  }

  it('waits for the creates of the next turn', async () => {
    expect(await sizesOf(40, 0)).toEqual([40]);
  });

  it('waits for no more than a batch takes', async () => {
    expect(await sizesOf(MAX_BATCH + 3, 0)).toEqual([MAX_BATCH, 3]);
  });

  it('waits for about the duration of a commit, which takes a millisecond at first', async () => {
    const sizes = await sizesOf(40, 0.25);
    expect(sizes[0]).toBe(6);
    // The commits that follow take no time.
    expect(sizes.at(-2)).toBe(3);
  });
});

describe('WriteQueue with two batches in flight', () => {
  it('commits arrivals during a commit in parallel, and the rest after either commit', async () => {
    const { batches, commit, finish } = heldCommit();
    const creates = creatingWith(commit, { maxInFlight: 2, now });
    const answers: Promise<unknown>[] = [];
    for (const toy of toys(4)) {
      answers.push(creates.create(toy));
      await collected();
    }
    const [first, second, third, fourth] = toys(4);
    expect(batches).toEqual([[first], [second]]);
    finish();
    await collected();
    expect(batches).toEqual([[first], [second], [third, fourth]]);
    finish();
    finish();
    expect(await Promise.all(answers)).toEqual(Array(4).fill('created'));
  });

  it('fills both at once when more is waiting than one batch takes', async () => {
    const { batches, commit, finish } = heldCommit();
    const creates = creatingWith(commit, { maxInFlight: 2, now });
    const answers = Promise.all(toys(3 * MAX_BATCH).map((toy) => creates.create(toy)));
    await collected();
    expect(batches.map(({ length }) => length)).toEqual([MAX_BATCH, MAX_BATCH]);
    finish();
    finish();
    await collected();
    finish();
    await answers;
  });

  it('closes when both are decided', async () => {
    const { commit, finish } = heldCommit();
    const creates = creatingWith(commit, { maxInFlight: 2, now });
    const [first, second] = toys(2) as [NewToy, NewToy];
    const order: string[] = [];
    const answered = [creates.create(first)];
    await collected();
    answered.push(creates.create(second));
    await collected();
    const closed = creates.close().then(() => order.push('closed'));
    finish();
    await answered[0]?.then(() => order.push('first'));
    finish();
    await answered[1]?.then(() => order.push('second'));
    await closed;
    expect(order).toEqual(['first', 'second', 'closed']);
  });
});

describe('WriteQueue with a create that is decided later', () => {
  const [first, second, third] = toys(3) as [NewToy, NewToy, NewToy];

  /** The first create of the first batch is decided by `late`, every other at once. */
  function oneLate() {
    const late = Promise.withResolvers<CreateOutcome>();
    let batches = 0;
    const events = new EventEmitter<StoreEvents>().on('committed', () => batches++);
    const creates = creatingWith(
      async (batch) => batch.map((_, at) => (batches === 0 && at === 0 ? late.promise : 'created')),
      { now, events },
    );
    return { creates, late };
  }

  it('resolves the rest of its batch and commits the next one before it', async () => {
    const { creates, late } = oneLate();
    const delayed = creates.create(first);
    expect(await creates.create(second)).toBe('created');
    expect(await creates.create(third)).toBe('created');
    expect(creates.waiting).toBe(1);
    late.resolve('different');
    expect(await delayed).toBe('different');
    await collected();
    expect(creates.waiting).toBe(0);
  });

  it('refuses it with the error of its promise', async () => {
    const { creates, late } = oneLate();
    const delayed = creates.create(first);
    late.reject(new StoreUnavailable('the id is locked'));
    await expect(delayed).rejects.toThrow('the id is locked');
    await collected();
    expect(creates.waiting).toBe(0);
  });

  it('closes when it is decided', async () => {
    const { creates, late } = oneLate();
    const order: string[] = [];
    const delayed = creates.create(first).then(() => order.push('decided'));
    await creates.create(second);
    const closed = creates.close().then(() => order.push('closed'));
    await collected();
    expect(order).toEqual([]);
    late.resolve('created');
    await Promise.all([delayed, closed]);
    expect(order).toEqual(['decided', 'closed']);
  });
});

describe('WriteQueue reports to readiness', () => {
  const unavailable = new StoreUnavailable('no disk');
  const badRow = new Error('bad row');
  const undecided = new Promise<never>(() => {});

  it.each<[string, Decision[] | Error, string[]]>([
    ['success for a commit that created a toy', ['same', badRow, 'created'], ['succeeded']],
    ['failure for a commit refused as a whole', [unavailable, unavailable], ['failed']],
    ['failure for a commit that rejects as unavailable', unavailable, ['failed']],
    ['nothing for a bad row', [badRow], []],
    ['nothing for an error that is not the store’s', badRow, []],
    ['nothing for one create that is refused', [unavailable, 'same'], []],
    ['nothing for creates that wrote nothing', ['same', 'different'], []],
    ['nothing for a create that is decided later', [undecided], []],
  ])('%s', async (_, decided, expected) => {
    const reports: string[] = [];
    const creates = creatingWith(
      async () => {
        if (decided instanceof Error) throw decided;
        return decided;
      },
      {
        now,
        readiness: {
          succeeded: () => reports.push('succeeded'),
          failed: () => reports.push('failed'),
        },
      },
    );
    const count = decided instanceof Error ? 1 : decided.length;
    const answers = toys(count).map((toy) => creates.create(toy).catch(() => {}));
    await collected();
    if (!(decided instanceof Error) && !decided.includes(undecided)) await Promise.all(answers);
    await collected();
    expect(reports).toEqual(expected);
  });
});

describe('the event committed', () => {
  it('reports the creates of each commit, after they are decided', async () => {
    const { commit, finish } = heldCommit();
    const events = new EventEmitter<StoreEvents>();
    const creates = creatingWith(commit, { now, events });
    const committed: [number, number][] = [];
    events.on('committed', (commit) => committed.push([commit.writes, creates.waiting]));
    const answers = toys(3).map((toy) => creates.create(toy));
    expect(creates.waiting).toBe(3);
    await collected();
    answers.push(creates.create({ id: 4n, name: 'Aloe vera' }));
    expect([creates.waiting, committed]).toEqual([4, []]);
    finish();
    await Promise.all(answers.slice(0, 3));
    await collected();
    finish();
    await Promise.all(answers);
    await collected();
    expect(committed).toEqual([
      [3, 1],
      [1, 0],
    ]);
  });
});

describe('WriteQueue.close', () => {
  it('waits for the commit in progress and commits accepted creates', async () => {
    const { batches, commit, finish } = heldCommit();
    const creates = creatingWith(commit, { now });
    const [first, second] = toys(2) as [NewToy, NewToy];
    const answers = [creates.create(first)];
    await collected();
    answers.push(creates.create(second));
    const order: string[] = [];
    const closed = Promise.all([creates.close(), creates.close()]).then(() => order.push('closed'));
    finish();
    await collected();
    expect(batches).toEqual([[first], [second]]);
    finish();
    await Promise.all(answers).then(() => order.push('answered'));
    await closed;
    expect(order).toEqual(['answered', 'closed']);
  });
});
