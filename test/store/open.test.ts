import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type StoreEmitter, withoutSecrets } from '@stubwright/store';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { openPlantStore as openStore } from '../support/plantStore.ts';

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
      await expect(openStore(`sqlite:${folder}/plants.db`, { createsFolder })).rejects.toThrow(
        expect.objectContaining({
          name: 'StoreRefused',
          message: `Expected the folder of ${folder}/plants.db to exist, but it does not; create it, or correct the path`,
        }),
      );
    }
    expect(existsSync(missing)).toBe(false);
  });

  it('creates the folder of the file where it is the default', async () => {
    const folder = temporary('data');
    const store = await openStore(`sqlite:${folder}/plants.db`, { createsFolder: true });
    await store.close();
    expect(existsSync(`${folder}/plants.db`)).toBe(true);
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
    ['plants.db', 'no scheme'],
    ['mysql://root:secret@host/plants', 'the scheme "mysql:"'],
    ['postgres://root:sec#ret@host/plants', 'a postgres URL that cannot be read'],
    ['sqlite:', '"sqlite:"'],
    ['sqlite::memory:', '"sqlite::memory:"'],
    ['sqlite:///var/plants.db', '"sqlite:///var/plants.db"'],
  ])('refuses %j', async (url, got) => {
    await expect(openStore(url)).rejects.toThrow(
      expect.objectContaining({
        name: 'StoreRefused',
        message: `DATABASE_URL: got ${got}, expected sqlite:PATH with the path of a file, like sqlite:data/plants.db or sqlite:/var/lib/plants.db, or postgres://USER:PASSWORD@HOST:PORT[,HOST:PORT]/DATABASE`,
      }),
    );
  });
});

describe('withoutSecrets', () => {
  it.each([
    ['sqlite:data/plants.db', 'sqlite:data/plants.db'],
    ['postgres://root:secret@host:5433/plants?sslmode=disable', 'postgres://root@host:5433/plants'],
    ['postgresql://host/plants?password=secret', 'postgresql://host/plants'],
    ['postgres:///plants?host=/run/postgresql', 'postgres:///plants'],
    [
      'postgres://root:secret@one:1,two:2/plants?target_session_attrs=read-write',
      'postgres://root@one:1,two:2/plants',
    ],
  ])('converts %s to %s', (url, shown) => {
    expect(withoutSecrets(url)).toBe(shown);
  });
});
