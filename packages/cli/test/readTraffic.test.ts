// Reading of recorded traffic: HAR files in chunks, form fields, usage files, and what is missing from a recording.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Definition } from '@stubwright/contract';
import fc from 'fast-check';
import { parse } from 'yaml';
import { changesBetween } from '../../diff/src/contract/changes.ts';
import { temporaryFolder } from '../../stubwright/test/support/temporaryFolder.ts';
import { BrokenCallers } from '../src/traffic/brokenCallers.ts';
import { withTraffic } from '../src/traffic/changeTraffic.ts';
import { entryOf } from '../src/traffic/entry.ts';
import { harEntryTexts } from '../src/traffic/harStream.ts';
import { boundedLines, MAX_LENGTH } from '../src/traffic/lines.ts';
import { readTraffic, type TrafficRecord } from '../src/traffic/readTraffic.ts';

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
      { numRuns: 200 },
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

const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /toys/{id}:
    post:
      operationId: storeToy
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}}
        - {name: q, in: query, schema: {type: string}}
      requestBody:
        content:
          application/x-www-form-urlencoded: {schema: {type: object, properties: {name: {type: string}, pin: {type: string, format: password}}}}
      responses: {default: {description: ok}}
    delete:
      operationId: deleteToy
      deprecated: true
      x-sunset: '2020-01-01'
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {default: {description: ok}}
`;

const loaded = (text: string) => ({ definition: new Definition(parse(text)) });
const request = (method: string, path: string, more: object = {}) => ({
  ...{ method, url: `http://localhost${path}`, headers: [], ...more },
});
const record = (sent: object, day = '2026-11-01', file = 'a.jsonl'): TrafficRecord => ({
  file,
  entry: entryOf(
    { startedDateTime: `${day}T10:00:00Z`, _caller: 'web', request: sent },
    undefined,
  )!,
});
const form = (postData: object) => ({
  postData: { mimeType: 'application/x-www-form-urlencoded', ...postData },
});

async function* each<T>(records: readonly T[]): AsyncGenerator<T> {
  yield* records;
}

/** @returns the changes after an edit, with what the records say */
async function noticed(
  edit: readonly [string, string],
  records: readonly TrafficRecord[],
  minimumDays = 0,
) {
  expect(CONTRACT).toContain(edit[0]);
  const [before, after] = [loaded(CONTRACT), loaded(CONTRACT.replace(...edit))] as const;
  const { changes } = await withTraffic(
    changesBetween(before, after),
    { before: before.definition, after: after.definition },
    { records: each(records), minimumDays },
  );
  return changes.map(({ severity, traffic }) => [severity, traffic?.isUsed, traffic?.text]);
}

const SHORTER_NAME = ['name: {type: string}', 'name: {type: string, maxLength: 3}'] as const;

describe('a recorded request', () => {
  it('has the fields of a form that is stored as params', async () => {
    const params = [{ name: 'name', value: 'Té & co' }];
    const sent = request('POST', '/toys/1', form({ params }));
    expect(await noticed(SHORTER_NAME, [record(sent)])).toEqual([
      ['breaking', true, 'breaks web (1 request, last 2026-11-01)'],
    ]);
  });

  it.each<[string, object]>([
    ['without its body', { _bodyOmitted: true }],
    [
      'with files as params',
      form({ mimeType: 'multipart/form-data', params: [{ name: 'name', fileName: 'a' }] }),
    ],
  ])('%s may be broken by any change of the operation', async (_, more) => {
    expect(await noticed(SHORTER_NAME, [record(request('POST', '/toys/1', more))])).toEqual([
      ['breaking', true, 'may break web (1 request, last 2026-11-01)'],
    ]);
  });

  it('with a redacted value is compared by its other values', async () => {
    const sent = (name: string) =>
      record(request('POST', '/toys/1', form({ text: `name=${name}&pin=%5Bredacted%5D` })));
    expect(await noticed(SHORTER_NAME, [sent('long name')])).toEqual([
      ['breaking', true, 'breaks web (1 request, last 2026-11-01)'],
    ]);
    const shorterPin = ['format: password', 'format: password, maxLength: 4'] as const;
    expect(await noticed(shorterPin, [sent('Bo')])).toEqual([
      ['breaking', true, 'may break web (1 request, last 2026-11-01)'],
    ]);
  });

  it('of a renamed path parameter belongs to the same operation', async () => {
    const text = CONTRACT.replaceAll('{id}', '{toy}').replaceAll('name: id', 'name: toy');
    const [before, after] = [loaded(CONTRACT), loaded(text.replace(...SHORTER_NAME))] as const;
    const callers = new BrokenCallers(before.definition, after.definition);
    await callers.add(record(request('POST', '/toys/1', form({ text: 'name=long' }))));
    const broken = changesBetween(before, after).flatMap(
      (change) => callers.evidenceFor(change)?.broken ?? [],
    );
    expect(broken).toMatchObject([{ caller: 'web', count: 1 }]);
  });
});

describe('the days of a recording', () => {
  it('are those of each file: the time between files does not count', async () => {
    const { definition } = loaded(CONTRACT);
    const callers = new BrokenCallers(definition, definition);
    const sent = request('DELETE', '/toys/1');
    for (const [day, file] of [
      ['2026-01-01', 'a'],
      ['2026-01-03', 'a'],
      ['2026-01-03', 'b'],
      ['2026-11-01', 'c'],
      ['2026-11-02', 'c'],
    ] as const) {
      await callers.add(record(sent, day, file));
    }
    expect(callers.days).toBe(5);
  });
});

describe('a removal after its announced date', () => {
  const removal = [/ {4}delete:[\s\S]*$/.exec(CONTRACT)![0], ''] as const;

  it('is compatible if nobody uses it, and says so', async () => {
    const others = record(request('POST', '/toys/1', form({ text: 'name=a' })));
    expect(await noticed(removal, [others], 1)).toEqual([
      ['compatible', false, 'no recorded request in 1 day uses it'],
    ]);
  });

  it('is breaking if somebody still uses it', async () => {
    expect(await noticed(removal, [record(request('DELETE', '/toys/1'))])).toEqual([
      ['breaking', true, 'breaks web (1 request, last 2026-11-01)'],
    ]);
  });
});
