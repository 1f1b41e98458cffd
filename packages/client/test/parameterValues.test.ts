// Values that a parameter, field or credential cannot represent are rejected, and nothing is sent.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formText, sendMultipart } from '../src/bodies.ts';
import { openConnection } from '../src/connection.ts';
import { operation } from '../src/operation.ts';
import type { ParameterSpec } from '../src/styles.ts';

interface Any {
  parameters: { path: { p: unknown }; query?: object; header?: object; cookie?: object };
  responses: { 204: { headers: Record<never, never>; content?: never } };
}

/** @returns the URL and headers of the request */
async function sentFor(
  request: object,
  parameters: readonly ParameterSpec[] = [],
  credentials: Readonly<Record<string, string>> = {},
) {
  const call = operation<Any>({
    ...{ id: 'act', method: 'DELETE', path: '/nodes/{p}/x', parameters },
    ...{ replies: { 204: {} }, security: [['session']] },
  });
  const sent: string[] = [];
  let headers = new Headers();
  const connection = openConnection(
    { schemes: { session: { in: 'cookie', name: 'session' } } },
    {
      async fetch(url, init) {
        sent.push(url);
        headers = new Headers(init.headers);
        return new Response(null, { status: 204 });
      },
    },
    credentials,
  );
  const error: unknown = await call(connection, { path: { p: 1 }, ...request } as never).then(
    () => undefined,
    (each: unknown) => each,
  );
  return { url: sent[0], headers, error };
}

const STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};
const inAllStyles = Object.entries(STYLES).flatMap(([where, styles]) =>
  styles.flatMap((style) =>
    [true, false].map((explode) => ({ in: where, name: 'p', style, explode }) as ParameterSpec),
  ),
);

describe('an empty path parameter', () => {
  it.each([
    ...[undefined, '', [], {}, [''], { a: undefined }].map((p) => [p, {}] as const),
    ['', { write: String }],
  ])('is rejected: %j', async (p, own) => {
    const { url, error } = await sentFor({ path: { p } }, [{ in: 'path', name: 'p', ...own }]);
    expect([url, error]).toEqual([undefined, new TypeError('act: expected the path parameter p')]);
  });

  it.each([
    ['label', '.'],
    ['matrix', ';p'],
  ])('is sent if its style represents it: %s', async (style, text) => {
    const parameter: ParameterSpec = { in: 'path', name: 'p', style };
    const { url, error } = await sentFor({ path: { p: '' } }, [parameter]);
    if (style === 'label') expect(error).toBeInstanceOf(TypeError);
    else expect(url).toBe(`/nodes/${text}/x`);
  });
});

describe('a date', () => {
  const date = new Date(Date.UTC(2026, 10, 24, 10, 0, 0, 5));
  const text = '2026-11-24T10:00:00.005Z';

  it.each(inAllStyles)('is text of RFC 3339 in $in with $style, explode $explode', async (own) => {
    const isDeep = own.style === 'deepObject';
    const values = isDeep ? [{ at: date }] : [date, [date, date], { at: date }];
    const texts = isDeep ? [{ at: text }] : [text, [text, text], { at: text }];
    for (const [index, value] of values.entries()) {
      const asDate = await sentFor({ [own.in]: { p: value } }, [own]);
      const asText = await sentFor({ [own.in]: { p: texts[index] } }, [own]);
      expect(asDate).toEqual(asText);
      const everything = decodeURIComponent(`${asDate.url}${[...asDate.headers]}`);
      expect(everything).toContain(text);
    }
  });

  it('is text in forms', async () => {
    expect(formText({ at: date, all: [date] })).toBe(
      `at=${encodeURIComponent(text)}&all=${encodeURIComponent(text)}`,
    );
    const { body } = sendMultipart()({ at: date, all: [date] }, 'multipart/form-data');
    expect(await new Response(body).text()).toMatch(
      new RegExp(`name="at"\\r\\n\\r\\n${text}\\r\\n.*name="all"\\r\\n\\r\\n${text}\\r\\n`, 's'),
    );
    expect(formText({ at: { from: date } })).toBe(`at=${encodeURIComponent(`{"from":"${text}"}`)}`);
  });

  it('is rejected if it is invalid', async () => {
    const invalid = new Date(NaN);
    for (const value of [invalid, [invalid], { at: invalid }]) {
      const { url, error } = await sentFor({ query: { p: value } });
      expect([url, error]).toEqual([undefined, expect.any(TypeError)]);
    }
    expect(() => formText({ at: invalid })).toThrow(TypeError);
  });
});

describe('another object', () => {
  it.each([
    ['Map', new Map([['a', 1]])],
    ['Set', new Set([1])],
    ['RegExp', /a/],
    ['Blob', new Blob(['a'])],
    ['Uint8Array', new Uint8Array([1])],
    ['ReadableStream', new ReadableStream()],
    ['Promise', Promise.resolve(1)],
  ])('is rejected in every location: %s', async (_, value) => {
    for (const own of inAllStyles) {
      for (const p of [value, [value], { a: value }]) {
        const { url, error } = await sentFor({ [own.in]: { p } }, [own]);
        expect([own, url, error]).toEqual([own, undefined, expect.any(TypeError)]);
      }
    }
  });

  it('is sent if it has a text or properties', async () => {
    class Range {
      from = 1;
    }
    const link = new URL('http://a.example/?b');
    const values = { link, range: new Range(), none: null, map: Object.create(null, {}) };
    const { url } = await sentFor({ query: values });
    expect(url).toBe(`/nodes/1/x?link=${encodeURIComponent(link.href)}&from=1`);
  });
});

describe('a credential in a cookie', () => {
  it('has no other cookie', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab;= ,"\\%\té\n\r\0'), maxLength: 6 });
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(text, async (session) => {
        const { url, headers, error } = await sentFor({}, [], { session });
        if (error !== undefined) {
          // The one of Headers is of another realm.
          expect([url, (error as Error).name]).toEqual([undefined, 'TypeError']);
          expect(session).toMatch(/[;\n\r\0\té]|^ | $/);
          return;
        }
        sent++;
        expect(headers.get('Cookie')).toBe(`session=${session}`);
        expect(session).toMatch(/^[ -:<-~]*$/);
      }),
      { numRuns: 200, examples: [['a;b=c'], ['a'], ['a; admin=1'], ['é'], ['a\tb']] },
    );
    expect(sent).toBeGreaterThan(10);
  });
});
