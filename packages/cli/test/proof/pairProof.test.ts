// The proof of converters: correct ones pass, and each wrong one is noticed.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isTestAll } from '@stubwright/test-support/testAll';
import { converterFunctions } from '../../src/proof/observedConverters.ts';
import { provePair } from '../../src/proof/pairProof.ts';
import { lossMessage } from '../../src/proof/roundTrips.ts';
import { contractOf } from '../serving/compiled.ts';
import { booksPair, correctConverters, SUBTLE_MUTANTS } from './books.ts';

const prove = (converters: ReturnType<typeof correctConverters>) =>
  provePair(booksPair(converters));

const isRun = (_: unknown, at: number) => isTestAll || at % 4 === 0;
const functions = converterFunctions(correctConverters()).filter(isRun);
const subtle = SUBTLE_MUTANTS.filter(isRun);

describe('the proof of a served version', () => {
  it('passes correct converters', async () => {
    const { findings, ...counts } = await prove(correctConverters());
    expect(findings).toEqual([]);
    expect(counts.requests).toBeGreaterThan(100);
    expect(counts.replies).toBeGreaterThan(100);
    expect(counts.witnesses).toBeGreaterThan(50);
    expect(counts.roundTrips).toBeGreaterThan(50);
  });

  it.each([
    'openapi.yaml',
    'packages/test-support/toys.yaml',
    'docs/examples/versions/openapi.yaml',
  ])('has no finding for two equal contracts: %s', async (path) => {
    const text = readFileSync(path, 'utf8');
    const newer = contractOf(text.replace(/^( *version: ).*$/m, "$1'99.0.0'"));
    const pair = { version: '1.0.0', older: contractOf(text), newer, converters: {} };
    const { findings, requests, replies } = await provePair({
      ...pair,
      positionOf: () => undefined,
    });
    expect(findings).toEqual([]);
    expect(Math.min(requests, replies)).toBeGreaterThan(0);
  });

  it('passes keys, entity tags, conditions and rate limits', async () => {
    const toys = (name: string, version: string) => `
openapi: 3.1.0
info: {title: Toys, version: '${version}'}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas: {Toy: {type: object, required: [${name}], properties: {${name}: {type: string}}, additionalProperties: false}}
security: [{token: []}]
paths:
  /toys:
    post:
      operationId: addToy
      x-rate-limit: {requests: 1, window: 1m}
      parameters: [{name: Idempotency-Key, in: header, required: true, x-idempotency: {ttl: 1h}, schema: {type: string}}]
      requestBody: &body {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
      responses: &toy
        200:
          description: ok
          headers: {ETag: {required: true, schema: {type: string}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}
    get: {operationId: getToys, parameters: [{name: If-None-Match, in: header, schema: {type: string}}], responses: *toy}
    put: {operationId: putToys, parameters: [{name: If-Match, in: header, required: true, schema: {type: string}}], requestBody: *body, responses: *toy}
    patch: {operationId: makeToys, parameters: [{name: If-None-Match, in: header, required: true, schema: {type: string}}], requestBody: *body, responses: *toy}
`;
    const renamed = (from: string, to: string) => (toy: Record<string, string>) => ({
      [to]: toy[from],
    });
    const pair = {
      ...{ version: '1.0.0', positionOf: () => undefined },
      ...{ older: contractOf(toys('name', '1.0.0')), newer: contractOf(toys('title', '2.0.0')) },
    };
    const toNew = renamed('name', 'title');
    const schemas = { Toy: { toNew, toOld: renamed('title', 'name') } };
    const { findings, ...counts } = await provePair({ ...pair, converters: { schemas } });
    expect(findings).toEqual([]);
    expect(counts.roundTrips).toBeGreaterThan(2);
    const unconverted = await provePair({ ...pair, converters: { schemas: { Toy: { toNew } } } });
    expect(unconverted.findings).not.toEqual([]);
  });

  it('compares a patch with the resource that it changes', async () => {
    const toys = (name: string, version: string, type: string) => `
openapi: 3.1.0
info: {title: Toys, version: '${version}'}
components:
  schemas:
    Size: {type: object, properties: {${name}: {type: integer}}}
    Toy: {type: object, required: [${name}], properties: {${name}: {type: string}, tag: {type: string}, size: {$ref: '#/components/schemas/Size'}}}
paths:
  /toy:
    put:
      operationId: putToy
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
      responses: {204: {description: ok}}
    patch:
      operationId: patchToy
      requestBody: {required: true, content: {application/${type}+json: {schema: ${type === 'merge-patch' ? '{type: object}' : '{type: array, items: {type: object, required: [op, path], properties: {op: {const: replace}, path: {type: string}}}}'}, x-patch-of: {$ref: '#/components/schemas/Toy'}}}}
      responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}}
`;
    const renamed = (from: string, to: string) => (value: Record<string, unknown>) => {
      const { [from]: found, ...rest } = value;
      return { ...rest, ...(from in value && { [to]: found }) };
    };
    const both = { toNew: renamed('name', 'title'), toOld: renamed('title', 'name') };
    const findingsOf = async (own: (patch: never) => object, type = 'merge-patch') => {
      const request = ({ body }: { body: never }) => ({ body: own(body) as never });
      const { findings } = await provePair({
        ...{ version: '1.0.0', positionOf: () => undefined },
        older: contractOf(toys('name', '1.0.0', type)),
        newer: contractOf(toys('title', '2.0.0', type)),
        converters: {
          schemas: { Toy: both, Size: both },
          operations: { patchToy: { request } },
        },
      });
      return findings.map(({ converter, message }) => `${converter}: ${message}`);
    };
    const whole = (toy: Record<string, unknown>) => ({
      ...both.toNew(toy),
      ...(toy['size'] ? { size: both.toNew(toy['size'] as never) } : {}),
    });
    expect(await findingsOf(whole)).toEqual([]);
    const changed = 'operations.patchToy.request: tag changes although it needs no conversion';
    expect(await findingsOf((toy: object) => ({ ...whole(toy as never), tag: 'x' }))).toContain(
      changed,
    );
    expect(await findingsOf(({ tag: _, ...toy }: { tag: string }) => whole(toy))).toContain(
      changed,
    );
    expect(await findingsOf((toy) => toy)).toContain(
      'operations.patchToy.request: it changes none of the values, expected a conversion, or loses',
    );
    const paths = (patch: { path: string; value: never }[]) =>
      patch.map(({ path, value, ...each }) => {
        const title = path.replace('/name', '/title');
        return { ...each, path: title, value: path === '/size' ? both.toNew(value) : value };
      });
    expect(await findingsOf(paths, 'json-patch')).toEqual([]);
  });

  // Each has a proof of its own, which takes half a second.
  const some = <T>(each: readonly T[]) => each.filter((_, at) => isTestAll || at % 4 === 0);

  it.each(some(functions).map((each) => [each.path, each] as const))(
    'notices identity instead of %s',
    async (path, { group, name, member }) => {
      const converters = correctConverters();
      const owner = converters[group][name];
      const [, step] = /Steps\[(.*)\]$/.exec(path) ?? [];
      if (step === undefined) owner[member] = (value: unknown) => value;
      else owner[`${member}Steps`][JSON.parse(step)] = (value: unknown) => value;
      expect((await prove(converters)).findings).not.toEqual([]);
    },
  );

  it('passes events whose data has a schema that the other contract does not have', async () => {
    const events = (version: string, name: string, time: string) =>
      contractOf(`
openapi: 3.2.0
info: {title: Scans, version: ${version}}
paths:
  /scans:
    get:
      operationId: watchScans
      responses:
        200: {description: d, content: {text/event-stream: {itemSchema: {$ref: '#/components/schemas/${name}Event'}}}}
components:
  schemas:
    ${name}Event:
      type: object
      required: [data]
      properties:
        event: {type: string}
        data: {type: string, contentMediaType: application/json, contentSchema: {$ref: '#/components/schemas/${name}'}}
    ${name}: {type: object, required: [${time}], properties: {${time}: {type: string}}}
`);
    const { findings, replies } = await provePair({
      ...{ version: '1.0.0', positionOf: () => undefined },
      ...{ older: events('1.0.0', 'Scan', 'at'), newer: events('2.0.0', 'Stop', 'time') },
      converters: {
        schemas: {},
        operations: {
          watchScans: {
            item: ({ data: { time, ...data }, ...event }: { data: { time: string } }) => ({
              ...{ ...event, data: { ...data, at: time } },
            }),
          },
        },
      },
    });
    expect(findings).toEqual([]);
    expect(replies).toBeGreaterThan(0);
  });

  it('notices a status that is not converted', async () => {
    const { findings } = await prove({ ...correctConverters(), statuses: {} });
    expect(findings).not.toEqual([]);
  });

  it.each(some(subtle).map((each) => [each.name, each] as const))(
    'notices %s',
    async (_, { change, isNoticed }) => {
      const converters = correctConverters();
      change(converters);
      const { findings } = await prove(converters);
      expect(findings.length > 0).toBe(isNoticed);
    },
  );
});

it.each([
  ['', 'the value does not come back, expected it, or loses with the value'],
  ['/0', '/0 does not come back, expected it, or loses with the value'],
  ['/title', "/title does not come back, expected it, or loses: ['title']"],
  ['/authors/0/name/1', "/authors/0/name/1 does not come back, expected it, or loses: ['name']"],
])('a lost value at %j is named, and what declares its loss', (pointer, message) => {
  expect(lossMessage(pointer)).toBe(message);
});
