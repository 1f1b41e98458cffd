// What every store must do, on each of them: an embedded file and a database server.
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { codePoint } from '@stubwright/test-support/codePoint';
import { emptiedPostgres } from '@stubwright/test-support/databases';
import { query } from '@stubwright/test-support/postgres';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { isTestAll, runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { kill, storeProcesses } from './support/storeProcesses.ts';
import {
  type CreateOutcome,
  type NewToy,
  openToyStore as openStore,
  TOY,
} from './support/toyStore.ts';

const RUNS = isTestAll ? 100 : 25;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
/** What a driver that quotes, trims or folds would change. */
const HARD = [
  'NULL',
  'null',
  '{}',
  '{"a"}',
  '\\',
  '\\\\x41',
  '"',
  "'",
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\uffff',
  '$1',
  '%s',
];
const temporary = temporaryPaths();
const storeProcess = storeProcesses();
const emptied = emptiedPostgres();

interface Kind {
  readonly database: string;
  /** The URL of an empty database. */
  newUrl(): Promise<string>;
  /** What is in a database, read without the store. A SQLite file must be closed. */
  rows(url: string): Promise<Record<string, unknown>[]>;
}

const kinds: readonly Kind[] = [
  {
    database: 'SQLite',
    newUrl: async () => `sqlite:${temporary()}`,
    async rows(url) {
      const path = url.slice('sqlite:'.length);
      const database = new DatabaseSync(path, { readOnly: true, readBigInts: true });
      const rows = database.prepare('SELECT id, name, tag FROM toy ORDER BY id').all();
      database.close();
      return rows;
    },
  },
  {
    database: 'PostgreSQL',
    newUrl: emptied,
    rows: (url) => query(url, 'SELECT id, name, tag FROM toy ORDER BY id'),
  },
];

/** The outcome does not depend on the speed of the machine. */
const openPatiently = (url: string) => openStore(url, { patienceMs: 60_000 });

describe.each(kinds)('a store on $database', ({ database, newUrl, rows }) => {
  async function openNew() {
    const url = await newUrl();
    return { url, store: await openPatiently(url) };
  }

  async function stored(url: string): Promise<NewToy[]> {
    return (await rows(url)).map(({ id, name, tag }) => ({
      id: BigInt(id as bigint | string),
      name: name as string,
      ...(tag === null ? {} : { tag: tag as string }),
    }));
  }

  describe('create', () => {
    const aloe = { id: 1n, name: 'Aloe vera', tag: 'succulent' };
    const edges = [INT64_MIN, -(2n ** 53n), 0n, 2n ** 53n, 2n ** 62n, INT64_MAX - 2n];
    const adjacent = edges.flatMap((edge) => [edge, edge + 1n, edge + 2n]);
    it.each<[string, (readonly [NewToy, CreateOutcome])[]]>([
      [
        'stores a toy once, whatever has its id later',
        [
          [aloe, 'created'],
          [aloe, 'same'],
          [{ ...aloe, name: 'Monstera' }, 'different'],
          [{ ...aloe, tag: 'tropical' }, 'different'],
          [{ ...aloe, name: 'aloe vera' }, 'different'],
        ],
      ],
      [
        'distinguishes a missing tag from an empty one',
        [
          [{ id: 1n, name: '' }, 'created'],
          [{ id: 2n, name: '', tag: '' }, 'created'],
          [{ id: 1n, name: '', tag: '' }, 'different'],
          [{ id: 2n, name: '' }, 'different'],
        ],
      ],
      [
        'distinguishes adjacent int64 ids',
        adjacent.map((id) => [{ id, name: `toy ${id}` }, 'created'] as const),
      ],
    ])('%s', async (_, creates) => {
      const { url, store } = await openNew();
      for (const [toy, outcome] of creates) expect(await store.create(toy)).toBe(outcome);
      await store.close();
      const created = creates.filter(([, outcome]) => outcome === 'created');
      expect(await stored(url)).toEqual(created.map(([toy]) => toy));
    });

    it('keeps every string exactly', async () => {
      const { url, store } = await openNew();
      // The contract leaves out U+0000, which PostgreSQL cannot hold.
      const text = fc
        .oneof(
          fc.string({ unit: codePoint }),
          fc.string({ unit: 'grapheme' }),
          fc.constantFrom(...HARD),
        )
        .map((each) => each.replaceAll('\0', ''));
      const tagged = fc.record({ name: text, tag: text }, { requiredKeys: ['name'] });
      const toys: NewToy[] = [];
      await fc.assert(
        fc.asyncProperty(fc.array(tagged, { minLength: 1, maxLength: 20 }), async (drawn) => {
          const batch = drawn.map((toy, at) => ({ id: BigInt(toys.length + at), ...toy }));
          toys.push(...batch);
          const outcomes = (suffix: string) =>
            Promise.all(batch.map((toy) => store.create({ ...toy, name: toy.name + suffix })));
          expect(new Set(await outcomes(''))).toEqual(new Set(['created']));
          expect(new Set(await outcomes(''))).toEqual(new Set(['same']));
          expect(new Set(await outcomes(' '))).toEqual(new Set(['different']));
        }),
        { numRuns: runs(50) },
      );
      const emoji = { id: -1n, name: '👩🏽‍🌾 🪴', tag: '\u{10ffff}e\u0301\u200d' };
      await store.create(emoji);
      await store.close();
      expect(await stored(url)).toEqual([emoji, ...toys]);
    });

    it('rejects a toy that the database cannot store, and no other of its batch', async () => {
      const { url, store } = await openNew();
      const ids = [1n, INT64_MAX + 1n, 2n];
      const creates = ids.map((id) => store.create({ id, name: 'Aloe vera' }));
      const answers = await Promise.allSettled(creates);
      expect(answers).toMatchObject([
        { value: 'created' },
        { reason: { message: `${database} cannot store toy 9223372036854775808` } },
        { value: 'created' },
      ]);
      await store.close();
      expect((await stored(url)).map(({ id }) => id)).toEqual([1n, 2n]);
    });

    it('has the outcome of a violated constraint, and stores the others of its batch', async () => {
      const { url, store } = await openNew();
      const create = store.data.inserts({
        table: TOY,
        decide: () => 'created',
        onViolation: (_toy, { kind }) => kind,
      });
      const toys = [{ id: 1n, name: 'Aloe vera' }, { id: 2n }, { id: 3n, name: 'Monstera' }];
      const outcomes = await Promise.all(toys.map((toy) => create(toy as NewToy)));
      expect(outcomes).toEqual(['created', 'not null', 'created']);
      await store.close();
      expect((await stored(url)).map(({ id }) => id)).toEqual([1n, 3n]);
    });

    it('commits after a transaction that is open, and lets the next one begin', async () => {
      const { store } = await openNew();
      const transaction = await store.data.begin();
      const creates = [1n, 2n].map((id) => store.create({ id, name: 'Aloe vera' }));
      const found = store.find(1n);
      await transaction.rollBack();
      expect(await Promise.all(creates)).toEqual(['created', 'created']);
      expect([undefined, { name: 'Aloe vera' }]).toContainEqual(await found);
      await (await store.data.begin()).rollBack();
      expect(await store.find(2n)).toEqual({ name: 'Aloe vera' });
      await store.close();
    });

    it('decides each of many creates of few ids as if they came one after another', async () => {
      const few = fc.record({
        id: fc.bigInt(0n, 4n),
        name: fc.constantFrom('Aloe vera', 'Monstera'),
      });
      const { url, store } = await openNew();
      const expected: NewToy[] = [];
      let runs = 0n;
      await fc.assert(
        fc.asyncProperty(fc.array(few, { maxLength: 60 }), async (drawn) => {
          const first = 10n * runs++;
          const toys = drawn.map((toy) => ({ ...toy, id: first + toy.id }));
          const outcomes = await Promise.all(toys.map((toy) => store.create(toy)));
          const names = new Map<bigint, string>();
          for (const [at, { id, name }] of toys.entries()) {
            const held = names.get(id);
            if (held === undefined) {
              names.set(id, name);
              expected.push({ id, name });
            }
            expect(outcomes[at]).toBe(
              held === undefined ? 'created' : held === name ? 'same' : 'different',
            );
          }
        }),
        { numRuns: RUNS },
      );
      await store.close();
      expect(expected.length).toBeGreaterThan(RUNS);
      expect(await stored(url)).toEqual(
        expected.toSorted((one, other) => Number(one.id - other.id)),
      );
    });

    it('accepts toys of 1 MiB, with more data than fits into one commit', async () => {
      const { url, store } = await openNew();
      const name = '\u{1fab4}'.repeat(2 ** 19);
      const ids = Array.from({ length: 6 }, (_, index) => BigInt(index));
      const outcomes = await Promise.all(ids.map((id) => store.create({ id, name })));
      expect(outcomes).toEqual(Array(6).fill('created'));
      await store.close();
      expect((await stored(url)).every((toy) => toy.name === name)).toBe(true);
    });
  });

  describe('durability', () => {
    it('keeps every acknowledged toy when the process is killed', async () => {
      const url = await newUrl();
      await kill(await storeProcess(url, 300));
      const store = await openPatiently(url);
      expect(await store.create({ id: 300n, name: 'Aloe vera' })).toBe('same');
      await store.close();
      expect(await stored(url)).toHaveLength(300);
    });
  });

  describe('close', () => {
    it('commits accepted creates, then rejects', async () => {
      const { url, store } = await openNew();
      const accepted = store.create({ id: 1n, name: 'Aloe vera' });
      const closed = store.close();
      const late = store.create({ id: 2n, name: 'Monstera' });
      await expect(late).rejects.toMatchObject({
        ...{ name: 'StoreUnavailable', message: 'The store is closed' },
      });
      expect(await accepted).toBe('created');
      await closed;
      expect(await stored(url)).toEqual([{ id: 1n, name: 'Aloe vera' }]);
    });

    it('may be called twice', async () => {
      const { store } = await openNew();
      await Promise.all([store.close(), store.close()]);
      await store.close();
    });
  });

  describe('find', () => {
    it('returns the toy as it was stored, to the last digit of its id', async () => {
      const { store } = await openNew();
      await store.create({ id: INT64_MAX, name: 'Aloe \u{1f335}', tag: '' });
      await store.create({ id: INT64_MAX - 1n, name: 'Monstera' });
      expect(await store.find(INT64_MAX)).toEqual({ name: 'Aloe \u{1f335}', tag: '' });
      expect(await store.find(INT64_MAX - 1n)).toEqual({ name: 'Monstera' });
      expect(await store.find(INT64_MIN)).toBeUndefined();
      await store.close();
    });
  });

  describe('isReady', () => {
    it('is true while the store is open, and false when it is closed', async () => {
      const { store } = await openNew();
      expect(await store.isReady()).toBe(true);
      await store.close();
      expect(await store.isReady()).toBe(false);
    });
  });
});
