// The callers that recorded traffic names for a change: for each rule, and for generated contracts, compared with
// the requests that a service of the new contract refuses.

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Contract, type Node, stringifyJson } from '@stubwright/contract';
import { changesBetween } from '@stubwright/diff';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { isTestAll } from '@stubwright/test-support/testAll';
import { readTraffic, type TrafficRecord } from '@stubwright/traffic';
import fc from 'fast-check';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { type Recorder, RequestParts, recorder, type UsageLine } from 'stubwright/recording';
import { RULES } from '../../diff/src/rules/rules.ts';
import { BrokenCallers } from '../../diff/src/traffic/brokenCallers.ts';
import { withTraffic } from '../../diff/src/traffic/changeTraffic.ts';
import { OTHERS, SCHEMAS } from '../../diff/test/pairs.ts';
import {
  DOCUMENT_EXAMPLES,
  OPERATION_EXAMPLES,
  SCHEMA_EXAMPLES,
  VALUE_EXAMPLES,
} from '../../diff/test/ruleExamples.ts';
import { contractFrom, ofDocument, ofOperation, ofSchema } from '../../diff/test/rulesPage.ts';
import { parseText } from '../src/loading/parse.ts';

const loaded = (document: Node) =>
  ({
    definition: contractFrom(document),
    ...{ warnings: [], files: [], name: 'a.yaml', errors: [], locations: undefined },
  }) as never as { definition: Contract };

/** A usage of each operation: of three requests, two have a body, and one has all parts. */
function usages({ definition }: { definition: Contract }): TrafficRecord[] {
  return definition.operations.map((operation) => {
    const [first, last] = ['2026-01-01T00:00:00Z', '2026-12-01T00:00:00Z'];
    const { parts } = new RequestParts(operation, definition);
    const usage: UsageLine = {
      ...{ usage: 2, caller: 'web', contract: '1', requests: 3, valid: 3, first, last },
      operation: `${operation.method.toUpperCase()} ${operation.path}`,
      responses: { 200: 3 },
      parts: parts.map((part) => ({ ...part, count: part.mediaType ? 2 : 1, first, last })),
    };
    return { file: 'usage.jsonl', usage };
  });
}

async function* each<T>(records: readonly T[]): AsyncGenerator<T> {
  yield* records;
}

const request = (text: string) => ofSchema(text, 'request');
const response = (text: string) => ofSchema(text, 'response');
const EXAMPLES: [string, Node, Node][] = [
  ...Object.entries(SCHEMA_EXAMPLES).flatMap(([rule, [before, after]]): [string, Node, Node][] => [
    [`request-${rule}`, request(before), request(after)],
    [`response-${rule}`, response(before), response(after)],
  ]),
  ...Object.entries(VALUE_EXAMPLES).map(([rule, [before, after]]): [string, Node, Node] =>
    rule.startsWith('request')
      ? [rule, request(before), request(after)]
      : [rule, response(before), response(after)],
  ),
  ...Object.entries(OPERATION_EXAMPLES).map(([rule, [before, after]]): [string, Node, Node] => [
    rule,
    ofOperation(before),
    ofOperation(after),
  ]),
  ...Object.entries(DOCUMENT_EXAMPLES).map(([rule, [before, after]]): [string, Node, Node] => [
    rule,
    ofDocument(before),
    ofDocument(after),
  ]),
];

describe('a rule', () => {
  it('has an example', () => {
    expect(EXAMPLES.map(([rule]) => rule).sort()).toEqual(Object.keys(RULES).sort());
  });

  /** A comparison that is given up takes seconds: only in `make test-all`. */
  const tested = EXAMPLES.filter(([rule]) => isTestAll || !rule.endsWith('too-complex'));

  it.each(tested)('%s counts as used where its part is used', async (_rule, before, after) => {
    const contracts = [loaded(before), loaded(after)] as const;
    const changes = changesBetween(contracts[0] as never, contracts[1] as never);
    const { changes: noticed } = await withTraffic(
      changes,
      { before: contracts[0].definition, after: contracts[1].definition },
      { records: each(usages(contracts[0])), minimumDays: 30 },
    );
    const unused = noticed.filter(
      ({ severity, traffic }) => severity !== 'compatible' && traffic?.isUsed === false,
    );
    expect(unused.map(({ rule, part }) => [rule, part])).toEqual([]);
  });
});

describe('the requests that a change concerns', () => {
  const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /toys:
    post:
      parameters: [{name: q, in: query, schema: {type: string, default: a}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {p: {type: string}, q: {type: object, properties: {r: {}}}}}}}}
      responses: {default: {description: ok}}
`;
  const parsed = (text: string) => loaded((parseText(text, false) as { value: Node }).value);

  // Of three requests, two have a body, one has `q`, and one has `p` in its body.
  it.each([
    ['parameter-became-required', 'name: q,', 'name: q, required: true,', 2],
    [
      'required-parameter-added',
      'parameters: [',
      'parameters: [{name: r, in: query, required: true, schema: {}}, ',
      3,
    ],
    ['request-default-changed', 'default: a', 'default: b', 2],
    ['request-body-became-required', 'requestBody: {', 'requestBody: {required: true, ', 1],
    ['request-property-became-required', 'type: object,', 'type: object, required: [p],', 1],
    [
      'request-required-property-added',
      'type: object, properties: {',
      'type: object, required: [o], properties: {o: {}, ',
      2,
    ],
    [
      'request-required-property-added',
      'properties: {r: {}}',
      'required: [s], properties: {r: {}, s: {}}',
      1,
    ],
    ['request-property-removed', 'p: {type: string}', 'p: false', 1],
  ])('are counted by their parts: %s', async (rule, from, to, count) => {
    const [before, after] = [parsed(CONTRACT), parsed(CONTRACT.replace(from, to))];
    const { changes } = await withTraffic(
      changesBetween(before, after),
      { before: before.definition, after: after.definition },
      { records: each(usages(before)), minimumDays: 0 },
    );
    const noun = count === 1 ? 'request' : 'requests';
    expect(changes.map((change) => [change.rule, change.traffic?.text])).toContainEqual([
      rule,
      expect.stringContaining(` web (${count} ${noun}, last 2026-12-01)`),
    ]);
  });
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

/** The schemas at the places of a contract that an edit may change. */
const PLACES = ['query parameter data', 'request body /p', 'request body /list/*'] as const;
type Schemas = readonly [string, string, string];

function contractOf([data, p, item]: Schemas): Node {
  const body = `{type: object, properties: {p: ${p}, list: {type: array, items: ${item}}}}`;
  const { value } = parseText(
    `openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /toys:
    post:
      operationId: storeToy
      parameters: [{name: data, in: query, content: {application/json: {schema: ${data}}}}]
      requestBody: {content: {application/json: {schema: ${body}}}}
      responses: {default: {description: ok}}
components: {schemas: {${OTHERS}}}`,
    false,
  ) as { value: Node };
  return value;
}

interface Sent {
  readonly caller: string;
  /** The places that the request has, and the value there. */
  readonly values: readonly unknown[];
}

const urlOf = ([data]: Sent['values']) =>
  `http://localhost/toys${data === undefined ? '' : `?data=${encodeURIComponent(stringifyJson(data))}`}`;
const bodyOf = ([, p, item]: Sent['values']) =>
  stringifyJson({ ...(p !== undefined && { p }), ...(item !== undefined && { list: [item] }) });

function harLine({ caller, values }: Sent): string {
  const postData = { mimeType: 'application/json', text: bodyOf(values) };
  const headers = [{ name: 'X-App', value: caller }];
  const request = { method: 'POST', url: urlOf(values), headers, postData };
  return `${JSON.stringify({ startedDateTime: new Date().toISOString(), request })}\n`;
}

/** @returns the requests that a service of the contract serves */
async function servedBy(
  document: Node,
  sent: readonly Sent[],
  recording?: Recorder,
): Promise<Set<Sent>> {
  const handlers = { storeToy: () => ({ status: 204 }) };
  const serve = fetchHandler(
    await createApi({ contract: loaded(document), handlers, recorder: recording } as never),
  );
  const served = new Set<Sent>();
  for (const each of sent) {
    const headers = { 'Content-Type': 'application/json', 'X-App': each.caller };
    const init = { method: 'POST', headers, body: bodyOf(each.values) };
    const { status } = await serve(new Request(urlOf(each.values), init));
    if (status < 400) served.add(each);
  }
  return served;
}

/** `counts` are those of a recorder of a service; `har` has the requests as a recording proxy writes them. */
type Form = 'counts' | 'har';

/** @returns what is recorded of the requests */
async function recordedBy(
  document: Node,
  sent: readonly Sent[],
  form: Form,
): Promise<TrafficRecord[]> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'traffic.jsonl');
  if (form === 'har') writeFileSync(file, sent.map(harLine).join(''));
  else {
    const recording = recorder({ file, callerHeader: 'X-App' });
    await servedBy(document, sent, recording);
    await recording.close();
  }
  const files = readdirSync(folder.path).map((name) => join(folder.path, name));
  const records: TrafficRecord[] = [];
  const callerHeader = form === 'har' ? 'x-app' : undefined;
  const options = { cwd: folder.path, callerHeader };
  for await (const each of readTraffic(files, options)) records.push(each);
  folder.remove();
  return records;
}

const callersOf = (sent: Iterable<Sent>) =>
  [...new Set([...sent].map((each) => each.caller))].sort();

const callersIn = (requests: readonly { readonly caller: string }[]) =>
  requests.map(({ caller }) => caller);

const text = fc.constantFrom(...TEXTS);
const value = fc.option(fc.constantFrom(...VALUES), { nil: undefined });
const traffic = fc.array(
  fc.record({
    caller: fc.constantFrom('web', 'mobile', 'batch'),
    values: fc.tuple(value, value, value),
  }),
  { minLength: 10, maxLength: 40 },
);

/** Records what a service of the first contract serves, and compares the contracts. */
async function recorded(schemas: Schemas, edits: Schemas, all: readonly Sent[], form: Form) {
  const before = contractOf(schemas);
  const sent = [...(await servedBy(before, all))];
  const contracts = [loaded(before), loaded(contractOf(edits))] as const;
  const callers = new BrokenCallers(contracts[0].definition, contracts[1].definition);
  for (const one of await recordedBy(before, sent, form)) await callers.add(one);
  const changes = changesBetween(contracts[0] as never, contracts[1] as never);
  return { sent, callers, changes };
}

const RUNS = isTestAll ? 150 : 20;

describe('generated contracts', () => {
  it('name for each edit exactly the callers that a service with this edit alone refuses', async () => {
    let named = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(text, text, text),
        fc.tuple(text, text, text),
        traffic,
        async (schemas, edits, all) => {
          const { sent, callers, changes } = await recorded(schemas, edits, all, 'har');
          for (const [at, place] of PLACES.entries()) {
            const alone = contractOf(schemas.with(at, edits[at]!) as never as Schemas);
            const served = await servedBy(alone, sent);
            const refused = callersOf(sent.filter((one) => !served.has(one)));
            const own = changes.filter(({ part }) => part.startsWith(place));
            const evidence = own.flatMap((change) => callers.evidenceFor(change) ?? []);
            const broken = new Set(evidence.flatMap((each) => callersIn(each.broken)));
            // Properties that the contract does not declare are not recorded.
            const possible = new Set(evidence.flatMap((each) => callersIn(each.possible)));
            const certain = refused.filter((each) => broken.has(each) || !possible.has(each));
            named += certain.length;
            expect([place, [...broken].sort()]).toEqual([place, certain]);
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(named).toBeGreaterThan(RUNS / 2);
  });

  it('name, by shapes alone, at least those callers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(text, text, text),
        fc.tuple(text, text, text),
        traffic,
        async (schemas, edits, all) => {
          const { sent, callers, changes } = await recorded(schemas, edits, all, 'counts');
          const possible = changes.flatMap((change) => callers.evidenceFor(change)?.possible ?? []);
          const served = await servedBy(contractOf(edits), sent);
          const refused = callersOf(sent.filter((one) => !served.has(one)));
          expect(possible.map(({ caller }) => caller)).toEqual(expect.arrayContaining(refused));
        },
      ),
      { numRuns: isTestAll ? 100 : 8 },
    );
  });
});
