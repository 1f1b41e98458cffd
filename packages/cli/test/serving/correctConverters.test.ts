// Usual changes of a component: correct converters have no finding, wrong ones do.
import { describe, expect, it } from '@jest/globals';
import { isTestAll } from '@stubwright/test-support/testAll';
import type { VersionConverters } from '@stubwright/versions';
import { roundTripsOf } from '../../src/serving/roundTrips.ts';
import { contractOf } from './compiled.ts';

// biome-ignore lint/suspicious/noExplicitAny: the generated types of converters are tested by themselves
type Value = any;

interface Upgrade {
  readonly name: string;
  /** The members of the component, as YAML. */
  readonly older: string;
  readonly newer: string;
  readonly toNew: (value: Value) => Value;
  readonly toOld: (value: Value) => Value;
  readonly loses?: readonly string[];
}

const object = (required: string, properties: string) =>
  `type: object, required: [${required}], properties: {${properties}}`;
const given = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value });
const TEXT = '{type: string}';
const WORD = "{type: string, pattern: '^[a-z]+$'}";
const POINT = 'x: {type: number}, y: {type: number}';
const ID = 'id: {type: integer, readOnly: true}';
const items = (name: string) =>
  object('list', `list: {type: array, items: {${object('', `${name}: ${TEXT}`)}}}`);
const composed = (name: string) =>
  `allOf: [{$ref: '#/components/schemas/Base'}, {${object(name, `${name}: ${TEXT}`)}}]`;
const either = (name: string) =>
  `oneOf: [{${object(`kind, ${name}`, `kind: {const: p}, ${name}: ${TEXT}`)}}, {${object(`kind, ${name}`, `kind: {const: q}, ${name}: {type: integer}`)}}]`;
const secret = (name: string) =>
  object(`${name}, a`, `${name}: {type: string, writeOnly: true}, a: ${TEXT}`);

const renamed = {
  toNew: ({ a, ...rest }: Value) => ({ ...rest, ...given('b', a) }),
  toOld: ({ b, ...rest }: Value) => ({ ...rest, ...given('a', b) }),
};

const UPGRADES: readonly Upgrade[] = [
  {
    name: 'a renamed required property',
    older: object('a', `a: ${TEXT}`),
    newer: object('b', `b: ${TEXT}`),
    ...renamed,
  },
  {
    name: 'a renamed optional property',
    older: object('', `a: ${TEXT}, c: {type: integer}`),
    newer: object('', `b: ${TEXT}, c: {type: integer}`),
    ...renamed,
  },
  {
    name: 'a renamed nullable property',
    older: object('', "a: {type: [string, 'null']}"),
    newer: object('', "b: {type: [string, 'null']}"),
    ...renamed,
  },
  {
    name: 'null instead of an absent property',
    older: object('', `a: ${TEXT}`),
    newer: object('a', "a: {type: [string, 'null']}"),
    toNew: ({ a, ...rest }) => ({ ...rest, a: a ?? null }),
    toOld: ({ a, ...rest }) => ({ ...rest, ...(a !== null && { a }) }),
  },
  {
    name: 'other names of enum values',
    older: object('a', 'a: {type: string, enum: [x, y]}'),
    newer: object('a', 'a: {type: string, enum: [X, Y]}'),
    toNew: ({ a, ...rest }) => ({ ...rest, a: a.toUpperCase() }),
    toOld: ({ a, ...rest }) => ({ ...rest, a: a.toLowerCase() }),
  },
  {
    name: 'an array instead of a value',
    older: object('', `tag: ${TEXT}`),
    newer: object('tags', `tags: {type: array, items: ${TEXT}}`),
    toNew: ({ tag, ...rest }) => ({ ...rest, tags: tag === undefined ? [] : [tag] }),
    toOld: ({ tags, ...rest }) => ({ ...rest, ...given('tag', tags[0]) }),
    loses: ['tags'],
  },
  {
    name: 'a split value',
    older: object('name', "name: {type: string, pattern: '^[a-z]+ [a-z]+$'}"),
    newer: object('first, last', `first: ${WORD}, last: ${WORD}`),
    toNew({ name, ...rest }) {
      const [first, last] = name.split(' ');
      return { ...rest, first, last };
    },
    toOld: ({ first, last, ...rest }) => ({ ...rest, name: `${first} ${last}` }),
  },
  {
    name: 'properties in an object of their own',
    older: object('x, y', POINT),
    newer: object('at', `at: {${object('x, y', POINT)}}`),
    toNew: ({ x, y, ...rest }) => ({ ...rest, at: { x, y } }),
    toOld: ({ at, ...rest }) => ({ ...rest, ...at }),
  },
  {
    name: 'a required property with a default',
    older: object('a', `a: ${TEXT}`),
    newer: object('a, language', `a: ${TEXT}, language: {type: string, enum: [en, de]}`),
    toNew: (value) => ({ ...value, language: 'en' }),
    toOld: ({ language: _, ...rest }) => rest,
    loses: ['language'],
  },
  {
    name: 'a renamed property of items',
    older: items('a'),
    newer: items('b'),
    toNew: ({ list, ...rest }) => ({ ...rest, list: list.map(renamed.toNew) }),
    toOld: ({ list, ...rest }) => ({ ...rest, list: list.map(renamed.toOld) }),
  },
  {
    name: 'a string instead of an int64',
    older: object('n', 'n: {type: integer, format: int64, minimum: 0}'),
    newer: object('n', "n: {type: string, pattern: '^(0|[1-9][0-9]{0,17})$'}"),
    toNew: ({ n, ...rest }) => ({ ...rest, n: String(n).slice(0, 18) }),
    toOld: ({ n, ...rest }) => ({ ...rest, n: BigInt(n) }),
    loses: ['n'],
  },
  { name: 'a part of allOf', older: composed('a'), newer: composed('b'), ...renamed },
  { name: 'alternatives', older: either('a'), newer: either('b'), ...renamed },
  {
    name: 'a readOnly property that requests do not have',
    older: object('id, a', `${ID}, a: ${TEXT}`),
    newer: object('id, b', `${ID}, b: ${TEXT}`),
    toNew: ({ a }) => ({ b: a }),
    toOld: ({ id, b }) => ({ id, a: b }),
  },
  {
    name: 'a writeOnly property that replies do not have',
    older: secret('password'),
    newer: secret('secret'),
    toNew: ({ password, a }) => ({ secret: password, a }),
    toOld: ({ a }) => ({ a }),
  },
];

function contractWith(version: string, members: string) {
  const json = "content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}";
  return contractOf(`
openapi: 3.1.0
info: {title: Things, version: '${version}'}
paths:
  /things:
    post:
      operationId: addThing
      requestBody: {required: true, ${json}}
      responses: {200: {description: ok, ${json}}}
components:
  schemas:
    Base: {type: object, required: [id], properties: {id: {type: integer, format: int64}}}
    Thing: {${members}}
`);
}

async function findingsOf({ older, newer, toNew, toOld, loses = [] }: Upgrade) {
  const converters: VersionConverters = { schemas: { Thing: { toNew, toOld, loses } } };
  const contracts = { older: contractWith('1.0.0', older), newer: contractWith('2.0.0', newer) };
  const pair = { version: '1.0.0', ...contracts, converters };
  const { findings, values } = await roundTripsOf(pair, () => undefined);
  expect(values).toBeGreaterThan(0);
  return findings;
}

/** Without the last property. */
const cut = (convert: Upgrade['toNew']) => (value: Value) =>
  Object.fromEntries(Object.entries(convert(value)).slice(0, -1));

describe.each(UPGRADES.map((upgrade) => [upgrade.name, upgrade] as const))('%s', (_, upgrade) => {
  it('has no finding with correct converters', async () => {
    expect(await findingsOf(upgrade)).toEqual([]);
  });

  (isTestAll ? it : it.skip).each([
    ['requests', { toNew: cut(upgrade.toNew) }],
    ['replies', { toOld: cut(upgrade.toOld) }],
  ])('has a finding if a property of %s is left out', async (_direction, wrong) => {
    expect(await findingsOf({ ...upgrade, ...wrong })).not.toEqual([]);
  });
});
