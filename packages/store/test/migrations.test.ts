// Which migrations run, which refuse the start, and what a database records of them.
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { defineTable, openStore } from '@stubwright/store';
import { emptiedPostgres } from '@stubwright/test-support/databases';
import { query } from '@stubwright/test-support/postgres';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { migrationsIn } from './support/migrations.ts';

const TOY = defineTable('toy', { key: 'id', columns: { id: 'int64', name: 'text' } });
const FIRST = 'CREATE TABLE toy (id bigint NOT NULL PRIMARY KEY, name text NOT NULL);';

const temporary = temporaryPaths();
const emptied = emptiedPostgres();

describe.each(['sqlite', 'postgres'] as const)('migrations on %s', (kind) => {
  let url: string;
  let database: string;

  beforeEach(async () => {
    database = kind === 'sqlite' ? temporary('toys.db') : await emptied();
    url = kind === 'sqlite' ? `sqlite:${database}` : database;
  });

  /** Starts and stops a service with these migrations. @returns undefined, or why it was refused */
  async function start(files: Readonly<Record<string, string>>): Promise<string | undefined> {
    const folder = temporary('migrations');
    const migrations = migrationsIn(folder, files);
    try {
      const store = await openStore(url, { name: 'toys', migrations, tables: [TOY] });
      const isReady = await store.isReady();
      await store.close();
      return isReady ? undefined : 'not ready';
    } catch (error) {
      const { name, message } = error as Error;
      return `${name}: ${message}`;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  async function rows(sql: string): Promise<Record<string, unknown>[]> {
    if (kind === 'postgres') return query(url, sql);
    const file = new DatabaseSync(database);
    try {
      return file
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }));
    } finally {
      file.close();
    }
  }

  /** The record of the first versions of the store: numbers without names. */
  async function forgetNames(versions: readonly number[]): Promise<void> {
    if (kind === 'sqlite') {
      const file = new DatabaseSync(database);
      file.exec(`DROP TABLE toys_migration; PRAGMA user_version = ${Math.max(...versions)}`);
      file.close();
      return;
    }
    await query(
      url,
      `DROP TABLE toys_migration; CREATE TABLE toys_migration (version integer PRIMARY KEY);
       INSERT INTO toys_migration VALUES ${versions.map((version) => `(${version})`).join()}`,
    );
  }

  const recorded = () =>
    rows('SELECT version, name, compatible FROM toys_migration ORDER BY version');
  const column = (name: string) => `ALTER TABLE toy ADD COLUMN ${name} text;`;

  it('run once, in the order of their numbers, and are recorded by name and SHA-256', async () => {
    const files = { '0001.sql': FIRST, '0002-a.sql': column('a') };
    expect(await start(files)).toBe(undefined);
    expect(await start({ ...files, '0010.sql': column('c'), '9-b.sql': column('b') })).toBe(
      undefined,
    );
    expect(await recorded()).toEqual([
      { version: 1, name: '0001.sql', compatible: null },
      { version: 2, name: '0002-a.sql', compatible: null },
      { version: 9, name: '9-b.sql', compatible: null },
      { version: 10, name: '0010.sql', compatible: null },
    ]);
    const hashes = await rows(
      "SELECT sha256 FROM toys_migration WHERE sha256 LIKE '________________________________________________________________'",
    );
    expect(new Set(hashes.map(({ sha256 }) => sha256)).size).toBe(4);
    expect(await rows('SELECT a, b, c FROM toy')).toEqual([]);
  });

  it('refuse the start if one was merged below a number that has run', async () => {
    const files = { '0001.sql': FIRST, '0002.sql': column('a'), '0004.sql': column('d') };
    expect(await start(files)).toBe(undefined);
    const merged = { ...files, '0003-late.sql': column('c') };
    expect(await start(merged)).toMatch(
      /^StoreRefused: .*Expected the migration 0003-late\.sql to have run in .* before version 4, but it has not; give it a number above 4$/,
    );
    expect(await start({ ...files, '0005-late.sql': column('c') })).toBe(undefined);
    expect(await rows('SELECT a, d, c FROM toy')).toEqual([]);
  });

  it.each([
    ['another text', '0001.sql', `${FIRST} -- edited`],
    ['another file with the number', '0001-other.sql', column('a')],
  ])('refuse the start if one has changed: %s', async (_, name, text) => {
    expect(await start({ '0001.sql': FIRST })).toBe(undefined);
    expect(await start({ [name]: text })).toMatch(
      /^StoreRefused: .*Expected the migration 0001.*\.sql to be the one that ran in .*, 0001\.sql with the SHA-256 [0-9a-f]{12}…, but its text has changed/,
    );
  });

  it('accept another name, and the line breaks of Windows', async () => {
    const text = `${FIRST}\n-- the end\n`;
    expect(await start({ '0001.sql': text })).toBe(undefined);
    expect(await start({ '0001-toys.sql': text.replaceAll('\n', '\r\n') })).toBe(undefined);
  });

  const old = { '0001.sql': FIRST, '0002.sql': column('b') };
  it.each<[string, string[], boolean]>([
    ['compatible with it', ['-- compatible: 2\n'], true],
    ['compatible with one before', ['-- compatible: 1\n'], true],
    ['not compatible', [''], false],
    ['compatible, the second one too', ['-- compatible: 2\n', '--compatible: 2\n'], true],
    [
      'compatible, but the second one only with the first',
      ['-- compatible: 2\n', '-- compatible: 3\n'],
      false,
    ],
    ['not compatible, but the second one is', ['', '-- compatible: 2\n'], false],
  ])('of a newer service are %s', async (_, comments, isCompatible) => {
    const newer = comments.map((comment, at) => [
      `000${3 + at}.sql`,
      `${comment}${column(`new${at}`)}`,
    ]);
    expect(await start({ ...old, ...Object.fromEntries(newer) })).toBe(undefined);
    const outcome = await start(old);
    if (isCompatible) expect(outcome).toBe(undefined);
    else
      expect(outcome).toMatch(
        /^StoreRefused: .*to have at most schema version 2, but it has \d by 000\d\.sql: a newer version of the service wrote it$/,
      );
    // The newer one starts again after the rollback.
    expect(await start({ ...old, ...Object.fromEntries(newer) })).toBe(undefined);
  });

  it.each(['x', '', '2', '3', '-1', '1.5'])(
    'reject compatible: %s in the second one',
    async (text) => {
      expect(
        await start({ '0001.sql': FIRST, '0002.sql': `-- compatible: ${text}\n${column('a')}` }),
      ).toBe(
        `TypeError: 0002.sql: got compatible: ${text}, expected the number of an earlier migration`,
      );
    },
  );

  it.each([
    ['a syntax error', 'CREATE TABEL x (id bigint);'],
    ['a missing table', 'ALTER TABLE nowhere ADD COLUMN x text;'],
    ['a violated constraint', `INSERT INTO toy (id, name) VALUES (1, 'a'), (1, 'b');`],
  ])('name the file that fails with %s, and keep those before', async (_, sql) => {
    expect(await start({ '0001.sql': FIRST })).toBe(undefined);
    const files = { '0001.sql': FIRST, '0002-wrong.sql': `${column('a')} ${sql}` };
    expect(await start(files)).toMatch(/^StoreRefused: .*it failed: migration 0002-wrong\.sql: \S/);
    expect((await recorded()).map(({ version }) => version)).toEqual([1]);
    expect(await start({ '0001.sql': FIRST, '0002-right.sql': column('a') })).toBe(undefined);
  });

  it('of a database without names are named at the first start', async () => {
    const files = { '0001.sql': FIRST, '0002.sql': column('a') };
    await start(files);
    await forgetNames([1, 2]);
    expect(await start({ ...files, '0003.sql': column('b') })).toBe(undefined);
    expect((await recorded()).map(({ name }) => name)).toEqual([
      '0001.sql',
      '0002.sql',
      '0003.sql',
    ]);
    const all = { ...files, '0003.sql': column('b') };
    expect(await start({ ...all, '0002.sql': column('x') })).toMatch(/its text has changed/);
    await forgetNames([1, 2, 3]);
    expect(await start(all)).toBe(undefined);
    expect(await start(files)).toMatch(/at most schema version 2, but it has 3 by 0003\.sql/);
  });
});

it('on PostgreSQL, a skipped one of a database without names refuses the start', async () => {
  const url = await emptied();
  await query(
    url,
    `${FIRST} CREATE TABLE toys_migration (version integer PRIMARY KEY);
     INSERT INTO toys_migration VALUES (1), (3)`,
  );
  const files = { '0001.sql': FIRST, '0002.sql': FIRST, '0003.sql': FIRST };
  const migrations = migrationsIn(temporary('migrations'), files);
  await expect(openStore(url, { name: 'toys', migrations, tables: [TOY] })).rejects.toThrow(
    /migration 0002\.sql to have run/,
  );
});
