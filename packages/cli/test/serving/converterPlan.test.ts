// The converters that a served version needs: for exactly the breaking changes, on the labelled pairs of the diff.
import { describe, expect, it } from '@jest/globals';
import type { Contract, Operation } from '@stubwright/contract';
import { changesBetween } from '@stubwright/diff';
import { operationPairs } from '@stubwright/versions';
import { LABELLED_PAIRS } from '../../../diff/test/labelled/pairs.ts';
import { inTestAll, isTestAll } from '../../../stubwright/test/support/testAll.ts';
import { type ConverterPlan, converterPlan } from '../../src/serving/converterPlan.ts';
import { versionTypes } from '../../src/serving/versionTypes.ts';
import { compileErrors, contractOf } from './compiled.ts';
import { NEWER, OLDER } from './toys.ts';

const PAIRS = LABELLED_PAIRS.filter((_, at) => at % (isTestAll ? 3 : 15) === 0);

/** What no converter undoes: docs/decisions/served-versions.md. */
const WITHOUT_CONVERTER =
  /^(?:operation-id-|security-|server-|webhook-|(?:request-|response-)?sunset-earlier|request-default-changed)/;

/** @returns `POST /toys request`, one for each operation and direction that a change breaks */
function brokenBy(older: Contract, newer: Contract): Set<string> {
  const changes = changesBetween({ definition: older }, { definition: newer });
  const pairs = operationPairs(older, newer);
  // A version calls an operation that moved by its operationId.
  const moved = new Set(
    older.operations.filter((each) => pairs.has(each.operationId)).map((each) => titleOf(each)),
  );
  const breaking = changes.filter(
    ({ severity, rule }) => severity === 'breaking' && !WITHOUT_CONVERTER.test(rule),
  );
  return new Set(
    breaking.flatMap(({ rule, operations }) => {
      const direction = rule.startsWith('response-') ? 'reply' : 'request';
      return operations
        .filter((title) => /^[A-Z]+ \/\S*$/.test(title))
        .flatMap((title) => {
          if (!/^operation-(?:removed|moved)$/.test(rule)) return [`${title} ${direction}`];
          return moved.has(title) ? [] : [title];
        });
    }),
  );
}

function titleOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

function convertedBy(plan: ConverterPlan, older: Contract, newer: Contract): Set<string> {
  const pairs = operationPairs(older, newer);
  const titles = new Map(
    older.operations.map((each) => [
      each.operationId,
      titleOf(pairs.get(each.operationId) ?? each),
    ]),
  );
  return new Set(
    [...plan.schemas, ...plan.operations].flatMap(({ member, operations }) =>
      operations.map((id) => {
        if (member === 'call') return titles.get(id)!;
        const isRequest = member === 'toNew' || member === 'request';
        return `${titles.get(id)} ${isRequest ? 'request' : 'reply'}`;
      }),
    ),
  );
}

describe('the converters of a labelled pair', () => {
  const read = PAIRS.map(({ name, before, after, label }) => {
    const [older, newer] = [contractOf(before), contractOf(after)];
    return { name, label, older, newer, plan: converterPlan(older, newer) };
  });

  it('belong to the operations and directions that the diff calls breaking', () => {
    const differing = read.filter(({ older, newer, plan }) => {
      const broken = brokenBy(older, newer);
      const converted = convertedBy(plan, older, newer);
      return [...broken].sort().join() !== [...converted].sort().join();
    });
    expect(differing.map(({ name }) => name)).toEqual([]);
  });

  it('are none for a compatible pair', () => {
    const compatible = read.filter(({ label }) => label === 'compatible');
    expect(compatible.length).toBeGreaterThan(10);
    const needed = compatible.filter(
      ({ plan }) => plan.schemas.length + plan.operations.length > 0,
    );
    expect(needed.map(({ name }) => name)).toEqual([]);
  });

  inTestAll(it)('have types that compile, with one error for each that is missing', () => {
    const breaking = read.filter(({ label }) => label === 'breaking').slice(0, isTestAll ? 60 : 15);
    const files = new Map<string, string>();
    for (const [at, { older, newer }] of breaking.entries()) {
      const converters = `src/versions/${at}.ts`;
      files.set(
        `generated/versions/${at}.ts`,
        versionTypes({ version: '1.0.0', older, newer, converters }).text,
      );
      files.set(converters, 'export const converters = {};\n');
    }
    const errors = Map.groupBy(compileErrors(files), ({ file }) => /(\d+)\.ts$/.exec(file)?.[1]);
    for (const [at, { name, plan }] of breaking.entries()) {
      const expected = [...plan.schemas, ...plan.operations].reduce((count, { changes }) => {
        const steps = changes.filter(({ isConstraint }) => isConstraint).length;
        return count + steps + (steps < changes.length ? 1 : 0);
      }, 0);
      const own = errors.get(String(at)) ?? [];
      const others = own.filter(
        ({ message }) => !/^Type '".*: expected .*does not satisfy/.test(message),
      );
      expect([name, own.length, others]).toEqual([name, expected, []]);
    }
  });
});

const plan = (older: string, newer: string) => {
  const { schemas, operations } = converterPlan(contractOf(older), contractOf(newer));
  return [...schemas, ...operations].map(({ name, member }) => `${name}.${member}`);
};

describe('the converter of items', () => {
  const contract = (type: string, [event, data]: readonly [event: string, data: string]) => `
openapi: 3.2.0
info: {title: Toys, version: 1.0.0}
paths:
  /toys:
    get:
      operationId: watchToys
      responses: {200: {description: ok, content: {${type}: {itemSchema: {$ref: '#/components/schemas/${event}'}}}}}
components:
  schemas:
    ${event}:
      type: object
      required: [data, ${event}]
      properties:
        ${event}: {type: string}
        data: {type: string, contentMediaType: application/json, contentSchema: {$ref: '#/components/schemas/${data}'}}
    ${data}: {type: object, required: [${data}], properties: {${data}: {type: string}}}
`;

  it.each([...['text/event-stream', 'application/jsonl']])(
    'is needed for another component of the items of %s',
    (type) => {
      const needed = plan(contract(type, ['event', 'old']), contract(type, ['change', 'old']));
      expect(needed).toEqual(['watchToys.item']);
    },
  );

  it('is needed for another component of the data of events', () => {
    const type = 'text/event-stream';
    const needed = plan(contract(type, ['event', 'old']), contract(type, ['event', 'new']));
    expect(needed).toEqual(['watchToys.item']);
  });
});

describe('the converters of a component', () => {
  it('are those of both contracts, by direction', () => {
    expect(plan(OLDER, NEWER)).toEqual([
      ...['Toy.toOld', 'State.toOld', 'NewToy.toNew', 'listToys.request', 'getToy.request'],
      ...['deleteToy.call', 'countToys.reply', 'watchToys.item'],
    ]);
  });

  it('are those of the composition that contains it', () => {
    const contract = (name: string) => `
openapi: 3.1.0
info: {title: Toys, version: 1.0.0}
paths:
  /toys:
    post:
      operationId: createToy
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NewToy'}}}}
      responses: {204: {description: stored}}
components:
  schemas:
    Toy: {type: object, required: [${name}], properties: {${name}: {type: string}}}
    NewToy: {allOf: [{$ref: '#/components/schemas/Toy'}, {type: object, properties: {id: {type: integer}}}]}
`;
    expect(plan(contract('name'), contract('title'))).toEqual(['NewToy.toNew']);
  });
});
