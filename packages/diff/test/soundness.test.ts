// Checks the severity of schema changes against validation, on samples.
import { describe, expect, it } from '@jest/globals';
import { type Contract, hiddenNames, isObject } from '@stubwright/contract';
import { shapeOf, Validators } from '@stubwright/contract/values';
import { isTestAll, runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { changesBetween } from '../src/contract/changes.ts';
import { OTHERS, SCHEMAS } from './pairs.ts';
import { contractOfText } from './toyContract.ts';

const PLAIN: readonly unknown[] = [
  ...[null, true, false, 0, 1, 2, 3, 5, 7, 8, 9, 10, 35, -1, 0.5, 8.5, 2 ** 31],
  ...['a', 'b', 'aa', 'bb', '', 'a1', 'abcdefghi', 'abcdefghij', '2026-01-01', 'YQ=='],
  ...['2026-01-01T00:00:00Z', [], [1], [1, 1], ['a'], [''], [0], [1, 2], Array(10).fill(1)],
  ...[{}, { a: 1 }, { a: 'x' }, { b: 1 }, { a: 1, b: 1 }, { a: null }, { long: 1 }, { c: 10 }],
  ...[
    { a: 1, b: 2, c: 3 },
    { kind: 'cat', sort: 'cat' },
    { kind: 'dog', sort: 'dog' },
  ],
  ...[{ height: 0 }, { height: 1, branches: [{ height: 0 }] }, { height: 1, branches: [] }],
];
const VALUES = PLAIN.flatMap((value) => [value, [value], { a: value }, { a: 1, b: value }]);

interface Case {
  readonly text: string;
  readonly definition: Contract;
  /** The properties that it declares for requests. */
  readonly names: ReadonlySet<string>;
  readonly sent: ReadonlySet<unknown>;
  readonly read: ReadonlySet<unknown>;
}

/** A contract that uses the schema in a request and a response, and the values that it allows. */
function caseOf(text: string): Case {
  const version = /nullable|exclusiveM\w+: true/.test(text) ? '3.0.3' : '3.1.0';
  const media = `content: {application/json: {schema: ${text}}}`;
  const responses = `{'200': {description: a, ${media}}}`;
  const { definition } = contractOfText(`openapi: ${version}
info: {title: Toys, version: '1'}
paths: {/toys: {post: {requestBody: {${media}}, responses: ${responses}}}}
components: {schemas: {${OTHERS}}}`);
  const valid = (direction: 'request' | 'response', pointer: string) => {
    const validate = new Validators(definition, direction).at(pointer);
    return new Set(VALUES.filter((each) => validate(each)));
  };
  const schema = 'content/application~1json/schema';
  const sent = `/paths/~1toys/post/requestBody/${schema}`;
  return {
    text,
    definition,
    names: sentNames(definition, sent),
    sent: valid('request', sent),
    read: valid('response', `/paths/~1toys/post/responses/200/${schema}`),
  };
}

/** Without readOnly properties, whose values requests ignore. */
function sentNames(definition: Contract, pointer: string): Set<string> {
  const validators = new Validators(definition, 'request');
  const schema = validators.model.at(pointer)!;
  const hidden = hiddenNames(schema, 'request');
  const { names } = shapeOf(schema, validators);
  return new Set([...names].filter((name) => !hidden.has(name)));
}

/** Values whose validity changes although the comparison reports only compatible changes. */
function unsound(before: Case, after: Case): (readonly [string, unknown, string])[] {
  const changes = changesBetween(before, after).filter(({ severity }) => severity !== 'compatible');
  const isCompatible = (part: string) => !changes.some((each) => each.part.startsWith(part));
  // Clients of the old contract do not send properties that only the new one declares.
  const isNew = (value: unknown) =>
    isObject(value) &&
    Object.keys(value).some((name) => after.names.has(name) && !before.names.has(name));
  const refused = [...before.sent].filter((value) => !after.sent.has(value) && !isNew(value));
  const unexpected = [...after.read].filter((value) => !before.read.has(value));
  return [
    ...(isCompatible('request body')
      ? refused.map((value) => ['refused', value, after.text] as const)
      : []),
    ...(isCompatible('response')
      ? unexpected.map((value) => ['unexpected', value, after.text] as const)
      : []),
  ];
}

const texts = [...new Set(SCHEMAS.flatMap(([, before, after]) => [before, after]))];
const cases = texts.map(caseOf);

describe.each(isTestAll ? cases : cases.filter((_, at) => at % 16 === 0))(
  'a contract with $text',
  (before) => {
    it('is never reported as compatible with a contract that invalidates its values', () => {
      expect(cases.flatMap((after) => unsound(before, after))).toEqual([]);
    });
  },
);

describe('contracts with composed schemas', () => {
  const ONLY_OUTSIDE = /nullable|exclusiveM\w+: true|oneOf|readOnly|writeOnly/;
  const leaf = fc.constantFrom(...texts.filter((text) => !ONLY_OUTSIDE.test(text)));
  const { schema } = fc.letrec<{ schema: string }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 2 },
      leaf,
      fc.tuple(tie('schema'), tie('schema')).map(([a, b]) => `{allOf: [${a}, ${b}]}`),
      fc.tuple(tie('schema'), tie('schema')).map(([a, b]) => `{anyOf: [${a}, ${b}]}`),
      tie('schema').map((a) => `{not: ${a}}`),
      tie('schema').map((a) => `{type: array, items: ${a}}`),
      tie('schema').map(
        (a) => `{type: object, properties: {a: ${a}}, additionalProperties: false}`,
      ),
    ),
  }));
  /** Edits built from the same two schemas. */
  const edits: readonly ((a: string, b: string) => readonly [string, string])[] = [
    (a, b) => [a, b],
    (a, b) => [a, `{allOf: [${a}, ${b}]}`],
    (a, b) => [`{anyOf: [${a}, ${b}]}`, a],
    (a, b) => [a, `{oneOf: [${a}, ${b}]}`],
    (a, b) => [`{not: ${a}}`, `{not: ${b}}`],
    (a, b) => [`{type: array, items: ${a}}`, `{type: array, items: ${b}}`],
  ];

  it('are never reported as compatible if values become invalid', () => {
    fc.assert(
      fc.property(schema, schema, fc.constantFrom(...edits), (a, b, edit) => {
        const [before, after] = edit(a, b).map(caseOf) as [Case, Case];
        expect(unsound(before, after)).toEqual([]);
      }),
      { numRuns: runs(300), seed: 5 },
    );
  }, 600_000);
});
