// The converters that a served version needs: for exactly the breaking changes, on the labelled pairs of the diff.
import { describe, expect, it } from '@jest/globals';
import { labelledSample } from '@stubwright/test-support/labelled/pairs';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import { loadContractFiles } from '../../src/loading/load.ts';
import {
  directionOf,
  isConvertibleChange,
  pathInComponent,
} from '../../src/serving/conversions.ts';
import {
  type ConverterPlan,
  converterPlan,
  namedConverters,
  optionalMark,
} from '../../src/serving/converterPlan.ts';
import { versionTypes } from '../../src/serving/versionTypes.ts';
import { NEWER, OLDER } from './books.ts';
import { brokenBy, convertedBy } from './brokenDirections.ts';
import { compileErrors, contractOf } from './compiled.ts';

/** @returns as `serve-version` writes it: an empty object for each component and operation */
function withoutMembers(plan: ConverterPlan): Record<string, object> {
  const groups = namedConverters(plan).map(([group, named]) => {
    return [group, Object.fromEntries(named.map(([name]) => [name, {}]))] as const;
  });
  return Object.fromEntries(groups);
}

const isNeeded = ({ isOptional }: ConverterPlan['converters'][number]) => !isOptional;

const PAIRS = labelledSample(isTestAll ? 500 : 60);

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
    const needed = compatible.filter(({ plan }) => plan.converters.some(isNeeded));
    expect(needed.map(({ name }) => name)).toEqual([]);
  });

  inTestAll(it)(
    'have types that compile, with one error for each component and operation without',
    () => {
      const breaking = read
        .filter(({ label }) => label === 'breaking')
        .slice(0, isTestAll ? 20 : 8);
      const files = new Map<string, string>();
      for (const [at, { older, newer }] of breaking.entries()) {
        const { text, plan } = versionTypes({ version: '1.0.0', older, newer });
        files.set(`generated/versions/${at}.ts`, text);
        files.set(
          `src/versions/${at}.ts`,
          `import type { Converters } from '../../generated/versions/${at}.ts';
export const converters = ${JSON.stringify(withoutMembers(plan))} satisfies Converters;
`,
        );
      }
      const errors = Map.groupBy(compileErrors(files), ({ file }) => /(\d+)\.ts$/.exec(file)?.[1]);
      for (const [at, { name, plan }] of breaking.entries()) {
        const needed = plan.converters.filter(isNeeded);
        const expected = new Set(needed.map(({ group, name }) => `${group} ${name}`)).size;
        const found = errors.get(String(at)) ?? [];
        const others = found.filter(({ message }) => !/ is missing (?:in|the) /.test(message));
        expect([name, found.length, others]).toEqual([name, expected, []]);
      }
    },
  );
});

describe('the converters of an upgrade of the contract of Figma', () => {
  const contract = async (name: string) =>
    (await loadContractFiles(`node_modules/${name}/openapi/openapi.yaml`)).definition;

  inTestAll(it).each([
    ['figma-rest-api-spec-0.10', 'figma-rest-api-spec-0.30'],
    ['figma-rest-api-spec-0.30', '@figma/rest-api-spec'],
  ])(
    'from %s to %s belong to the operations and directions that the diff calls breaking',
    async (...names) => {
      const [older, newer] = await Promise.all([contract(names[0]), contract(names[1])]);
      const broken = brokenBy(older, newer);
      expect(broken.size).toBeGreaterThan(4);
      expect([...convertedBy(converterPlan(older, newer), older, newer)].sort()).toEqual(
        [...broken].sort(),
      );
    },
  );
});

const plan = (older: string, newer: string) => {
  const { converters } = converterPlan(contractOf(older), contractOf(newer));
  return converters.map(
    (converter) => `${converter.name}.${converter.member}${optionalMark([converter])}`,
  );
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
      ...[
        'State.toNew',
        'Book.toOld',
        'State.toOld',
        'NewBook.toNew',
        'Place.toNew',
        'Place.toOld',
      ],
      ...[
        'listBooks.request',
        'createBook.reply?',
        'getBook.request',
        'deleteBook.call',
        'countBooks.reply',
      ],
      'watchBooks.item',
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

describe('a change', () => {
  const change = (rule: string, fields: object = {}) =>
    ({ rule, severity: 'breaking', operations: ['GET /toys'], ...fields }) as never;

  it.each<[string | undefined, string[]]>([
    ['call', ['operation-removed', 'operation-moved']],
    ['reply', ['response-type-changed', 'response-required-property-removed']],
    ['request', ['request-type-changed', 'required-parameter-added', 'body-required']],
    [
      undefined,
      [
        ...['operation-id-changed', 'operation-id-removed', 'sunset-earlier', 'server-removed'],
        ...['security-requirement-removed', 'webhook-removed', 'pagination-removed'],
        ...['request-sunset-earlier', 'response-sunset-earlier', 'request-default-changed'],
      ],
    ],
  ])('has a converter of the direction %s', (direction, rules) => {
    expect(rules.map((rule) => directionOf(change(rule)))).toEqual(rules.map(() => direction));
  });

  it.each([
    ['request-type-changed', true],
    ['operation-id-changed', true],
    ['operation-id-removed', true],
    ['request-default-changed', true],
    ['server-removed', false],
    ['webhook-removed', false],
  ])('by %s is undone, or not noticed: %s', (rule, expected) => {
    expect(isConvertibleChange(change(rule))).toBe(expected);
  });

  it('is not undone without an operation', () => {
    expect(isConvertibleChange(change('request-type-changed', { operations: [] }))).toBe(false);
  });

  it.each([
    ['/components/schemas/Toy', ''],
    ['/components/schemas/Toy/maxLength', ''],
    ['/components/schemas/Toy/properties/note/maxLength', '/note'],
    ['/components/schemas/Toy/properties/names/items/maxLength', '/names/items'],
    ['/components/schemas/Toy/properties/properties/type', '/properties'],
    ['/components/schemas/Toy/properties', ''],
    ['/paths/~1toys/get', ''],
  ])('at %s is at %s of the component', (pointer, path) => {
    expect(pathInComponent(pointer)).toBe(path);
  });
});

it.each([
  [{ additionalProperties: false }, ['Toy.toNew', 'patchToy.request']],
  // A renamed property that is optional is lost, which is risky alone.
  [{}, ['Toy.toNew?', 'patchToy.request?']],
])('the operation converts a patch, and the component a whole value: %j', (others, expected) => {
  const toys = (name: string) => `
openapi: 3.1.0
info: {title: Toys, version: '1'}
components: {schemas: {Toy: ${JSON.stringify({ properties: { [name]: { type: 'string' } }, ...others })}}}
paths:
  /toys:
    post:
      operationId: addToy
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Toy'}}}}
      responses: {204: {description: ok}}
    patch:
      operationId: patchToy
      requestBody:
        content:
          application/merge-patch+json:
            schema: {type: object}
            x-patch-of: {$ref: '#/components/schemas/Toy'}
      responses: {204: {description: ok}}
`;
  expect(plan(toys('name'), toys('title'))).toEqual(expected);
});

it('has the converter of a composition for a property that another part of it had', () => {
  const things = (name: string) => `
openapi: 3.1.0
info: {title: Things, version: 1.0.0}
paths:
  /things:
    post:
      operationId: addThing
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
      responses: {200: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}
components:
  schemas:
    Base: {type: object, required: [id], properties: {id: {type: integer}}}
    Thing:
      allOf:
        - $ref: '#/components/schemas/Base'
        - {type: object, required: [${name}], properties: {${name}: {type: string}}}
`;
  expect(plan(things('name'), things('title'))).toEqual(['Thing.toNew', 'Thing.toOld']);
});
