// Recorded traffic as evidence: form fields, usage files, and what is missing from a recording.

import { describe, expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import { isTestAll } from '@stubwright/test-support/testAll';
import { entryOf, keyOfPart, type PartLocation, type TrafficRecord } from '@stubwright/traffic';
import { RequestParts, type UsageLine } from 'stubwright/recording';
import { parse } from 'yaml';
import { changesBetween } from '../src/contract/changes.ts';
import { BrokenCallers } from '../src/traffic/brokenCallers.ts';
import { withTraffic } from '../src/traffic/changeTraffic.ts';
import { changedPartOf, type OperationUse, useOf } from '../src/traffic/partUse.ts';
import {
  DOCUMENT_EXAMPLES,
  OPERATION_EXAMPLES,
  SCHEMA_EXAMPLES,
  VALUE_EXAMPLES,
} from './ruleExamples.ts';
import { contractFrom, ofDocument, ofOperation, ofSchema } from './rulesPage.ts';

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
    [
      'with files as params',
      form({ mimeType: 'multipart/form-data', params: [{ name: 'name', fileName: 'a' }] }),
    ],
  ])('%s may be broken by any change of the operation', async (_, more) => {
    expect(await noticed(SHORTER_NAME, [record(request('POST', '/toys/1', more))])).toEqual([
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

describe('the counted requests of a caller', () => {
  const BODY = 'request body';
  const QUERY = { subject: 'query parameter q', path: [] };
  const used = (counts: readonly (readonly [PartLocation, number])[]): OperationUse => ({
    ...{ valid: 10, last: 9, isTruncated: false },
    parts: new Map(
      counts.map(([part, count]) => [keyOfPart(part), { part, count, last: 5 }] as const),
    ),
  });
  const some = used([
    [QUERY, 3],
    [{ subject: BODY, path: [], mediaType: 'application/json' }, 4],
    [{ subject: BODY, path: ['tag'] }, 1],
    [{ subject: BODY, path: ['tag'], value: 'a' }, 1],
    [{ subject: BODY, path: ['tag', 'inner'], value: 'b' }, 1],
  ]);

  it.each([
    ['required-parameter-added', QUERY, 7],
    ['parameter-became-required', QUERY, 7],
    ['request-default-changed', QUERY, 7],
    ['request-required-body-added', { subject: BODY, path: [] }, 6],
    ['request-body-became-required', { subject: BODY, path: [] }, 6],
    ['request-property-became-required', { subject: BODY, path: ['tag'] }, 3],
    ['request-required-property-added', { subject: BODY, path: ['tag'] }, 3],
  ] as const)('that %s concerns do not have the part', (rule, part, count) => {
    expect(useOf({ rule }, part, some)?.count).toBe(count);
  });

  it('that all have a required part are not concerned', () => {
    const all = used([[QUERY, 10]]);
    expect(useOf({ rule: 'parameter-became-required' }, QUERY, all)).toBeUndefined();
  });

  it('are those with the part for other changes', () => {
    expect(useOf({ rule: 'parameter-removed' }, QUERY, some)).toEqual({ count: 3, last: 5 });
    expect(useOf({ rule: 'operation-removed' }, { subject: '', path: [] }, some)).toEqual({
      ...{ count: 10, last: 9 },
    });
    const json = { subject: BODY, path: [], mediaType: 'application/json' };
    expect(useOf({ rule: 'request-type-narrowed' }, json, some)?.count).toBe(4);
    const text = { ...json, mediaType: 'text/plain' };
    expect(useOf({ rule: 'request-type-narrowed' }, text, some)).toBeUndefined();
  });

  it('have a removed value of an enum at its own location', () => {
    const removed = (value: string) => ({
      ...{ rule: 'request-enum-value-removed' as const, facts: { value } },
    });
    const tag = { subject: BODY, path: ['tag'] };
    expect(useOf(removed('a'), tag, some)?.count).toBe(1);
    expect(useOf(removed('b'), tag, some)).toBeUndefined();
    // The value may be in any body.
    expect(useOf(removed('b'), tag, { ...some, isTruncated: true })?.count).toBe(4);
  });

  it.each([
    'request-property-removed',
    'request-property-disallowed',
    'request-property-became-required',
    'request-required-property-added',
  ] as const)('have the property that %s names', (rule) => {
    const object = { subject: BODY, path: ['a'] };
    const changed = changedPartOf({ rule, facts: { name: 'b' } }, object);
    expect(changed).toEqual({ subject: BODY, path: ['a', 'b'] });
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

/** A usage of each operation: of three requests, two have a body, and one has all parts. */
async function* usages(definition: Contract): AsyncGenerator<TrafficRecord> {
  const [first, last] = ['2026-01-01T00:00:00Z', '2026-12-01T00:00:00Z'];
  for (const operation of definition.operations) {
    const { parts } = new RequestParts(operation, definition);
    const usage: UsageLine = {
      ...{ usage: 2, caller: 'web', contract: '1', requests: 3, valid: 3, first, last },
      operation: `${operation.method.toUpperCase()} ${operation.path}`,
      responses: { 200: 3 },
      parts: parts.map((part) => ({ ...part, count: part.mediaType ? 2 : 1, first, last })),
    };
    yield { file: 'usage.jsonl', usage };
  }
}

const ofRequest = (text: string) => ofSchema(text, 'request');
const ofResponse = (text: string) => ofSchema(text, 'response');
const EXAMPLES = [
  ...Object.entries(SCHEMA_EXAMPLES).flatMap(([rule, pair]) => [
    [`request-${rule}`, ...pair.map(ofRequest)],
    [`response-${rule}`, ...pair.map(ofResponse)],
  ]),
  ...Object.entries(VALUE_EXAMPLES).map(([rule, pair]) => [
    ...[rule, ...pair.map(rule.startsWith('request') ? ofRequest : ofResponse)],
  ]),
  ...Object.entries(OPERATION_EXAMPLES).map(([rule, pair]) => [rule, ...pair.map(ofOperation)]),
  ...Object.entries(DOCUMENT_EXAMPLES).map(([rule, pair]) => [rule, ...pair.map(ofDocument)]),
] as [rule: string, before: Node, after: Node][];

/** A comparison that is given up takes seconds: only in `make test-all`. */
const compared = EXAMPLES.filter(([rule]) => isTestAll || !rule.endsWith('too-complex'));

it.each(compared)('%s counts as used where its part is used', async (_rule, was, is) => {
  const [before, after] = [contractFrom(was), contractFrom(is)];
  const { changes } = await withTraffic(
    changesBetween({ definition: before }, { definition: after }),
    { before, after },
    { records: usages(before), minimumDays: 30 },
  );
  const unused = changes.filter(
    ({ severity, traffic }) => severity !== 'compatible' && traffic?.isUsed === false,
  );
  expect(unused.map(({ rule, part }) => [rule, part])).toEqual([]);
});
