// The callers that `diff --traffic` names are those whose requests a service of the new contract refuses.

import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { isTestAll } from '@stubwright/test-support/testAll';
import { entryOf } from '@stubwright/traffic';
import fc from 'fast-check';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { parse } from 'yaml';
import { changesBetween } from '../src/contract/changes.ts';
import { BrokenCallers } from '../src/traffic/brokenCallers.ts';

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
  readonly headers: readonly { readonly name: string; readonly value: string }[];
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
    const headers = region === undefined ? [] : [{ name: 'X-Region', value: region }];
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
    return { caller, method: 'POST', path: '/toys', headers: [], body };
  });
const deleting = fc
  .record({ caller, id: fc.integer({ min: 0, max: 99 }) })
  .map(({ caller, id }): Sent => ({ caller, method: 'DELETE', path: `/toys/${id}`, headers: [] }));
const traffic = fc.array(fc.oneof(listing, storing, deleting), { minLength: 8, maxLength: 16 });

function edited(edits: readonly (readonly [string, string])[]): string {
  let text = CONTRACT;
  for (const [from, to] of edits) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  return text;
}

const loaded = (text: string) => ({
  definition: new Contract(parse(text)),
  ...{ warnings: [], files: [], name: 'a.yaml', errors: [], locations: undefined },
});

/** @returns the callers that get an error of a service with the contract */
async function refusedBy(text: string, sent: readonly Sent[]): Promise<string[]> {
  const api = await createApi({ contract: loaded(text) as never, mock: 'all' });
  const serve = fetchHandler(api);
  const refused = new Set<string>();
  for (const { caller, method, path, headers, body } of sent) {
    const all = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
    const init = body && { body: body.text };
    const type = body && { 'Content-Type': body.mimeType };
    const url = `http://localhost${path}`;
    const { status } = await serve(
      new Request(url, { method, headers: { ...all, ...type }, ...init }),
    );
    if (status >= 400) refused.add(caller);
  }
  return [...refused].sort();
}

/** @returns the callers of all changes */
async function reportedFor(text: string, sent: readonly Sent[]): Promise<string[]> {
  const [before, after] = [loaded(CONTRACT), loaded(text)];
  const callers = new BrokenCallers(before.definition, after.definition);
  for (const { caller, method, path, headers, body } of sent) {
    const request = { method, url: `http://localhost${path}`, headers, postData: body };
    const startedDateTime = '2026-11-01T00:00:00Z';
    const entry = entryOf({ startedDateTime, _caller: caller, request }, undefined)!;
    await callers.add({ file: 'a.har', entry });
  }
  const changes = changesBetween(before as never, after as never);
  const broken = changes.flatMap((each) => callers.evidenceFor(each)?.broken ?? []);
  return [...new Set(broken.map((each) => each.caller))].sort();
}

describe('the callers that a change breaks', () => {
  it.each(EDITS.filter((_, at) => isTestAll || at % 3 === 0))(
    'are those that are refused after %j becomes %j',
    async (from, to) => {
      const text = edited([[from, to]]);
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(traffic, async (sent) => {
          const expected = await refusedBy(text, sent);
          refused += expected.length;
          expect(await reportedFor(text, sent)).toEqual(expected);
        }),
        { numRuns: isTestAll ? 40 : 12 },
      );
      expect(refused).toBeGreaterThan(0);
    },
  );

  it('are those that are refused after several changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...EDITS]), traffic, async (edits, sent) => {
        const text = edited(edits);
        expect(await reportedFor(text, sent)).toEqual(await refusedBy(text, sent));
      }),
      { numRuns: isTestAll ? 100 : 10 },
    );
  });
});
