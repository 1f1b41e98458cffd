// The callers that `diff --traffic` names are those whose requests a service of the new contract refuses.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Contract, stringifyJson } from '@stubwright/contract';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { isTestAll } from '@stubwright/test-support/testAll';
import { entryOf, readTraffic, type TrafficRecord } from '@stubwright/traffic';
import fc from 'fast-check';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { type Recorder, recorder } from 'stubwright/recording';
import { parse } from 'yaml';
import { changesBetween } from '../src/contract/changes.ts';
import { BrokenCallers } from '../src/traffic/brokenCallers.ts';
import { OTHERS, SCHEMAS } from './pairs.ts';

const CONTRACT = `openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
paths:
  /toys:
    get:
      operationId: listToys
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 0, maximum: 100}}
        - {name: sort, in: query, schema: {type: string, enum: [name, age]}}
        - {name: X-Region, in: header, schema: {type: string, maxLength: 5}}
      responses: {default: {description: ok}}
    post:
      operationId: storeToy
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: {type: string, maxLength: 9}
                tag: {type: string}
                id: {type: integer, format: int64}
                parts: {type: array, items: {type: object, properties: {size: {type: integer, maximum: 9}}}}
          text/plain: {schema: {type: string}}
      responses: {default: {description: ok}}
  /toys/{id}:
    delete:
      operationId: deleteToy
      parameters: [{name: id, in: path, required: true, schema: {type: integer, maximum: 99}}]
      responses: {default: {description: ok}}
`;

/** Each edit alone, and in any combination. */
const EDITS: readonly [string, string][] = [
  ['maximum: 100', 'maximum: 50'],
  ['minimum: 0', 'minimum: 5'],
  ['[name, age]', '[name]'],
  ['in: header, schema', 'in: header, required: true, schema'],
  ['maxLength: 5', 'maxLength: 2'],
  ['required: [name]', 'required: [name, tag]'],
  ['maxLength: 9', 'maxLength: 3'],
  ['format: int64', 'format: int32'],
  ['{size: {type: integer, maximum: 9}}', '{size: {type: integer, maximum: 4}}'],
  ['          text/plain: {schema: {type: string}}\n', ''],
  ['    delete:', '    patch:'],
  ['schema: {type: integer, maximum: 99}', 'schema: {type: integer, maximum: 7}'],
];

interface Sent {
  readonly caller: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly mimeType: string; readonly text: string };
}

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const caller = fc.constantFrom('web', 'mobile', 'batch', 'partner');
const listing = fc
  .record({
    caller,
    limit: optional(fc.integer({ min: 0, max: 100 })),
    sort: optional(fc.constantFrom('name', 'age')),
    region: optional(fc.constantFrom('eu', 'north')),
  })
  .map(({ caller, limit, sort, region }): Sent => {
    const query = new URLSearchParams({
      ...(limit !== undefined && { limit: String(limit) }),
      ...(sort !== undefined && { sort }),
    });
    const headers = region === undefined ? {} : { 'X-Region': region };
    return { caller, method: 'GET', path: `/toys?${query}`, headers };
  });
const storing = fc
  .record({
    caller,
    name: fc.constantFrom('Bo', 'Teddy', 'Teddybear'),
    tag: optional(fc.constantFrom('soft', 'old')),
    id: optional(fc.constantFrom(1, 2 ** 31, 2 ** 40)),
    parts: optional(
      fc.array(fc.record({ size: fc.integer({ min: 0, max: 9 }) }), { maxLength: 3 }),
    ),
    isText: fc.boolean(),
  })
  .map(({ caller, isText, ...toy }): Sent => {
    const mimeType = isText ? 'text/plain' : 'application/json';
    const body = { mimeType, text: isText ? toy.name : JSON.stringify(toy) };
    return { caller, method: 'POST', path: '/toys', body };
  });
const deleting = fc
  .record({ caller, id: fc.integer({ min: 0, max: 99 }) })
  .map(({ caller, id }): Sent => ({ caller, method: 'DELETE', path: `/toys/${id}` }));
const traffic = fc.array(fc.oneof(listing, storing, deleting), { minLength: 8, maxLength: 16 });

/** @returns the contract before and after the edits */
function edited(edits: readonly (readonly [string, string])[]): [Contract, Contract] {
  const changed = edits.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, CONTRACT);
  return [contractOf(CONTRACT), contractOf(changed)];
}

const contractOf = (text: string) => new Contract(parse(text));

/** @returns the requests that a service of the contract serves */
async function servedBy(definition: Contract, sent: readonly Sent[], recording?: Recorder) {
  const contract = { definition, warnings: [], files: [], name: 'a.yaml', locations: undefined };
  const options = { contract, mock: 'all', recorder: recording };
  const serve = fetchHandler(await createApi(options as never));
  const served: Sent[] = [];
  for (const one of sent) {
    const { caller, method, path, headers = {}, body } = one;
    const type = body && { 'Content-Type': body.mimeType };
    const init = { method, headers: { ...headers, ...type, 'X-App': caller } };
    const { status } = await serve(
      new Request(`http://localhost${path}`, { ...init, ...(body && { body: body.text }) }),
    );
    if (status < 400) served.push(one);
  }
  return served;
}

/** @returns the callers that get an error of a service with the contract */
async function refusedBy(definition: Contract, sent: readonly Sent[]): Promise<string[]> {
  const served = new Set(await servedBy(definition, sent));
  return namesOf(sent.filter((one) => !served.has(one)));
}

const namesOf = (requests: readonly { readonly caller: string }[]) =>
  [...new Set(requests.map(({ caller }) => caller))].sort();

/** @yields the requests as a proxy records them, with their values */
async function* entriesOf(_: Contract, sent: readonly Sent[]): AsyncGenerator<TrafficRecord> {
  for (const { caller, method, path, headers = {}, body } of sent) {
    const fields = Object.entries(headers).map(([name, value]) => ({ name, value }));
    const request = { method, url: `http://localhost${path}`, headers: fields, postData: body };
    const startedDateTime = '2026-11-01T00:00:00Z';
    const entry = entryOf({ startedDateTime, _caller: caller, request }, undefined)!;
    yield { file: 'a.har', entry };
  }
}

/** @yields what a service records of the requests: the parts that they have, without values */
async function* countsOf(definition: Contract, sent: readonly Sent[]) {
  const folder = temporaryFolder();
  const recording = recorder({ file: join(folder.path, 'a.jsonl'), callerHeader: 'X-App' });
  await servedBy(definition, sent, recording);
  await recording.close();
  yield* readTraffic(readdirSync(folder.path), { cwd: folder.path, callerHeader: undefined });
  folder.remove();
}

/** @returns the evidence for each change between two contracts */
async function evidenceOf(
  [before, after]: readonly [Contract, Contract],
  sent: readonly Sent[],
  recordsOf: typeof entriesOf = entriesOf,
) {
  const callers = new BrokenCallers(before, after);
  for await (const record of recordsOf(before, sent)) await callers.add(record);
  const changes = changesBetween({ definition: before }, { definition: after });
  return changes.flatMap((change) => {
    const evidence = callers.evidenceFor(change);
    return evidence === undefined ? [] : [{ part: change.part, ...evidence }];
  });
}

describe('the callers that a change breaks', () => {
  it.each(EDITS.filter((_, at) => isTestAll || at % 3 === 0))(
    'are those that are refused after %j becomes %j',
    async (from, to) => {
      const contracts = edited([[from, to]]);
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(traffic, async (sent) => {
          const expected = await refusedBy(contracts[1], sent);
          refused += expected.length;
          const evidence = await evidenceOf(contracts, sent);
          expect(namesOf(evidence.flatMap(({ broken }) => broken))).toEqual(expected);
        }),
        { numRuns: isTestAll ? 40 : 12 },
      );
      expect(refused).toBeGreaterThan(0);
    },
  );

  it('are those that are refused after several changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...EDITS]), traffic, async (edits, sent) => {
        const contracts = edited(edits);
        const evidence = await evidenceOf(contracts, sent);
        expect(namesOf(evidence.flatMap(({ broken }) => broken))).toEqual(
          await refusedBy(contracts[1], sent),
        );
      }),
      { numRuns: isTestAll ? 100 : 10 },
    );
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

/** The schemas at the parts of a contract that an edit may change. */
const PARTS = ['query parameter data', 'request body /p', 'request body /list/*'] as const;
type Schemas = readonly [string, string, string];

const contractWith = ([data, p, item]: Schemas) =>
  contractOf(`openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /toys:
    post:
      operationId: storeToy
      parameters: [{name: data, in: query, content: {application/json: {schema: ${data}}}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {p: ${p}, list: {type: array, items: ${item}}}}}}}
      responses: {default: {description: ok}}
components: {schemas: {${OTHERS}}}`);

/** @param values of the parts; undefined for one that the request does not have */
function requestWith([data, p, item]: readonly unknown[]): Omit<Sent, 'caller'> {
  const query = data === undefined ? '' : `?data=${encodeURIComponent(stringifyJson(data))}`;
  const value = { ...(p !== undefined && { p }), ...(item !== undefined && { list: [item] }) };
  const body = { mimeType: 'application/json', text: stringifyJson(value) };
  return { method: 'POST', path: `/toys${query}`, body };
}

const text = fc.constantFrom(...TEXTS);
const value = fc.option(fc.constantFrom(...VALUES), { nil: undefined });
/** The schemas of both contracts, and requests. */
const compared = fc.tuple(
  fc.tuple(text, text, text),
  fc.tuple(text, text, text),
  fc.array(
    fc
      .tuple(fc.constantFrom('web', 'mobile', 'batch'), fc.tuple(value, value, value))
      .map(([caller, values]): Sent => ({ caller, ...requestWith(values) })),
    { minLength: 10, maxLength: 40 },
  ),
);
const RUNS = isTestAll ? 150 : 20;

describe('generated contracts', () => {
  it('name for each edit exactly the callers that a service with this edit alone refuses', async () => {
    let named = 0;
    await fc.assert(
      fc.asyncProperty(compared, async ([schemas, edits, all]) => {
        const before = contractWith(schemas);
        const sent = await servedBy(before, all);
        const evidence = await evidenceOf([before, contractWith(edits)], sent);
        for (const [at, part] of PARTS.entries()) {
          const alone = contractWith(schemas.with(at, edits[at]!) as never as Schemas);
          const refused = await refusedBy(alone, sent);
          const own = evidence.filter((found) => found.part.startsWith(part));
          const broken = namesOf(own.flatMap((found) => found.broken));
          // Properties that the contract does not declare are not recorded.
          const possible = namesOf(own.flatMap((found) => found.possible));
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
      fc.asyncProperty(compared, async ([schemas, edits, all]) => {
        const contracts = [contractWith(schemas), contractWith(edits)] as const;
        const sent = await servedBy(contracts[0], all);
        const evidence = await evidenceOf(contracts, sent, countsOf);
        const possible = namesOf(evidence.flatMap((found) => found.possible));
        expect(possible).toEqual(expect.arrayContaining(await refusedBy(contracts[1], sent)));
      }),
      { numRuns: isTestAll ? 100 : 8 },
    );
  });
});

describe('a change of the resource of a patch', () => {
  const contract = (properties: string) =>
    contractOf(`openapi: 3.1.0
info: {title: Toys, version: '1'}
paths:
  /toys:
    patch:
      operationId: patchToy
      requestBody:
        content:
          application/merge-patch+json: {schema: {type: object}, x-patch-of: {$ref: '#/components/schemas/Toy'}}
          application/json-patch+json: {schema: {type: array}, x-patch-of: {$ref: '#/components/schemas/Toy'}}
          application/json: {schema: {$ref: '#/components/schemas/Toy'}}
      responses: {default: {description: ok}}
components: {schemas: {Toy: {type: object, additionalProperties: false, properties: {${properties}}}}}`);
  const before = contract('size: {type: string, enum: [s, m]}, note: {type: string}');
  const patch = (caller: string, mimeType: string, value: unknown): Sent => ({
    ...{ caller, method: 'PATCH', path: '/toys' },
    body: { mimeType, text: JSON.stringify(value) },
  });
  const sent = [
    patch('merging', 'application/merge-patch+json', { size: 's' }),
    patch('patching', 'application/json-patch+json', []),
    patch('sending', 'application/json', { size: 's' }),
  ];

  it.each([
    ['size: {type: string, enum: [s]}, note: {type: string}', entriesOf],
    ['size: {type: string, enum: [s]}, note: {type: string}', countsOf],
    ['size: {type: string, enum: [s, m]}', entriesOf],
    ['size: {type: string, enum: [s, m]}', countsOf],
  ])('to %s may break all callers that patch', async (properties, recordsOf) => {
    const evidence = await evidenceOf([before, contract(properties)], sent, recordsOf);
    const possible = evidence.flatMap((found) => [...found.possible, ...found.broken]);
    expect(namesOf(possible)).toEqual(['merging', 'patching']);
  });
});
