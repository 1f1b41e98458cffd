// Tables that lose, change or hide rows: nothing is acknowledged, and the store is not ready.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { query } from '@stubwright/test-support/postgres';
import { toyPostgres } from './support/toyPostgres.ts';
import { openToyStore as openStore, type ToyStore } from './support/toyStore.ts';

const postgres = toyPostgres();

// A store that cannot connect in time, on a busy machine, opens before it has made its table.
async function open(): Promise<ToyStore> {
  const store = await postgres.open();
  await untilReady(store, true);
  return store;
}

async function untilReady(store: ToyStore, isReady: boolean): Promise<void> {
  while ((await store.isReady()) !== isReady) await sleep(20);
}

const stored = (table = 'public.toy') =>
  query(postgres.url, `SELECT id, name, tag FROM ${table} ORDER BY id`);

/** @param body of the trigger function @param event as in CREATE TRIGGER */
function triggerSql(event: string, body: string): string {
  return `CREATE FUNCTION interfere() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$;
    CREATE ${event} FOR EACH ROW EXECUTE FUNCTION interfere()`;
}

const FAULTS: [string, string, string, RegExp][] = [
  [
    'is not logged',
    'ALTER TABLE toy SET UNLOGGED',
    'ALTER TABLE toy SET LOGGED',
    /expected the table public\.toy to be logged, but a crash would empty it/,
  ],
  [
    'has a trigger that suppresses rows',
    triggerSql('TRIGGER interfere BEFORE INSERT ON toy', 'RETURN NULL;'),
    'DROP TRIGGER interfere ON toy',
    /a trigger or a rule suppresses or changes it/,
  ],
  [
    'has a trigger that changes rows',
    triggerSql('TRIGGER interfere BEFORE INSERT ON toy', "NEW.tag = 'x'; RETURN NEW;"),
    'DROP TRIGGER interfere ON toy',
    /a trigger or a rule suppresses or changes it/,
  ],
  [
    'has a rule that suppresses rows',
    'CREATE RULE interfere AS ON INSERT TO toy DO INSTEAD NOTHING',
    'DROP RULE interfere ON toy',
    /RETURNING/,
  ],
];

const DELETIONS: [string, string][] = [
  ['a trigger', 'TRIGGER interfere AFTER INSERT ON toy'],
  [
    'a deferred trigger',
    'CONSTRAINT TRIGGER interfere AFTER INSERT ON toy DEFERRABLE INITIALLY DEFERRED',
  ],
];

describe('a table that', () => {
  it.each(FAULTS)('%s is refused at the start', async (_, harm, _repair, message) => {
    await (await open()).close();
    await query(postgres.url, harm);
    await expect(openStore(postgres.url)).rejects.toMatchObject({
      name: 'StoreRefused',
      message: expect.stringMatching(message),
    });
  });

  it.each(FAULTS)('%s acknowledges nothing until it is repaired', async (_, harm, repair) => {
    const store = await open();
    await query(postgres.url, harm);
    const outcomes = await Promise.allSettled(
      [1n, 2n, 3n].map((id) => store.create({ id, name: 'Aloe vera' })),
    );
    const acknowledged = outcomes.filter(
      (outcome) => outcome.status === 'fulfilled' && outcome.value !== 'different',
    );
    expect(acknowledged).toEqual([]);
    await untilReady(store, false);
    await query(postgres.url, repair);
    await untilReady(store, true);
    expect(await store.create({ id: 4n, name: 'Aloe vera' })).toBe('created');
    expect(await stored()).toContainEqual({ id: '4', name: 'Aloe vera', tag: null });
  });

  it.each(DELETIONS)(
    'loses rows by %s is not ready, and refused at the start',
    async (_, event) => {
      const store = await open();
      await query(
        postgres.url,
        triggerSql(event, 'DELETE FROM toy WHERE id = NEW.id; RETURN NULL;'),
      );
      await untilReady(store, false);
      await expect(store.create({ id: 1n, name: 'x' })).rejects.toThrow(/suppresses or changes/);
      await expect(openStore(postgres.url)).rejects.toThrow(/suppresses or changes/);
    },
  );

  it('suppresses one row stores the others', async () => {
    const store = await open();
    const body = "IF NEW.name = 'bad' THEN RETURN NULL; END IF; RETURN NEW;";
    await query(postgres.url, triggerSql('TRIGGER interfere BEFORE INSERT ON toy', body));
    const outcomes = await Promise.allSettled(
      ['good', 'bad', 'good'].map((name, id) => store.create({ id: BigInt(id), name })),
    );
    expect(outcomes).toMatchObject([
      { value: 'created' },
      { reason: { message: 'PostgreSQL cannot store toy 1' } },
      { value: 'created' },
    ]);
    expect(await store.isReady()).toBe(true);
    expect(await stored()).toHaveLength(2);
  });

  it('has a trigger for audits and a constraint takes rows', async () => {
    const store = await open();
    await query(
      postgres.url,
      `CREATE TABLE audit (id bigint);
       ALTER TABLE toy ADD CHECK (length(name) > 8);
       ${triggerSql('TRIGGER interfere AFTER INSERT ON toy', 'INSERT INTO audit VALUES (NEW.id); RETURN NULL;')}`,
    );
    await (await open()).close();
    expect(await store.create({ id: 1n, name: 'Aloe vera' })).toBe('created');
    expect(await query(postgres.url, 'SELECT id FROM audit')).toEqual([{ id: '1' }]);
  });
});

describe('a table that is renamed', () => {
  it.each([
    ['alone', ['toy']],
    ['with the table of migrations', ['toy', 'toy_migration']],
  ])('%s acknowledges nothing until it is back', async (_, tables) => {
    const store = await open();
    expect(await store.create({ id: 1n, name: 'Aloe vera' })).toBe('created');
    const rename = (from: string, to: string) =>
      query(
        postgres.url,
        tables.map((each) => `ALTER TABLE ${each}${from} RENAME TO ${each}${to}`).join('; '),
      );
    await rename('', '_away');
    // Without a qualified name, this table would be used.
    await query(
      postgres.url,
      `CREATE SCHEMA later; CREATE TABLE later.toy (LIKE toy_away INCLUDING ALL);
       ALTER ROLE CURRENT_USER SET search_path = public, later`,
    );
    await expect(store.create({ id: 2n, name: 'Fern' })).rejects.toMatchObject({
      name: 'StoreUnavailable',
    });
    expect(await store.isReady()).toBe(false);
    // Time for attempts to reconnect.
    await sleep(600);
    await expect(store.create({ id: 2n, name: 'Fern' })).rejects.toThrow();
    expect(await stored('later.toy')).toEqual([]);
    await query(postgres.url, 'ALTER ROLE CURRENT_USER RESET search_path');
    await rename('_away', '');
    await untilReady(store, true);
    expect(await store.create({ id: 1n, name: 'Aloe vera' })).toBe('same');
  });
});

describe('a table of the same name', () => {
  it.each(['earlier', 'Earlier "quoted" schema'])(
    'in the schema %s is not used',
    async (schema) => {
      const store = await open();
      const name = `"${schema.replaceAll('"', '""')}"`;
      await query(
        postgres.url,
        `CREATE SCHEMA ${name}; CREATE TABLE ${name}.toy (LIKE toy INCLUDING ALL);
       ALTER ROLE CURRENT_USER SET search_path = ${name}, public`,
      );
      const other = await open();
      expect(await other.create({ id: 1n, name: 'Aloe vera' })).toBe('created');
      expect(await store.create({ id: 1n, name: 'Aloe vera' })).toBe('same');
      expect([await stored(`${name}.toy`), await stored()]).toEqual([
        [],
        [{ id: '1', name: 'Aloe vera', tag: null }],
      ]);
      await query(postgres.url, 'ALTER ROLE CURRENT_USER RESET search_path');
    },
  );

  it('is the one of the store in the first schema with its migrations', async () => {
    const name = '"Schema of ""its"" own"';
    await query(
      postgres.url,
      `CREATE SCHEMA ${name}; ALTER ROLE CURRENT_USER SET search_path = ${name}, public`,
    );
    const store = await open();
    expect(await store.create({ id: 1n, name: 'Aloe vera' })).toBe('created');
    expect(await stored(`${name}.toy`)).toHaveLength(1);
    await query(postgres.url, 'ALTER ROLE CURRENT_USER RESET search_path');
  });
});
