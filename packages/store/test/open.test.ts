import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type StoreEmitter, withoutSecrets } from '@stubwright/store';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { openToyStore as openStore } from './support/toyStore.ts';

const temporary = temporaryPaths();

describe('openStore', () => {
  it.each(['absolute', 'relative'])('opens sqlite: with an %s path', async (kind) => {
    const file = temporary(`${kind}.db`);
    const path = kind === 'absolute' ? file : relative(process.cwd(), file);
    const store = await openStore(`sqlite:${path}`);
    expect(await store.create({ id: 1n, name: 'Aloe vera' })).toBe('created');
    await store.close();
    expect(existsSync(file)).toBe(true);
  });

  it.each([false, undefined])('creates no folder: %s', async (createsFolder) => {
    const missing = temporary('missing');
    for (const folder of [missing, `${missing}/dir`]) {
      await expect(openStore(`sqlite:${folder}/toys.db`, { createsFolder })).rejects.toThrow(
        expect.objectContaining({
          name: 'StoreRefused',
          message: `Expected the folder of ${folder}/toys.db to exist, but it does not; create it, or correct the path`,
        }),
      );
    }
    expect(existsSync(missing)).toBe(false);
  });

  it('creates the folder of the file where it is the default', async () => {
    const folder = temporary('data');
    const store = await openStore(`sqlite:${folder}/toys.db`, { createsFolder: true });
    await store.close();
    expect(existsSync(`${folder}/toys.db`)).toBe(true);
  });

  it('reports whether it created the file', async () => {
    const file = temporary('reported.db');
    const opened: unknown[] = [];
    const events: StoreEmitter = new EventEmitter();
    events.on('opened', (each) => opened.push(each));
    for (let at = 0; at < 2; at++) {
      const store = await openStore(`sqlite:${file}`, { events });
      await store.close();
    }
    expect(opened).toEqual([
      { file, isNew: true },
      { file, isNew: false },
    ]);
  });

  it.each([
    ['', 'no scheme'],
    ['toys.db', 'no scheme'],
    ['mysql://root:secret@host/toys', 'the scheme "mysql:"'],
    ['postgres://root:sec#ret@host/toys', 'a postgres URL that cannot be read'],
    ['sqlite:', '"sqlite:"'],
    ['sqlite::memory:', '"sqlite::memory:"'],
    ['sqlite:///var/toys.db', '"sqlite:///var/toys.db"'],
  ])('refuses %j', async (url, got) => {
    await expect(openStore(url)).rejects.toThrow(
      expect.objectContaining({
        name: 'StoreRefused',
        message: `DATABASE_URL: got ${got}, expected sqlite:PATH with the path of a file, like sqlite:data/toys.db or sqlite:/var/lib/toys.db, or postgres://USER:PASSWORD@HOST:PORT[,HOST:PORT]/DATABASE`,
      }),
    );
  });
});

describe('withoutSecrets', () => {
  it.each([
    ['sqlite:data/toys.db', 'sqlite:data/toys.db'],
    ['postgres://root:secret@host:5433/toys?sslmode=disable', 'postgres://root@host:5433/toys'],
    ['postgresql://host/toys?password=secret', 'postgresql://host/toys'],
    ['postgres:///toys?host=/run/postgresql', 'postgres:///toys'],
    [
      'postgres://root:secret@one:1,two:2/toys?target_session_attrs=read-write',
      'postgres://root@one:1,two:2/toys',
    ],
  ])('converts %s to %s', (url, shown) => {
    expect(withoutSecrets(url)).toBe(shown);
  });
});
