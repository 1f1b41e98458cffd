// `--query tanstack`: options of queries and mutations, with TanStack Query.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
  QueryObserver,
} from '@tanstack/react-query';
import { build } from 'esbuild';
import { type ClientProject, clientProject, type Served } from '../support/clientProject.ts';
import { FIRST, SHELF, toyShelf } from '../support/toyShelf.ts';

const MAIN = `import { QueryClient, queryOptions, useInfiniteQuery, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { connect, ErrorReply, NoResponse, UndeclaredResponse } from 'toys';
import { createToy, deleteToy, getToy, headToy, isReady, listToys, taggedToy, shake, } from 'toys/query';
const connection = connect({ baseUrl: 'http://localhost' });
export function Page() {
  const toy = useQuery(getToy.queryOptions(connection, { path: { id: 1n } }));
  toy.data?.id satisfies bigint | undefined;
  if (toy.error instanceof ErrorReply) toy.error.reply satisfies { status: 404; body: { message: string } };
  toy.error satisfies ErrorReply | NoResponse | UndeclaredResponse | null;
  const name = useQuery({ ...getToy.queryOptions(connection, { path: { id: 1n } }, { timeoutMs: 5 }), enabled: true, select: (each) => each.name });
  name.data satisfies string | undefined;
  useSuspenseQuery(isReady.queryOptions(connection)).data satisfies null;
  useSuspenseQuery(headToy.queryOptions(connection, { path: { id: 1n } })).data['X-Size'] satisfies bigint | undefined;
  const tagged = useQuery(taggedToy.queryOptions(connection)).data;
  tagged satisfies { body: { id: bigint }; etag: string | null } | undefined;
  const toys = useInfiniteQuery(listToys.infiniteQueryOptions(connection, { query: { color: 'red' } }));
  toys.data?.pages.flatMap(({ body }) => body.items) satisfies { id: bigint }[] | undefined;
  if (toys.error?.name === 'ErrorReply') toys.error.reply.body satisfies { message: string };
  const create = useMutation(createToy.mutationOptions(connection));
  create.mutate({ body: { id: 1n } });
  create.data?.id satisfies bigint | undefined;
  if (create.error instanceof ErrorReply) create.error.reply satisfies { status: 409; body: { message: string } };
  useMutation(deleteToy.mutationOptions(connection)).mutate({ path: { id: 1n } });
  useMutation(shake.mutationOptions(connection)).mutate();
  return null;
}
const queries = new QueryClient();
await queries.invalidateQueries({ queryKey: listToys.queryKey({ query: { color: 'red' } }) });
queries.getQueryData(queryOptions(getToy.queryOptions(connection, { path: { id: 1n } })).queryKey)?.id satisfies bigint | undefined;
`;

const WRONG = [
  ['toy.data?.id satisfies bigint', 'toy.data?.id satisfies string', '7: TS1360'],
  ['status: 404; body: { message: string } }', 'status: 200 }', '8: TS1360'],
  ['select: (each) => each.name', 'select: (each) => each.size', '10: TS2339'],
  ['.data satisfies null', '.data satisfies undefined', '12: TS1360'],
  ["data['X-Size']", "data['Y-Size']", '13: TS2551'],
  ['{ id: bigint }[]', '{ id: number }[]', '17: TS1360'],
  ['body satisfies { message: string }', 'body satisfies { reason: string }', '18: TS1360'],
  ['create.mutate({ body: { id: 1n } })', 'create.mutate({ body: { id: 1 } })', '20: TS2322'],
  ['status: 409;', 'status: 400;', '22: TS1360'],
  ['mutate({ path: { id: 1n } })', 'mutate()', '23: TS2554'],
  ['shake, ', 'shake, watchToys, ', '3: TS2305'],
  ["queryKey({ query: { color: 'red' } })", 'queryKey({ query: { color: 1 } })', '28: TS2322'],
] as const;

type Toys = readonly { readonly id: bigint }[];

interface Loaded {
  readonly pages: readonly { readonly body: Toys | { readonly items: Toys } }[];
}

describe('a client with --query tanstack', () => {
  let project: ClientProject;
  let service: Served;
  // biome-ignore lint/suspicious/noExplicitAny: without generated types
  let toys: any;
  // biome-ignore lint/suspicious/noExplicitAny: without generated types
  let connection: any;
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });

  beforeAll(async () => {
    const packages = ['@tanstack/react-query', '@types/react', 'react'];
    project = await clientProject(SHELF, { flags: ['--query', 'tanstack'], packages });
    service = await toyShelf();
    toys = await project.load('query.js');
    connection = (await project.load()).connect({ baseUrl: service.url, retry: false });
  });
  afterAll(() => {
    queries.clear();
    service.close();
    project.remove();
  });

  it('has types of data, errors, pages and variables', () => {
    expect(project.errorsOf(MAIN)).toEqual([]);
  });

  it('excludes other uses', () => {
    const wrong = WRONG.reduce((text, [right, other]) => {
      expect(text).toContain(right);
      return text.replace(right, other);
    }, MAIN);
    const codes = project.errorsOf(wrong).map((each) => each.replace(/(TS\d+).*/, '$1'));
    expect(new Set(codes)).toEqual(new Set(WRONG.map(([, , code]) => code)));
  });

  it('compiles the example of its page', () => {
    const page = readFileSync('docs/stubwright/client.md', 'utf8');
    const [, example = ''] = /^## TanStack Query$.*?^```tsx\n(.*?)^```$/ms.exec(page)!;
    const source = example.replaceAll('@acme/toys', 'toys');
    expect(project.errorsOf(source, { file: 'main.tsx' })).toEqual([]);
    expect(
      project.errorsOf(source.replace('body.items', 'body.toys'), { file: 'main.tsx' }),
    ).toEqual([expect.stringContaining('TS2339')]);
  });

  it('has no queries of streams', () => {
    expect(Object.keys(toys).sort()).toEqual([
      ...['createToy', 'deleteToy', 'getToy', 'headToy', 'isReady', 'linkedToys', 'listToys'],
      ...['shake', 'taggedToy'],
    ]);
  });

  it('returns data, null without a body, with a declared ETag, and the headers of HEAD', async () => {
    const path = { id: FIRST };
    expect(await queries.fetchQuery(toys.getToy.queryOptions(connection, { path }))).toEqual({
      id: FIRST,
    });
    expect(await queries.fetchQuery(toys.headToy.queryOptions(connection, { path }))).toEqual({
      'X-Size': FIRST,
    });
    expect(await queries.fetchQuery(toys.isReady.queryOptions(connection))).toBeNull();
    expect(await queries.fetchQuery(toys.taggedToy.queryOptions(connection))).toEqual({
      body: { id: FIRST },
      etag: '"7"',
    });
  });

  it('returns the errors of the client', async () => {
    const options = toys.getToy.queryOptions(connection, { path: { id: 1n } });
    await expect(queries.fetchQuery(options)).rejects.toMatchObject({
      name: 'ErrorReply',
      reply: { status: 404, body: { message: 'none' } },
    });
    const observer = new InfiniteQueryObserver(
      queries,
      toys.listToys.infiniteQueryOptions(connection, { query: { color: 'none' } }),
    );
    expect((await observer.fetchNextPage()).error).toMatchObject({ name: 'ErrorReply' });
  });

  it('keeps keys apart whose integers a number rounds, with the hash of TanStack', async () => {
    const keys = [FIRST, FIRST - 1n].map((id) => toys.getToy.queryKey({ path: { id } }));
    queries.setQueryData(keys[0], 'first');
    expect(keys.map((key) => queries.getQueryData(key))).toEqual(['first', undefined]);
    const [key] = keys;
    expect(toys.getToy.queryOptions(connection, { path: { id: FIRST } }).queryKey).toEqual(key);
    expect(key).toEqual(['toys', 'getToy', { path: { id: '9007199254740993n' } }]);
    expect(JSON.stringify(key)).toBe(JSON.stringify(structuredClone(key)));
  });

  it('invalidates the queries with parts of a request', async () => {
    const own = new QueryClient();
    const options = (query: object) => toys.listToys.queryOptions(connection, { query });
    const paged = toys.listToys.infiniteQueryOptions(connection, { query: { color: 'red' } });
    const all = [{ color: 'red', owner: FIRST }, { color: 'red', owner: 1n }, { color: 'blue' }];
    const keys = [...all.map((query) => options(query).queryKey), paged.queryKey];
    const invalidated = async (request?: object) => {
      for (const key of keys) own.setQueryData(key, 'fresh');
      await own.invalidateQueries({ queryKey: toys.listToys.queryKey(request) });
      return keys.map((key) => own.getQueryState(key)!.isInvalidated);
    };
    expect(await invalidated()).toEqual([true, true, true, true]);
    expect(await invalidated({ query: { color: 'red' } })).toEqual([true, true, false, true]);
    expect(await invalidated({ query: { owner: FIRST } })).toEqual([true, false, false, false]);
    expect(await invalidated({ query: { owner: FIRST - 1n } })).toEqual([
      ...[false, false, false, false],
    ]);
    for (const key of keys) own.setQueryData(key, 'fresh');
    await own.invalidateQueries({ queryKey: ['toys'] });
    expect(keys.every((key) => own.getQueryState(key)!.isInvalidated)).toBe(true);
    own.clear();
  });

  it.each(['listToys', 'linkedToys'])('loads and refetches the pages of %s', async (name) => {
    const before = service.seen.length;
    const observer = new InfiniteQueryObserver<unknown, Error, Loaded>(
      queries,
      toys[name].infiniteQueryOptions(connection),
    );
    const idsOf = ({ data }: { data?: Loaded | undefined }) =>
      data!.pages.flatMap(({ body }) => ('items' in body ? body.items : body).map(({ id }) => id));
    const first = await observer.fetchNextPage();
    expect([idsOf(first).length, first.hasNextPage]).toEqual([1, true]);
    await observer.fetchNextPage();
    const third = await observer.fetchNextPage();
    expect(third.hasNextPage).toBe(false);
    expect(idsOf(third)).toEqual(
      name === 'listToys' ? [FIRST, FIRST + 1n, FIRST + 2n] : [FIRST, FIRST, FIRST],
    );
    expect(idsOf(await observer.refetch())).toEqual(idsOf(third));
    const urls = service.seen.slice(before).map(({ url }) => url);
    expect(urls).toHaveLength(6);
    expect(urls.slice(3)).toEqual(urls.slice(0, 3));
  });

  it('keeps pages apart from the same query of one page', () => {
    for (const request of [{}, { query: { color: 'red' } }]) {
      const one = toys.listToys.queryOptions(connection, request).queryKey;
      const all = toys.listToys.infiniteQueryOptions(connection, request).queryKey;
      expect(JSON.stringify(all)).not.toBe(JSON.stringify(one));
      expect(all.slice(0, 2)).toEqual(one.slice(0, 2));
    }
    const other = { query: { color: 'blue' } };
    expect(toys.listToys.infiniteQueryOptions(connection, other).queryKey).not.toEqual(
      toys.listToys.infiniteQueryOptions(connection, {}).queryKey,
    );
  });

  it('cancels the request of a query', async () => {
    const seen: AbortSignal[] = [];
    const { connect } = await project.load();
    const hanging = connect({
      baseUrl: 'http://localhost',
      fetch: (_url: string, { signal }: { signal: AbortSignal }) => {
        seen.push(signal);
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      },
    });
    const options = toys.getToy.queryOptions(hanging, { path: { id: 5n } });
    const stop = new QueryObserver(queries, options).subscribe(() => undefined);
    while (seen.length === 0) await new Promise((done) => setImmediate(done));
    stop();
    expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('mutates, and returns errors', async () => {
    const create = new MutationObserver<unknown, Error, unknown>(
      queries,
      toys.createToy.mutationOptions(connection),
    );
    expect(await create.mutate({ body: { id: FIRST, name: 'Bear' } })).toEqual({
      id: FIRST,
      name: 'Bear',
    });
    expect(service.seen.at(-1)!.headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/);
    const shake = new MutationObserver<unknown, Error, unknown>(
      queries,
      toys.shake.mutationOptions(connection),
    );
    expect(await shake.mutate(undefined)).toBeUndefined();
    await expect(create.mutate({ body: { id: 1n }, mediaType: 'text/plain' })).rejects.toThrow(
      TypeError,
    );
  });

  it('sends one idempotency key for each call of mutate, also in the retries of TanStack', async () => {
    const keys: (string | null)[] = [];
    const { connect } = await project.load();
    const failing = connect({
      baseUrl: 'http://localhost',
      retry: false,
      fetch: async (_url: string, { headers }: { headers: Headers }) => {
        keys.push(headers.get('Idempotency-Key'));
        throw new TypeError('no connection');
      },
    });
    const body = { body: { id: FIRST } };
    const options = { ...toys.createToy.mutationOptions(failing), retry: 2, retryDelay: 0 };
    const create = new MutationObserver<unknown, Error, unknown>(queries, options);
    await expect(create.mutate(body)).rejects.toMatchObject({ name: 'NoResponse' });
    await expect(create.mutate(body)).rejects.toMatchObject({ name: 'NoResponse' });
    expect(keys).toHaveLength(6);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(new Set(keys.slice(3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
    const own = { ...body, header: { 'Idempotency-Key': 'own' } };
    await expect(create.mutate(own)).rejects.toMatchObject({ name: 'NoResponse' });
    expect(keys.slice(6)).toEqual(['own', 'own', 'own']);
  });

  it('leaves other operations out of a bundle, and the queries out of the package without the option', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: "import { getToy } from 'toys/query'; console.log(getToy.queryKey())",
        resolveDir: project.path,
      },
      ...{ bundle: true, write: false, format: 'esm', platform: 'neutral' },
    });
    const { text } = outputFiles[0]!;
    expect(text).toContain('getToy');
    expect(text).not.toMatch(/createToy|nextPage|listToys/);
    const plain = await clientProject(SHELF);
    const read = ({ path }: ClientProject, file: string) =>
      readFileSync(`${path}/node_modules/toys/${file}`, 'utf8');
    for (const file of ['index.js', 'index.d.ts', 'operations.d.ts', 'contract.d.ts']) {
      expect(read(plain, file)).toBe(read(project, file));
    }
    expect(read(plain, 'package.json')).not.toContain('query');
    plain.remove();
  });
});
