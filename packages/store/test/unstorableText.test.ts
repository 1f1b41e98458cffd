// U+0000 in a text: both databases give one answer, which names where the request has it.
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyMissing, type DataStore, defineTable, openStore } from '@stubwright/store';
import { storeProblem } from '@stubwright/store/service';
import { DATABASES, type DatabaseName, databaseUrls } from '@stubwright/test-support/databases';
import { loadedContract } from '@stubwright/test-support/loadedContract';
import { temporaryPaths } from '@stubwright/test-support/temporaryPaths';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { migrationsIn } from './support/migrations.ts';

const TOY = defineTable('toy', { key: 'name', columns: { name: 'text', tag: 'text?' } });
const temporary = temporaryPaths();
const newUrl = databaseUrls();

const contract = loadedContract(`
paths:
  /toys:
    post:
      operationId: add
      parameters: [{name: how, in: query, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: &responses
        '204': {description: ok}
        default: {description: 'no', content: {application/problem+json: {}}}
  /toys/{name}:
    get:
      operationId: find
      parameters:
        - {name: name, in: path, required: true, schema: {type: string}}
        - {name: how, in: query, schema: {type: string}}
        - {name: tags, in: query, schema: {type: array, items: {type: string}}}
      responses: *responses
`);

interface Toy {
  readonly name: string;
  readonly tag?: string;
}

async function served(store: DataStore) {
  const insert = store.inserts({ table: TOY, decide: () => 'added' });
  const inTransaction = async (sql: string, values: string[]) => {
    const transaction = await store.begin();
    try {
      await transaction.run(sql, values);
      await transaction.commit();
    } catch (error) {
      await transaction.rollBack();
      throw error;
    }
  };
  const handlers = {
    async add({ body, query }: { body: Toy; query: { how?: string } }) {
      const { name, tag } = body;
      if (query.how === 'made') await insert({ name: 'made\0here' });
      else if (query.how === 'transaction')
        await inTransaction('INSERT INTO toy (name, tag) VALUES ($1, $2)', [name, tag ?? '']);
      else await insert(body as never);
      return { status: 204 };
    },
    async find({ path, query }: { path: Toy; query: { how?: string; tags?: string[] } }) {
      const tag = query.tags?.at(-1) ?? path.name;
      if (query.how === 'query') await store.query('SELECT 1 FROM toy WHERE tag = $1', [tag]);
      else if (query.how === 'transaction')
        await inTransaction('DELETE FROM toy WHERE tag = $1', [tag]);
      else await store.find(TOY, path.name);
      return { status: 204 };
    },
  };
  const api = await createApi({ contract, handlers: handlers as never, toProblem: storeProblem });
  const handle = fetchHandler(api);
  return async (path: string, body?: unknown) => {
    const headers = { 'Content-Type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await handle(new Request(`http://x${path}`, init));
    const { detail, errors } = JSON.parse((await response.text()) || '{}');
    return [response.status, detail, errors?.map((each: { pointer: string }) => each.pointer)];
  };
}

async function opened(kind: DatabaseName, url?: string): Promise<DataStore> {
  const sql = 'CREATE TABLE toy (name text NOT NULL PRIMARY KEY, tag text);';
  const migrations = migrationsIn(temporary('migrations'), { '0001.sql': sql });
  const options = { name: 'toys', migrations, tables: [TOY], maxConnections: 3 };
  return openStore(url ?? (await newUrl(kind)), options);
}

describe.each(DATABASES)('text with U+0000 on %s', (kind) => {
  let store: DataStore;
  let send: Awaited<ReturnType<typeof served>>;

  beforeAll(async () => {
    store = await opened(kind);
    send = await served(store);
  });
  afterAll(() => store.close());

  it.each<[string, unknown, string, string]>([
    ['/toys', { name: 'a\0' }, '/name expected text without U+0000', '#/name'],
    [
      '/toys?how=transaction',
      { name: 'a', tag: '\0b' },
      '/tag expected text without U+0000',
      '#/tag',
    ],
    ['/toys/%00', undefined, 'path name: expected text without U+0000', '#/name'],
    ['/toys/a%00b?how=query', undefined, 'path name: expected text without U+0000', '#/name'],
    ['/toys/a%00b?how=transaction', undefined, 'path name: expected text without U+0000', '#/name'],
    [
      '/toys/a?how=query&tags=x&tags=%00',
      undefined,
      'query tags/1: expected text without U+0000',
      '#/tags/1',
    ],
  ])('%s is a 400 that names the location', async (path, body, detail, pointer) => {
    expect(await send(path, body)).toEqual([400, detail, [pointer]]);
    // The store serves on, on the connections that it has.
    expect((await send('/toys/a'))[0]).toBe(204);
    expect(await store.isReady()).toBe(true);
  });

  it('is stored by nobody, and is a 500 if the handler has made it', async () => {
    const [status] = await send('/toys?how=made', { name: 'b' });
    expect(status).toBe(500);
    expect(await store.query('SELECT name FROM toy')).toEqual([]);
  });

  it('is named by a move of rows that an earlier version has stored', async () => {
    const file = temporary();
    const from = await opened('SQLite', `sqlite:${file}`);
    await from.close();
    const raw = new DatabaseSync(file);
    const insert = raw.prepare('INSERT INTO toy VALUES (?, ?)');
    for (let at = 0; at < 12; at++) insert.run(`toy ${at + 10}`, `\0${at}`);
    insert.run('bad\0key', null);
    insert.run('good', null);
    raw.close();
    const again = await opened('SQLite', `sqlite:${file}`);
    const target = await opened(kind);
    await expect(copyMissing(again, target, { tables: [TOY], onRead: () => {} })).rejects.toThrow(
      /^toy bad\\0key: expected name to be text without U\+0000; toy toy 10: expected tag to be text without U\+0000; .*; and 3 more\. Change these rows, and run this again$/,
    );
    expect(await target.query('SELECT name FROM toy')).toEqual([{ name: 'good' }]);
    await Promise.all([again.close(), target.close()]);
  });
});
