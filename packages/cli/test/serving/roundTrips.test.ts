// Samples go to the newer contract and back: correct converters have no finding, wrong ones do.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isTestAll } from '@stubwright/test-support/testAll';
import type { VersionPair } from '../../src/serving/olderService.ts';
import { roundTripsOf } from '../../src/serving/roundTrips.ts';
import { correctConverters, NEWER, OLDER, SUBTLE_MUTANTS } from './books.ts';
import { contractOf } from './compiled.ts';

const tripsOf = (pair: VersionPair) => roundTripsOf(pair, () => undefined);
const BOOKS = { version: '1.4.0', older: contractOf(OLDER), newer: contractOf(NEWER) };
const prove = (converters: ReturnType<typeof correctConverters>) =>
  tripsOf({ ...BOOKS, converters });

/** The paths of all functions of the converters. */
function functionPaths(converters: object, path: readonly string[] = []): string[][] {
  return Object.entries(converters).flatMap(([key, value]) => {
    if (typeof value === 'function') return [[...path, key]];
    return typeof value === 'object' ? functionPaths(value, [...path, key]) : [];
  });
}

function replaced(path: readonly string[], replacement: unknown) {
  const converters = correctConverters();
  // biome-ignore lint/suspicious/noExplicitAny: the generated types of converters are tested by themselves
  const owner = path.slice(0, -1).reduce((found: any, key) => found[key], converters);
  if (replacement === undefined) delete owner[path.at(-1)!];
  else owner[path.at(-1)!] = replacement;
  return converters;
}

const functions = functionPaths(correctConverters()).map((path) => [path.join('.'), path] as const);
// Each takes a tenth of a second.
const some = <T>(each: readonly T[]) => each.filter((_, at) => isTestAll || at % 4 === 0);

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

describe('the round trips of a served version', () => {
  it('passes correct converters', async () => {
    const { findings, ...counts } = await prove(correctConverters());
    expect(findings).toEqual([]);
    expect(Math.min(counts.requests, counts.replies, counts.values)).toBeGreaterThan(20);
  });

  it.each([
    'openapi.yaml',
    'packages/test-support/toys.yaml',
    'docs/examples/versions/openapi.yaml',
  ])('has no finding for two equal contracts: %s', async (path) => {
    const text = readFileSync(path, 'utf8');
    const newer = contractOf(text.replace(/^( *version: ).*$/m, "$1'99.0.0'"));
    const pair = { version: '1.0.0', older: contractOf(text), newer, converters: {} };
    const { findings, requests, replies } = await tripsOf({
      ...pair,
    });
    expect(findings).toEqual([]);
    expect(Math.min(requests, replies)).toBeGreaterThan(0);
  });

  it('returns no optional property that a request has not sent', async () => {
    const parcels = (name: string, version: string) =>
      contractOf(`
openapi: 3.1.0
info: {title: Parcels, version: '${version}'}
components:
  schemas:
    Sent: {type: object, required: [family], properties: ${name}}
    Parcel: {type: object, required: [family], properties: ${name}}
paths:
  /parcels:
    post:
      operationId: send
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Sent'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}}
`);
    const older = parcels('{family: {type: string, minLength: 1}}', '1.0.0');
    const newer = parcels(
      '{given: {type: string, minLength: 1}, family: {type: string, minLength: 1}}',
      '2.0.0',
    );
    type Parcel = { given?: string; family: string };
    const joined = ({ given, family }: Parcel) => ({
      family: given === undefined ? family : `${given} ${family}`,
    });
    const schemas = {
      Sent: { toNew: ({ family }: Parcel) => ({ family }) },
      Parcel: { toOld: joined },
    };
    const converters = { schemas };
    const { findings, values } = await tripsOf({
      version: '1.0.0',
      older,
      newer,
      converters,
    } as never);
    expect([findings, values > 0]).toEqual([[], true]);
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
      ...{ version: '1.0.0' },
      ...{ older: contractOf(toys('name', '1.0.0')), newer: contractOf(toys('title', '2.0.0')) },
    };
    const toNew = renamed('name', 'title');
    const schemas = { Toy: { toNew, toOld: renamed('title', 'name') } };
    const { findings, ...counts } = await tripsOf({ ...pair, converters: { schemas } });
    expect(findings).toEqual([]);
    expect(counts.values).toBeGreaterThan(2);
    const unconverted = await tripsOf({ ...pair, converters: { schemas: { Toy: { toNew } } } });
    expect(unconverted.findings).not.toEqual([]);
  });

  it.each(functions)('reports that %s is missing', async (name, path) => {
    // The service itself refuses to start without it.
    if (path.at(-1) === 'call') {
      await expect(prove(replaced(path, undefined))).rejects.toThrow(`expected ${name}`);
      return;
    }
    const { findings } = await prove(replaced(path, undefined));
    const missing = findings.filter(({ rule }) => rule === 'converter-missing');
    expect({ name, missing }).toEqual({ name, missing: [expect.anything()] });
  });

  it.each(some(functions))('notices identity instead of %s', async (_, path) => {
    expect((await prove(replaced(path, (value: unknown) => value))).findings).not.toEqual([]);
  });

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
    const { findings, replies } = await tripsOf({
      ...{ version: '1.0.0' },
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

  it('notices an undeclared error, but for those that the engine has itself', async () => {
    const toys = (version: string, statuses: readonly number[]) => {
      const listed = [200, ...statuses].map((status) => `'${status}': {description: none}`);
      return contractOf(`
openapi: 3.1.0
info: {title: Toys, version: '${version}'}
paths: {/toys: {get: {operationId: listToys, responses: {${listed}}}}}
`);
    };
    const older = toys('1.0.0', [418]);
    const silent: number[] = [];
    for (const status of [...range(400, 418), 422, 428, 429, 500, 501, 503]) {
      const pair = { version: '1.0.0', older, newer: toys('2.0.0', [418, status]), converters: {} };
      const { findings } = await tripsOf(pair);
      if (!findings.some(({ message }) => /has the status/.test(message))) silent.push(status);
    }
    expect(silent).toEqual([400, 401, 403, 405, 406, 413, 415, 429, 500, 503]);
  });

  it.each(some(SUBTLE_MUTANTS).map((each) => [each.name, each] as const))(
    'notices %s',
    async (_, { change, isNoticed }) => {
      const converters = correctConverters();
      change(converters);
      const { findings } = await prove(converters);
      expect(findings.length > 0).toBe(isNoticed);
    },
  );
});
