// Recorded traffic as evidence: form fields, usage files, and what is missing from a recording.

import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { entryOf, type TrafficRecord } from '@stubwright/traffic';
import { parse } from 'yaml';
import { changesBetween } from '../src/contract/changes.ts';
import { BrokenCallers } from '../src/traffic/brokenCallers.ts';
import { withTraffic } from '../src/traffic/changeTraffic.ts';

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

const loaded = (text: string) => ({ definition: new Contract(parse(text)) });
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
