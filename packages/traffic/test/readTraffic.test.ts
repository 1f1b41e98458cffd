// Reading of recorded traffic: HAR files in chunks, lines of bounded length.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { boundedLines, harEntryTexts, MAX_LENGTH } from '../src/reading/lines.ts';
import { pactRequests } from '../src/reading/pact.ts';
import { entryOf, readTraffic } from '../src/reading/readTraffic.ts';

async function* chunksOf(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function allOf(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const each of lines) all.push(each);
  return all;
}

async function entriesIn(text: string, size: number): Promise<unknown[]> {
  const entries: unknown[] = [];
  for await (const each of harEntryTexts(chunksOf(text, size))) entries.push(JSON.parse(each));
  return entries;
}

describe('a HAR file', () => {
  it('has the same entries in chunks of any size', async () => {
    const har = fc.record({
      version: fc.constant('1.2'),
      creator: fc.jsonValue(),
      pages: fc.array(fc.object()),
      entries: fc.array(fc.object()),
      comment: fc.string(),
    });
    await fc.assert(
      fc.asyncProperty(
        har,
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        async (log, size, indented) => {
          const text = JSON.stringify(
            { log, extra: { entries: [{ no: 1 }] } },
            null,
            indented ? 1 : 0,
          );
          expect(await entriesIn(text, size)).toEqual(JSON.parse(text).log.entries);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('that ends early is an error', async () => {
    const text = '{"log":{"entries":[{"a":1},{"b":2}]}}';
    for (let end = 1; end < text.length; end++) {
      await expect(entriesIn(text.slice(0, end), 5)).rejects.toThrow('expected HAR 1.2');
    }
  });
});

/** @returns the records of a file, or the error */
async function recordsOf(text: string): Promise<unknown> {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, 'a.jsonl'), text);
  try {
    const records: unknown[] = [];
    const options = { cwd: folder.path, callerHeader: undefined };
    for await (const each of readTraffic(['a.jsonl'], options)) records.push(each);
    return records.length;
  } catch (error) {
    return (error as Error).message;
  } finally {
    folder.remove();
  }
}

const ENTRY = '{"startedDateTime":"2026-11-01T00:00:00Z","request":{"method":"GET","url":"/"}}';

describe('an entry', () => {
  it.each([
    ['the version of its contract', { _contract: '1.4.0' }, '1.4.0'],
    ['none in a file of other tools', {}, undefined],
    ['none that is no text', { _contract: 1.4 }, undefined],
  ])('has %s', (_, members, contract) => {
    expect(entryOf({ ...JSON.parse(ENTRY), ...members }, undefined)?.contract).toBe(contract);
  });

  it('of a HAR file has a time in the past', async () => {
    expect(await recordsOf(`{"log":{"entries":[${ENTRY.replace('2026', '2999')}]}}`)).toBe(
      'a.jsonl: log.entries[0]: got 2999-11-01T00:00:00.000Z, expected a time in the past',
    );
  });
});

describe('a Pact file', () => {
  const requestOf = (request: string, type = '') =>
    pactRequests(`{"interactions":[{${type}"request":{"method":"POST","path":"/a",${request}}}]}`, {
      at: 0,
      callerHeader: 'x-app',
    })[0]!;
  const VERSION_4 = '"type":"Synchronous/HTTP",';
  const headers = (type: string) => `"headers":{"Content-Type":${type}}`;
  const JSON_TYPE = headers('"application/json"');

  it.each([
    ['"body":{"id":9007199254740993}', 'application/json', '{"id":9007199254740993}'],
    ['"body":{"content":"a","encoded":true}', 'application/json', '{"content":"a","encoded":true}'],
    ['"body":"a"', 'text/plain', 'a'],
    ['"body":"[1]"', 'application/json', '[1]'],
    [`${JSON_TYPE},"body":"{\\"a\\":1}"`, 'application/json', '{"a":1}'],
    [`${headers('["application/json"]')},"body":"1 a"`, 'application/json', '"1 a"'],
    [`${headers('"application/octet-stream"')},"body":"YQ=="`, 'application/octet-stream', 'a'],
  ])('has the body of %s', (request, mediaType, body) => {
    expect(requestOf(request)).toMatchObject({
      ...{ body: [body], headers: { 'content-type': mediaType } },
    });
  });

  it.each([
    ['"a"', 'application/json', 'false', '"a"'],
    ['"[1]"', 'application/json', '"JSON"', '[1]'],
    ['"[1]"', 'application/json', '"utf8"', '[1]'],
    ['"YQ=="', 'text/csv', '"base64"', 'a'],
  ])('of version 4 has the body of %s, %s encoded %s', (content, type, encoded, body) => {
    const request = `"body":{"content":${content},"contentType":"${type}","encoded":${encoded}}`;
    expect(requestOf(request, VERSION_4)).toMatchObject({
      ...{ body: [body], headers: { 'content-type': type } },
    });
  });

  it('has the header of the caller, the query in both forms, and no bytes that are not text', () => {
    const { caller, path } = requestOf('"headers":{"X-App":["a","b"]},"query":{"q":["1","x y"]}');
    expect([caller, path]).toEqual(['a, b', '/a?q=1&q=x+y']);
    expect(requestOf('"query":"q=1&r=2"')).toMatchObject({
      caller: 'anonymous',
      path: '/a?q=1&r=2',
    });
    const bytes = requestOf('"body":{"content":"/w==","encoded":true}', VERSION_4);
    expect([bytes.body, bytes.isBodyOmitted]).toEqual([undefined, true]);
  });
});

describe('a Pact file with unusual values', () => {
  const requestOf = (members: object) =>
    pactRequests(
      JSON.stringify({ interactions: [{ request: { method: 'GET', path: '/a', ...members } }] }),
      { at: 0, callerHeader: undefined },
    )[0]!;

  it.each([null, ''])('has no body for %j', (body) => {
    const { headers, ...request } = requestOf({ body });
    expect([headers, 'body' in request]).toEqual([{}, false]);
  });

  it('adds the query to that of the path', () => {
    const values = { b: ['2', null], c: 3, d: [] };
    expect(requestOf({ path: '/a?x=1', query: values }).path).toBe('/a?x=1&b=2&b=&c=3');
  });

  it.each([[['a=b']], [{ a: { b: 1 } }], [{ a: [['b']] }]])('rejects the query %j', (query) => {
    expect(() => requestOf({ query })).toThrow(
      'interactions[0].request.query: expected text, or the values of each name',
    );
  });

  it('rejects a body that is not base64', () => {
    const interaction = {
      ...{ type: 'Synchronous/HTTP', request: { method: 'GET', path: '/a' } },
      response: { status: 200, body: { content: '*', encoded: 'base64' } },
    };
    const text = JSON.stringify({ interactions: [interaction] });
    expect(() => pactRequests(text, { at: 0, callerHeader: undefined })).toThrow(
      'interactions[0].response.body: expected base64',
    );
  });

  it('leaves out messages', () => {
    const types = ['Asynchronous/Messages', 'Synchronous/Messages'];
    const text = JSON.stringify({ interactions: types.map((type) => ({ type, contents: {} })) });
    expect(pactRequests(text, { at: 0, callerHeader: undefined })).toEqual([]);
    expect(pactRequests('{"messages":[{}]}', { at: 0, callerHeader: undefined })).toEqual([]);
  });
});

describe('recorded headers', () => {
  const VALUES: [string, string][] = [
    ['X-A', '1\n2'],
    ['x-a', '3'],
    ['constructor', 'c'],
    ['Content-Length', '9'],
    ['Transfer-Encoding', 'chunked'],
    ['Content-Encoding', 'gzip'],
    ['Connection', 'close'],
    [':path', '/'],
    ['a b', 'c'],
    ['x-name', 'J\u00f6 \u65e5\0'],
  ];
  const EXPECTED = {
    ...{ 'x-a': '1, 2, 3', constructor: 'c' },
    'x-name': Buffer.from('J\u00f6 \u65e5').toString('latin1'),
  };

  it('are those that HTTP can carry, in HAR and Pact files', () => {
    const headers = VALUES.map(([name, value]) => ({ name, value }));
    const entry = entryOf({ ...JSON.parse(ENTRY), response: { status: 200, headers } }, undefined);
    const request = { method: 'GET', path: '/', headers: Object.fromEntries(VALUES) };
    const text = JSON.stringify({ interactions: [{ request }] });
    const [pact] = pactRequests(text, { at: 0, callerHeader: undefined });
    for (const found of [entry!.response!.headers, pact!.headers]) {
      expect(found).toEqual(EXPECTED);
      expect(() => new Headers(found)).not.toThrow();
    }
  });
});

describe('a line', () => {
  it('is the same in chunks of any size', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '\n', '\r\n', '\u00e9'))
      .map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (whole, size) => {
        expect(await allOf(boundedLines(chunksOf(whole, size)))).toEqual(whole.split('\n'));
      }),
    );
  });

  it.each([
    ['a line', `${ENTRY}\n${ENTRY}\n"${'x'.repeat(MAX_LENGTH)}"\n`, 'a.jsonl:3: got a line'],
    ['a file of one line', 'x'.repeat(MAX_LENGTH + 1), 'a.jsonl:1: got a line'],
    [
      'an entry of a HAR file',
      `{"log":{"entries":[${ENTRY},{"a":"${'x'.repeat(MAX_LENGTH)}"}]}}`,
      'a.jsonl: log.entries[1]: got an entry',
    ],
  ])('is an error if %s is too long', async (_, text, error) => {
    expect(await recordsOf(text)).toBe(`${error} of more than 16 MiB, expected a shorter one`);
  });

  it('may have the longest length', async () => {
    const line = ENTRY.replace('GET', 'G'.repeat(MAX_LENGTH - ENTRY.length + 3));
    expect(line).toHaveLength(MAX_LENGTH);
    expect(await recordsOf(`${line}\n${ENTRY}`)).toBe(2);
  });

  it('is read in linear time, and so is a HAR file', async () => {
    const cpuOf = async (work: () => Promise<unknown>) => {
      const start = process.cpuUsage();
      await work();
      const { user } = process.cpuUsage(start);
      return user;
    };
    const readers = [
      (size: number) => allOf(boundedLines(chunksOf('x'.repeat(size), 8))),
      (size: number) =>
        entriesIn(`{"log":{"c":"${'x'.repeat(size)}","entries":[{"a":"${'x'.repeat(size)}"}]}}`, 8),
    ];
    for (const read of readers) {
      await read(400_000);
      const [one, four] = [await cpuOf(() => read(400_000)), await cpuOf(() => read(1_600_000))];
      // Quadratic time would be 16 times as much.
      expect(four).toBeLessThan(10 * one + 100_000);
    }
  });
});
