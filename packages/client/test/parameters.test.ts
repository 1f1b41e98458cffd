// Parameters of a call, serialized by location, style, explode and allowReserved (RFC 6570).
import { describe, expect, it } from '@jest/globals';
import type { ParameterSpec } from '../src/index.ts';
import { exchange, type Spec } from './exchange.ts';

/** @returns the URL and the headers of a request */
async function call(spec: Partial<Spec>, request: object = {}) {
  const get = { id: 'get', method: 'GET', replies: { 204: {} } };
  const { url, sent } = await exchange(
    { ...get, ...spec },
    new Response(null, { status: 204 }),
    request,
  );
  return { url, headers: sent.headers };
}

/** @returns the serialized parameter as it is sent: a path segment, query, header or Cookie header */
async function sent(parameter: ParameterSpec, value: unknown): Promise<string> {
  const { in: where, name } = parameter;
  const path = `/x${where === 'path' ? `{${name}}` : ''}`;
  const group = where === 'querystring' ? 'query' : where;
  const { url, headers } = await call(
    { path, parameters: [parameter] },
    { [group]: { [name]: value } },
  );
  if (where === 'header') return headers.get(name)!;
  if (where === 'cookie') return headers.get('Cookie')!;
  return url.slice('http://toys.test/x'.length).replace(/^\?/, '');
}

/** A segment must not be empty. */
const EMPTY = 'TypeError: get: expected the path parameter c';
const COLORS = ['blue', 'a b', 'x.y'];
const RGB = { R: 100, 'G/': 'a.b', none: undefined };

describe('a parameter', () => {
  it.each<[ParameterSpec['in'], string | undefined, boolean | undefined, string[]]>([
    ['path', undefined, undefined, [EMPTY, 'blue', 'blue,a%20b,x.y', 'R,100,G%2F,a.b']],
    ['path', 'simple', true, [EMPTY, 'blue', 'blue,a%20b,x.y', 'R=100,G%2F=a.b']],
    ['path', 'label', false, ['.', '.blue', '.blue,a%20b,x%2Ey', '.R,100,G%2F,a%2Eb']],
    ['path', 'label', true, ['.', '.blue', '.blue.a%20b.x%2Ey', '.R=100.G%2F=a%2Eb']],
    ['path', 'matrix', false, [';c', ';c=blue', ';c=blue,a%20b,x.y', ';c=R,100,G%2F,a.b']],
    ['path', 'matrix', true, [';c', ';c=blue', ';c=blue;c=a%20b;c=x.y', ';R=100;G%2F=a.b']],
    ['query', undefined, undefined, ['c=', 'c=blue', 'c=blue&c=a%20b&c=x.y', 'R=100&G%2F=a.b']],
    ['query', 'form', false, ['c=', 'c=blue', 'c=blue,a%20b,x.y', 'c=R,100,G%2F,a.b']],
    [
      'query',
      'pipeDelimited',
      undefined,
      ['c=', 'c=blue', 'c=blue%7Ca%20b%7Cx.y', 'c=R%7C100%7CG%2F%7Ca.b'],
    ],
    [
      'query',
      'deepObject',
      true,
      ['c=', 'c=blue', 'c%5B0%5D=blue&c%5B1%5D=a%20b&c%5B2%5D=x.y', 'c%5BR%5D=100&c%5BG%2F%5D=a.b'],
    ],
    ['header', undefined, undefined, ['', 'blue', 'blue,a b,x.y', 'R,100,G/,a.b']],
    ['header', 'simple', true, ['', 'blue', 'blue,a b,x.y', 'R=100,G/=a.b']],
    ['cookie', undefined, undefined, ['c=', 'c=blue', 'c=blue; c=a%20b; c=x.y', 'R=100; G%2F=a.b']],
    ['cookie', 'form', false, ['c=', 'c=blue', 'c=blue,a%20b,x.y', 'c=R,100,G%2F,a.b']],
    ['cookie', 'cookie', undefined, ['c=', 'c=blue', 'c=blue; c=a b; c=x.y', 'R=100; G/=a.b']],
  ])('in %s with style %s and explode %s', async (where, style, explode, texts) => {
    const parameter = {
      ...{ in: where, name: 'c' },
      ...(style !== undefined && { style }),
      ...(explode !== undefined && { explode }),
    };
    const values = ['', 'blue', COLORS, RGB];
    const texted = values.map((value) => sent(parameter, value).catch(String));
    expect(await Promise.all(texted)).toEqual(texts);
  });

  it('of style spaceDelimited joins with %20', async () => {
    const parameter = { in: 'query', name: 'c', style: 'spaceDelimited', explode: false } as const;
    expect(await sent(parameter, ['a', 'b'])).toBe('c=a%20b');
    await expect(sent(parameter, ['a b'])).rejects.toThrow(
      new TypeError('expected no delimiter of spaceDelimited in a b'),
    );
  });

  it.each([
    ...['.', '..', '%2e', '%2E.', '.%2e'].flatMap((segment) =>
      [`/${segment}`, `/${segment}/b`, `/a/${segment}`].map((path) => [path, '']),
    ),
    ['/{c}', '..'],
  ])('in path is no dot segment: %s %s', async (path, c) => {
    const sending = call({ path, parameters: [{ in: 'path', name: 'c' }] }, { path: { c } });
    await expect(sending).rejects.toThrow(
      new TypeError('get: expected path parameters other than . and ..'),
    );
  });

  it('in deepObject nests objects and arrays', async () => {
    const parameter = { in: 'query', name: 'p', style: 'deepObject', explode: true } as const;
    const value = { a: { b: 1, c: [2, { d: 3 }] }, e: null, f: undefined };
    expect(decodeURIComponent(await sent(parameter, value))).toBe(
      'p[a][b]=1&p[a][c][0]=2&p[a][c][1][d]=3',
    );
  });

  const STYLES: readonly ParameterSpec[] = [
    { in: 'path', name: 'c' },
    { in: 'path', name: 'c', style: 'label' },
    { in: 'path', name: 'c', style: 'matrix', explode: true },
    { in: 'query', name: 'c' },
    { in: 'query', name: 'c', explode: false },
    { in: 'query', name: 'c', style: 'pipeDelimited' },
    { in: 'query', name: 'c', style: 'deepObject', explode: true },
    { in: 'header', name: 'c' },
    { in: 'cookie', name: 'c' },
    { in: 'cookie', name: 'c', style: 'cookie' },
  ];

  it.each(STYLES)('without null: %j', async (parameter) => {
    const { in: where, name } = parameter;
    const other = { ...parameter, name: 'other' };
    const path = where === 'path' ? '/{c}{other}' : '/x';
    const send = async (c: unknown, required = false) => {
      const parameters = [{ ...parameter, ...(required && { required }) }, other];
      const { url, headers } = await call(
        { path, parameters },
        { [where]: { [name]: c, other: 'o' } },
      );
      return [url, [...headers]];
    };
    if (where === 'path') await expect(send(null)).rejects.toThrow('path parameter c');
    else expect(await send(null)).toEqual(await send(undefined));
    await expect(send(null, true)).rejects.toThrow(`get: expected the ${where} parameter c`);
    expect(await send({ a: 1, b: null })).toEqual(await send({ a: 1 }));
    await expect(send(['a', null])).rejects.toThrow(TypeError);
  });

  it('that is exploded repeats the name of an array in an object', async () => {
    expect(await sent({ in: 'query', name: 'c' }, { a: [1, 2], b: 3 })).toBe('a=1&a=2&b=3');
  });

  it.each([
    ['path', false, "a%3A%40%24%2F%3F%3B%26%2C!'()*~"],
    ['path', true, "a:@$%2F%3F%3B%26%2C!'()*~"],
    ['query', false, "c=a%3A%40%24%2F%3F%3B%26%2C!'()*~"],
    ['query', true, "c=a:@$/?;%26%2C!'()*~"],
    ['cookie', false, "c=a%3A%40%24%2F%3F%3B%26%2C!'()*~"],
    ['cookie', true, "c=a:@$/?%3B%26%2C!'()*~"],
    ['header', true, "a:@$/?;&,!'()*~"],
  ] as const)(
    'in %s with allowReserved %s escapes delimiters only',
    async (where, allowReserved, text) => {
      const parameter = { in: where, name: 'c', allowReserved } as const;
      expect(await sent(parameter, "a:@$/?;&,!'()*~")).toBe(text);
    },
  );

  it.each([
    ['header', {}, ['a,b']],
    ['header', {}, ' a'],
    ['header', {}, 'a '],
    ['cookie', { style: 'cookie' }, 'a;b'],
    ['cookie', { style: 'cookie' }, ' a'],
    ['cookie', { style: 'cookie' }, 'é'],
    ['cookie', { style: 'cookie' }, 'a\tb'],
    ['cookie', { style: 'cookie' }, { 'a=b': 'c' }],
    ['cookie', { style: 'cookie', explode: false }, ['a,b']],
    ['query', { style: 'pipeDelimited', explode: false }, ['a|b']],
  ] as const)(
    'in %s %j rejects the value %j, which its style cannot represent',
    async (where, style, value) => {
      await expect(sent({ in: where, name: 'c', ...style }, value)).rejects.toThrow(
        /^expected no delimiter of /,
      );
    },
  );

  it.each([
    ['header', {}, 'a,b', 'a,b'],
    ['cookie', { style: 'cookie' }, 'a,b', 'c=a,b'],
    ['cookie', { style: 'cookie' }, ['a,b'], 'c=a,b'],
    ['query', { style: 'form', explode: false }, ['a,b'], 'c=a%2Cb'],
  ] as const)('in %s %j sends the value %j', async (where, style, value, text) => {
    expect(await sent({ in: where, name: 'c', ...style }, value)).toBe(text);
  });

  it('has an escaped name, except in headers and in cookies of style cookie', async () => {
    expect(await sent({ in: 'query', name: '$a b' }, 1)).toBe('$a%20b=1');
    expect(await sent({ in: 'cookie', name: 'a b' }, 1)).toBe('a%20b=1');
    expect(await sent({ in: 'cookie', name: 'a b', style: 'cookie' }, 1)).toBe('a b=1');
  });

  it.each([
    ['path', '%7B%22a%22%3A1%7D'],
    ['query', 'c=%7B%22a%22%3A1%7D'],
    ['header', '{"a":1}'],
    ['cookie', 'c=%7B%22a%22%3A1%7D'],
    ['querystring', '{"a":1}'],
  ] as const)('in %s with content is written by its media type', async (where, text) => {
    expect(await sent({ in: where, name: 'c', write: JSON.stringify }, { a: 1 })).toBe(text);
  });
});

describe.each(['query', 'header', 'path', 'cookie'] as const)('a parameter in %s', (where) => {
  it.each([[[[1, 2], [3]]], [{ a: [[1], 2] }]])('has no array in an array: %j', async (value) => {
    for (const explode of [true, false]) {
      const style = where === 'query' || where === 'cookie' ? 'form' : 'simple';
      await expect(sent({ in: where, name: 'p', style, explode }, value)).rejects.toThrow(
        'no array in an array',
      );
    }
  });
});
