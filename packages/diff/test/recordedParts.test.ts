// Recorded requests as evidence, for the example of each rule and for generated schemas: the callers of a change
// are those that a service of the new contract refuses.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node, stringifyJson } from '@stubwright/contract';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { isTestAll } from '@stubwright/test-support/testAll';
import { entryOf, readTraffic, type TrafficRecord } from '@stubwright/traffic';
import fc from 'fast-check';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { type Recorder, RequestParts, recorder, type UsageLine } from 'stubwright/recording';
import { parse } from 'yaml';
import { changesBetween } from '../src/contract/changes.ts';
import { BrokenCallers } from '../src/traffic/brokenCallers.ts';
import { withTraffic } from '../src/traffic/changeTraffic.ts';
import { OTHERS, SCHEMAS } from './pairs.ts';
import {
  DOCUMENT_EXAMPLES,
  OPERATION_EXAMPLES,
  SCHEMA_EXAMPLES,
  VALUE_EXAMPLES,
} from './ruleExamples.ts';
import { contractFrom, ofDocument, ofOperation, ofSchema } from './rulesPage.ts';

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

const request = (text: string) => ofSchema(text, 'request');
const response = (text: string) => ofSchema(text, 'response');
const EXAMPLES = [
  ...Object.entries(SCHEMA_EXAMPLES).flatMap(([rule, pair]) => [
    [`request-${rule}`, ...pair.map(request)],
    [`response-${rule}`, ...pair.map(response)],
  ]),
  ...Object.entries(VALUE_EXAMPLES).map(([rule, pair]) => [
    ...[rule, ...pair.map(rule.startsWith('request') ? request : response)],
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

const ONLY_OUTSIDE = /nullable|exclusiveM\w+: true|readOnly|writeOnly|contentEncoding|contentMedia/;
const TEXTS = [...new Set(SCHEMAS.flatMap(([, before, after]) => [before, after]))].filter(
  (text) => !ONLY_OUTSIDE.test(text),
);
const VALUES: readonly unknown[] = [
  ...[null, true, 0, 1, 2, 3, 7, 8, 9, 10, 35, -1, 0.5, 'a', 'b', 'aa', 'bb', '', 'abcdefghij'],
  ...['2026-01-01', '2026-01-01T00:00:00Z', [], [1], [1, 1], ['a'], [0], [1, 2], {}, { a: 1 }],
  ...[{ a: 'x' }, { b: 1 }, { a: 1, b: 1 }, { a: null }, { long: 1 }, { a: 1, b: 2, c: 3 }],
  ...[{ kind: 'cat', sort: 'cat' }, { kind: 'dog', sort: 'dog' }, { height: 0 }],
];

/** The schemas at the parts of a contract that an edit may change. */
const PARTS = ['query parameter data', 'request body /p', 'request body /list/*'] as const;
type Schemas = readonly [string, string, string];

function contractOf([data, p, item]: Schemas): Contract {
  const body = `{type: object, properties: {p: ${p}, list: {type: array, items: ${item}}}}`;
  return new Contract(
    parse(`openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /toys:
    post:
      operationId: storeToy
      parameters: [{name: data, in: query, content: {application/json: {schema: ${data}}}}]
      requestBody: {content: {application/json: {schema: ${body}}}}
      responses: {default: {description: ok}}
components: {schemas: {${OTHERS}}}`),
  );
}

interface Sent {
  readonly caller: string;
  /** The value of each part that the request has. */
  readonly values: readonly unknown[];
}

const urlOf = ([data]: Sent['values']) =>
  `http://localhost/toys${data === undefined ? '' : `?data=${encodeURIComponent(stringifyJson(data))}`}`;
const bodyOf = ([, p, item]: Sent['values']) =>
  stringifyJson({ ...(p !== undefined && { p }), ...(item !== undefined && { list: [item] }) });

/** @returns the requests that a service of the contract serves */
async function servedBy(definition: Contract, sent: readonly Sent[], recording?: Recorder) {
  const handlers = { storeToy: () => ({ status: 204 }) };
  const contract = { definition, warnings: [], files: [], name: 'a.yaml', locations: undefined };
  const api = { contract, handlers, recorder: recording };
  const serve = fetchHandler(await createApi(api as never));
  const served: Sent[] = [];
  for (const one of sent) {
    const headers = { 'Content-Type': 'application/json', 'X-App': one.caller };
    const init = { method: 'POST', headers, body: bodyOf(one.values) };
    const { status } = await serve(new Request(urlOf(one.values), init));
    if (status < 400) served.push(one);
  }
  return served;
}

function entryFor({ caller, values }: Sent): TrafficRecord {
  const postData = { mimeType: 'application/json', text: bodyOf(values) };
  const request = { method: 'POST', url: urlOf(values), headers: [], postData };
  const startedDateTime = new Date().toISOString();
  const entry = entryOf({ startedDateTime, _caller: caller, request }, undefined)!;
  return { file: 'a.har', entry };
}

/** @yields what a service records of the requests: the parts that they have, without values */
async function* countsOf(definition: Contract, sent: readonly Sent[]) {
  const folder = temporaryFolder();
  const recording = recorder({ file: join(folder.path, 'a.jsonl'), callerHeader: 'X-App' });
  await servedBy(definition, sent, recording);
  await recording.close();
  const options = { cwd: folder.path, callerHeader: undefined };
  yield* readTraffic(readdirSync(folder.path), options);
  folder.remove();
}

const callersOf = (requests: readonly { readonly caller: string }[]) =>
  [...new Set(requests.map(({ caller }) => caller))].sort();

const text = fc.constantFrom(...TEXTS);
const value = fc.option(fc.constantFrom(...VALUES), { nil: undefined });
const caller = fc.constantFrom('web', 'mobile', 'batch');
const one = fc.record({ caller, values: fc.tuple(value, value, value) });
/** The schemas of both contracts, and requests. */
const compares = fc.tuple(
  fc.tuple(text, text, text),
  fc.tuple(text, text, text),
  fc.array(one, { minLength: 10, maxLength: 40 }),
);

/** Compares the contracts with what is recorded of the requests that a service of the first one serves. */
async function recorded(
  [schemas, edits, all]: readonly [Schemas, Schemas, readonly Sent[]],
  recordsOf: (before: Contract, sent: readonly Sent[]) => AsyncIterable<TrafficRecord>,
) {
  const [before, after] = [contractOf(schemas), contractOf(edits)];
  const sent = await servedBy(before, all);
  const callers = new BrokenCallers(before, after);
  for await (const record of recordsOf(before, sent)) await callers.add(record);
  const changes = changesBetween({ definition: before }, { definition: after });
  return { sent, callers, changes };
}

const RUNS = isTestAll ? 150 : 20;

describe('generated contracts', () => {
  it('name for each edit exactly the callers that a service with this edit alone refuses', async () => {
    let named = 0;
    await fc.assert(
      fc.asyncProperty(compares, async (compared) => {
        const [schemas, edits] = compared;
        const { sent, callers, changes } = await recorded(compared, async function* (_, served) {
          yield* served.map(entryFor);
        });
        for (const [at, part] of PARTS.entries()) {
          const alone = contractOf(schemas.with(at, edits[at]!) as never as Schemas);
          const served = new Set(await servedBy(alone, sent));
          const refused = callersOf(sent.filter((request) => !served.has(request)));
          const evidence = changes
            .filter((change) => change.part.startsWith(part))
            .flatMap((change) => callers.evidenceFor(change) ?? []);
          const broken = callersOf(evidence.flatMap((each) => each.broken));
          // Properties that the contract does not declare are not recorded.
          const possible = callersOf(evidence.flatMap((each) => each.possible));
          const certain = refused.filter(
            (name) => broken.includes(name) || !possible.includes(name),
          );
          named += certain.length;
          expect([part, broken]).toEqual([part, certain]);
        }
      }),
      { numRuns: RUNS },
    );
    expect(named).toBeGreaterThan(RUNS / 2);
  });

  it('name, by shapes alone, at least those callers', async () => {
    await fc.assert(
      fc.asyncProperty(compares, async (compared) => {
        const { sent, callers, changes } = await recorded(compared, countsOf);
        const possible = changes.flatMap((change) => callers.evidenceFor(change)?.possible ?? []);
        const served = new Set(await servedBy(contractOf(compared[1]), sent));
        const refused = callersOf(sent.filter((request) => !served.has(request)));
        expect(callersOf(possible)).toEqual(expect.arrayContaining(refused));
      }),
      { numRuns: isTestAll ? 100 : 8 },
    );
  });
});
