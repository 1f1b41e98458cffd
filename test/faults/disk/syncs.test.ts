// Generated patterns of failing and succeeding syncs, kills and power cuts: after a power cut at any moment,
// every row that the store has reported is on the disk.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { temporaryFolder } from '../../support/service.ts';
import { Disk, type Kept, type Random } from './powerCut.ts';
import { canPreload, Shim } from './shim.ts';
import { type Claim, type Life, REFUSED, type Step } from './syncedStore.ts';

const SCRIPT = new URL('syncedStore.ts', import.meta.url).pathname;
/** Of each moment before and after a sync, and of one in so many others. */
const CUT_EVERY = 8;
/** A short sync runs on the event loop, a long one in the thread pool. */
const SYNC_US = [0, 1500];

/** A process, killed after so many records unless 0; then the power may be cut. */
interface GeneratedLife extends Life {
  readonly killAfter: number;
  readonly isCut: boolean;
  /** The pattern of the syncs of its start, which may be refused. */
  readonly failingAtStart: number;
  readonly syncUs: number;
}

const id = fc.integer({ min: 1, max: 40 });
const name = fc.constantFrom('aloe', 'fern');
const plant = fc.tuple(id, name);
const creates = fc.array(plant, { minLength: 1, maxLength: 5 });
const steps: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 6, arbitrary: creates.map((creates) => [{ creates }]) },
  { weight: 1, arbitrary: id.map((find) => [{ find }]) },
  { weight: 1, arbitrary: plant.map((transaction) => [{ transaction }]) },
  {
    weight: 2,
    arbitrary: fc.tuple(plant, fc.boolean()).map(([[id, name], isFound]): Step[] => [
      { creates: [[id, name]] },
      // The row is committed, and not yet synced.
      { wait: 'turn' },
      isFound ? { find: id } : { transaction: [id, name] },
    ]),
  },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 15 }).map((failing) => [{ failing }]) },
  { weight: 5, arbitrary: fc.constantFrom('turn', 'sync', 'outcomes').map((wait) => [{ wait }]) },
);
/** The next process inherits what the failed sync has not written. */
const failedAtLast = creates.map((creates): Step[] => [
  { wait: 'outcomes' },
  { failing: 1 },
  { creates },
  { wait: 'outcomes' },
]);
const anyLife: fc.Arbitrary<GeneratedLife> = fc.record({
  steps: fc.array(steps, { minLength: 5, maxLength: 60 }).map((all) => all.flat()),
  checkpointFrames: fc.constantFrom(3, 10, 4000),
  end: fc.constantFrom('close', 'kill'),
  killAfter: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200 })),
  isCut: fc.boolean(),
  failingAtStart: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    fc.integer({ min: 1, max: 15 }),
  ),
  syncUs: fc.constantFrom(...SYNC_US),
});

const life = fc.oneof(
  anyLife,
  fc.tuple(anyLife, failedAtLast).map(([life, last]): GeneratedLife => {
    const steps = [...life.steps, ...last];
    return { ...life, steps, end: 'kill', killAfter: 0, isCut: false };
  }),
);

(canPreload ? describe : describe.skip)('a store whose syncs fail', () => {
  it('loses no row that it has reported, whenever it is killed or the power is cut', () => {
    let claims = 0;
    let cuts = 0;
    const lives = fc.array(life, { minLength: 1, maxLength: 3 });
    const property = fc.property(lives, fc.integer(), (generated, seed) => {
      const history = new History(randomOf(seed));
      try {
        for (const each of generated) history.live(each);
      } finally {
        history.remove();
        claims += history.claims.length;
        cuts += history.cuts;
      }
    });
    const seed = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff);
    fc.assert(property, { numRuns: runs(25), seed, endOnFailure: !process.env['SHRINK'] });
    process.stderr.write(`SEED=${seed}: ${claims} reported rows, ${cuts} power cuts\n`);
    expect(claims).toBeGreaterThan(runs(25));
  }, 1_200_000);

  it('loses no row to the end of a start whose sync of an inherited log failed', () => {
    const usual = {
      checkpointFrames: 4000,
      killAfter: 0,
      isCut: false,
      failingAtStart: 0,
      syncUs: 1500,
    };
    const creates = (...ids: number[]): Step => ({ creates: ids.map((id) => [id, 'fern']) });
    const wait: Step = { wait: 'turn' };
    const steps: Step[] = [
      ...[creates(16), creates(37, 37), wait, { find: 39 }, creates(3, 15, 4, 39, 3)],
      ...[{ failing: 15 }, creates(15, 28, 5, 33), creates(3, 34, 34), creates(19), wait],
    ];
    for (let seed = 1; seed <= 8; seed++) {
      const history = new History(randomOf(seed));
      try {
        history.live({ ...usual, steps, end: 'kill' });
        history.live({ ...usual, steps: [], end: 'close', failingAtStart: 1 });
      } finally {
        history.remove();
      }
    }
  }, 60_000);
});

/** Lives of processes on one disk, one after another. */
class History {
  /** Of all lives, in their order. */
  readonly claims: Claim[] = [];
  cuts = 0;
  readonly #folder = temporaryFolder();
  readonly #random: Random;
  #shim: Shim;
  /** What was on the disk when it was recorded first. */
  #initial: string | undefined;
  #number = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#shim = this.#newShim();
  }

  /** @throws if a power cut during this life loses what was reported before */
  live({ killAfter, isCut, failingAtStart, syncUs, ...life }: GeneratedLife): void {
    this.#shim.fail('fsync pattern', failingAtStart);
    this.#shim.fail('SIGKILL after', killAfter);
    const before = [...this.#shim.logs];
    const { status, signal, stderr } = spawnSync(
      process.execPath,
      [SCRIPT, this.#shim.root, JSON.stringify(life)],
      { env: { ...this.#shim.environment(), DISK_SYNC_US: String(syncUs) }, encoding: 'utf8' },
    );
    const isRefused = status === REFUSED && failingAtStart > 0;
    if (signal !== 'SIGKILL' && status !== 0 && !isRefused)
      throw new Error(`the process failed: ${stderr}`);
    const options = { random: this.#random, ...(this.#initial && { initial: this.#initial }) };
    const disk = new Disk(this.#shim.root, before, options);
    let countdown = 0;
    // A start writes what it has inherited.
    let isStart = true;
    for (const { op, data } of disk.replay(this.#shim.logs.at(-1)!)) {
      if (op === 'N') {
        this.claims.push(JSON.parse(data.toString()));
        isStart = false;
      }
      if (!'NBSF'.includes(op) && countdown-- > 0) continue;
      countdown = Math.floor(this.#random() * (isStart ? 2 : 2 * CUT_EVERY));
      this.#expectClaimsAfterCut(disk, op);
    }
    if (isCut) this.#cut(disk);
  }

  remove(): void {
    this.#folder.remove();
  }

  #expectClaimsAfterCut(disk: Disk, op: string): void {
    for (const kept of ['none', 'some', 'torn'] satisfies Kept[]) {
      this.cuts++;
      const target = `${this.#folder.path}/cut${this.cuts}`;
      disk.writeAfterCut(target, kept, this.#random);
      const violations = violationsIn(`${target}/plants.db`, this.claims);
      rmSync(target, { recursive: true });
      if (violations.length > 0) {
        throw new Error(`after a power cut (${kept} kept) at ${op}: ${violations.join('; ')}`);
      }
    }
  }

  /** The next process starts on what is left. */
  #cut(disk: Disk): void {
    this.#shim = this.#newShim();
    this.#initial = `${this.#folder.path}/initial${this.#number}`;
    disk.writeAfterCut(this.#initial, 'torn', this.#random);
    cpSync(this.#initial, this.#shim.root, { recursive: true });
  }

  #newShim(): Shim {
    const folder = `${this.#folder.path}/shim${++this.#number}`;
    mkdirSync(folder);
    return new Shim(folder);
  }
}

/** Opens the file as a restart would, and compares its rows. */
function violationsIn(file: string, claims: readonly Claim[]): string[] {
  if (!existsSync(file)) return claims.length === 0 ? [] : ['no database'];
  const database = new DatabaseSync(file);
  try {
    // The record of migrations is committed before the first one.
    const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'plant'").get();
    if (table === undefined) return claims.length === 0 ? [] : ['a database without its table'];
    const damage = Object.values(database.prepare('PRAGMA integrity_check').get()!)[0];
    if (damage !== 'ok') return [`damaged: ${damage}`];
    const rows = new Map(
      database
        .prepare('SELECT id, rtrim(name) AS name FROM plant')
        .all()
        .map((row) => [row['id'], row['name']]),
    );
    return claims
      .filter(({ id, name, not }) => {
        const stored = rows.get(id);
        return stored === undefined || (name !== undefined && stored !== name) || stored === not;
      })
      .map((claim) => `${JSON.stringify(claim)} is ${rows.get(claim.id) ?? 'missing'}`);
  } catch (error) {
    return [(error as Error).message];
  } finally {
    database.close();
  }
}

/** Mulberry32. */
function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
