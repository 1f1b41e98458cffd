// `--query swr`: keys and fetchers, with the hash of SWR.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unstable_serialize as serialize } from 'swr';
import { unstable_serialize as serializeInfinite } from 'swr/infinite';
import { type ClientProject, clientProject, type Served } from '../support/clientProject.ts';
import { FIRST, SHELF, toyShelf } from '../support/toyShelf.ts';

const MAIN = `import useSWR from 'swr';
import useSWRInfinite from 'swr/infinite';
import useSWRMutation from 'swr/mutation';
import { connect } from 'toys';
import { createToy, getToy, headToy, isReady, listToys, shake, } from 'toys/query';
const connection = connect({ baseUrl: 'http://localhost' });
export function Page() {
  useSWR(...getToy.swr(connection, { path: { id: 1n } })).data?.id satisfies bigint | undefined;
  useSWR(...isReady.swr(connection)).data satisfies null | undefined;
  useSWR(...headToy.swr(connection, { path: { id: 1n } })).data?.['X-Size'] satisfies bigint | undefined;
  const { data } = useSWRInfinite(...listToys.swrInfinite(connection, { query: { color: 'red' } }));
  data?.flatMap(({ body }) => body.items) satisfies { id: bigint }[] | undefined;
  const create = useSWRMutation(...createToy.swrMutation(connection));
  create.trigger({ body: { id: 1n } });
  create.data?.id satisfies bigint | undefined;
  useSWRMutation(...shake.swrMutation(connection)).trigger();
}
`;
const WRONG = [
  ['.data?.id satisfies bigint', '.data?.id satisfies string', '8: TS1360'],
  ['data satisfies null', 'data satisfies string', '9: TS1360'],
  ["?.['X-Size']", "?.['Y-Size']", '10: TS2551'],
  ['{ id: bigint }[]', '{ id: number }[]', '12: TS1360'],
  ['trigger({ body: { id: 1n } })', 'trigger({ body: { id: 1 } })', '14: TS2769'],
  ['shake, ', 'shake, watchToys, ', '5: TS2305'],
] as const;

describe('a client with --query swr', () => {
  let project: ClientProject;
  let service: Served;
  // biome-ignore lint/suspicious/noExplicitAny: without generated types
  let toys: any;
  // biome-ignore lint/suspicious/noExplicitAny: without generated types
  let connection: any;

  beforeAll(async () => {
    const packages = ['swr', 'react', '@types/react'];
    project = await clientProject(SHELF, { flags: ['--query', 'swr'], packages });
    service = await toyShelf();
    toys = await project.load('query.js');
    connection = (await project.load()).connect({ baseUrl: service.url, retry: false });
  });
  afterAll(() => {
    service.close();
    project.remove();
  });

  it('has types of data, pages and arguments', () => {
    expect(project.errorsOf(MAIN)).toEqual([]);
    const wrong = WRONG.reduce((text, [right, other]) => {
      expect(text).toContain(right);
      return text.replace(right, other);
    }, MAIN);
    const codes = project.errorsOf(wrong).map((each) => each.replace(/(TS\d+).*/s, '$1'));
    expect(new Set(codes)).toEqual(new Set(WRONG.map(([, , code]) => code)));
  });

  it('compiles the example of its page', () => {
    const page = readFileSync('docs/stubwright/client.md', 'utf8');
    const [, example = ''] = /^## SWR$.*?^```tsx\n(.*?)^```$/ms.exec(page)!;
    const source = example.replaceAll('@acme/toys', 'toys');
    expect(project.errorsOf(source, { file: 'main.tsx' })).toEqual([]);
  });

  it('fetches data, null without a body, and the headers of HEAD', async () => {
    const path = { id: FIRST };
    const fetched = (name: string, request?: object) => toys[name].swr(connection, request)[1]();
    expect(await fetched('getToy', { path })).toEqual({ id: FIRST });
    expect(await fetched('headToy', { path })).toEqual({ 'X-Size': FIRST });
    expect(await fetched('isReady')).toBeNull();
    await expect(fetched('getToy', { path: { id: 1n } })).rejects.toMatchObject({
      reply: { status: 404, body: { message: 'none' } },
    });
    const [, create] = toys.createToy.swrMutation(connection);
    expect(await create([], { arg: { body: { id: FIRST } } })).toEqual({ id: FIRST });
    expect(await toys.shake.swrMutation(connection)[1]([], {})).toBeUndefined();
  });

  it.each(['listToys', 'linkedToys'])(
    'fetches the pages of %s by keys that differ',
    async (name) => {
      const [getKey, fetcher] = toys[name].swrInfinite(connection);
      const keys: string[] = [];
      let page: { body: unknown; next: unknown } | null = null;
      for (let index = 0, key = getKey(index, page); key !== null; key = getKey(++index, page)) {
        keys.push(serialize(key));
        page = await fetcher(key);
      }
      expect(new Set(keys).size).toBe(3);
      expect(page).toMatchObject({ next: null });
      expect(serializeInfinite(getKey)).toContain(name);
    },
  );

  it('has keys whose hash is exact', () => {
    const hashOf = (id: bigint) => serialize(toys.getToy.swr(connection, { path: { id } })[0]);
    expect(hashOf(FIRST)).not.toBe(hashOf(FIRST - 1n));
    expect(hashOf(FIRST)).toBe(serialize(toys.getToy.queryKey({ path: { id: FIRST } })));
    const pageOf = (cursor: bigint) =>
      serialize(toys.listToys.swrInfinite(connection)[0](1, { next: { query: { cursor } } }));
    expect(pageOf(FIRST)).not.toBe(pageOf(FIRST - 1n));
  });
});
