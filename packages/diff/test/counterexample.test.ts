// Generated contracts: no severity below breaking has a counterexample, and equivalent contracts are compatible.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Operation } from '@stubwright/contract';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { parse } from 'yaml';
import { changesBetween } from '../src/contract/changes.ts';
import { reportOf } from '../src/report/report.ts';
import type { Change } from '../src/rules/rules.ts';
import type { Severity } from '../src/rules/severity.ts';
import { asVersion30, extracted, FORMS, versionFree } from './equivalentForms.ts';
import { contractOf, edits, everywhere, type Json, schemas } from './generatedSchemas.ts';
import { SCHEMAS } from './pairs.ts';
import { TriedValues } from './triedValues.ts';

const RUNS = isTestAll ? 50 : 10;
const EQUIVALENT_RUNS = isTestAll ? 50 : 8;
const SAMPLES = isTestAll ? 300 : 100;

const DIRECTIONS = ['request', 'response'] as const;

type Direction = (typeof DIRECTIONS)[number];

interface Compared {
  readonly definition: Contract;
}

function contract(document: Json): Compared {
  return { definition: new Contract(document) };
}

/** Without changes of the whole contract, such as the name of a component. */
function severityOf(before: Compared, after: Compared, direction: Direction): Severity | 'equal' {
  const changes = changesBetween(before, after);
  return changes.find(({ part }) => part.startsWith(direction))?.severity ?? 'equal';
}

/** @returns the body of the only operation */
function bodyOf({ definition }: Compared, direction: Direction) {
  const [{ request, responses }] = definition.operations as [Operation];
  const contents = direction === 'request' ? request : responses.success!.contents;
  return { name: 'application/json', value: contents.get('application/json')! };
}

/** @returns a value that one contract allows and the other refuses, with samples of another seed */
function counterexampleOf(before: Compared, after: Compared, direction: Direction): unknown {
  const [was, is] = [before, after].map((each) => [bodyOf(each, direction).value.schema!]);
  const values = new TriedValues(before.definition, after.definition, direction);
  for (const { value, refusal } of values.at({ before: was!, after: is! }, SAMPLES)) {
    if (refusal !== undefined) return value;
  }
  return undefined;
}

describe('a change that a value proves breaking', () => {
  const oneOrOther = (keyword: 'anyOf' | 'oneOf'): Json => ({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    [keyword]: [{ required: ['a'] }, { required: ['b'] }],
  });
  const before = contract(contractOf(oneOrOther('anyOf')));
  const after = contract(contractOf(oneOrOther('oneOf')));
  const inPart = (changes: Change[], part: string) => changes.filter((each) => each.part === part);

  it('is reported with the value and the error', () => {
    const [change] = inPart(changesBetween(before, after), 'request body');
    expect(change).toMatchObject({ severity: 'breaking' });
    expect(Object.keys(JSON.parse(change!.example!.value))).toEqual(['b', 'a']);
    expect(change!.example!.error).toBe('expected to match exactly one schema in oneOf');
    const position = { file: 'a.yaml', line: 1, column: 1 };
    const locations = { at: () => 'a.yaml:1:1', position: () => position };
    expect(reportOf([change!], { before: locations, after: locations })).toMatch(
      /^ {12}example: \{"b":.*\} is refused: expected to match exactly one/m,
    );
  });

  it('stays risky in the direction without a counterexample', () => {
    const text = (pattern: string) => contract(contractOf({ type: 'string', pattern }));
    // No automaton decides back references.
    const changes = changesBetween(text('^([a-z]+)\\1$'), text('^([a-y]+)\\1$'));
    expect(inPart(changes, 'request body')).toMatchObject([{ severity: 'breaking' }]);
    expect(inPart(changes, 'response 200')).toMatchObject([{ severity: 'risky' }]);
  });

  it('has an example in each branch of a response', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const branches = (values: string[]) => ({
      oneOf: names.map((name) => ({
        type: 'object',
        required: ['kind'],
        properties: {
          kind: { enum: [name] },
          value: { enum: values.map((value) => value + name) },
        },
      })),
    });
    const envelope = (values: string[]) =>
      contract(contractOf({ type: 'object', properties: { result: branches(values) } }));
    const changes = changesBetween(envelope(['old']), envelope(['old', 'new']));
    const added = changes.filter(({ rule }) => rule === 'response-enum-value-added');
    expect(added).toHaveLength(names.length);
    for (const [at, name] of names.entries()) {
      expect(JSON.parse(added[at]!.example!.value)).toEqual({
        result: { kind: name, value: `new${name}` },
      });
    }
  });

  it('is the smallest one, and none of another change', () => {
    const closed = (properties: Json) =>
      contract(contractOf({ type: 'object', properties, additionalProperties: false }));
    const text = { type: 'string' };
    const changes = changesBetween(
      closed({ a: text, b: { ...text, maxLength: 3 }, c: text }),
      closed({ b: { ...text, maxLength: 4 }, c: text, d: text }),
    );
    const examples = changes.map(({ rule, example }) => [
      rule,
      example && JSON.parse(example.value),
    ]);
    expect(Object.fromEntries(examples)).toMatchObject({
      'response-property-removed': undefined,
      'response-max-length-widened': { b: 'aaaa' },
      'response-property-added': { d: '' },
    });
  });

  it('is refused for its own change, beside others of the same body', () => {
    const book = (minLength: number, formats: string[]) => {
      const branch = (kind: string, own: Json) => ({
        type: 'object',
        required: ['kind'],
        properties: { kind: { const: kind }, ...own },
      });
      const form = [branch('paper', { grams: { type: 'number' } })];
      return contract(
        contractOf({
          type: 'object',
          required: ['title'],
          properties: {
            title: { type: 'string', minLength },
            form: { oneOf: [...form, branch('ebook', { format: { enum: formats } })] },
          },
        }),
      );
    };
    const changes = changesBetween(book(1, ['epub', 'pdf']), book(2, ['epub']));
    const [title, format] = ['request-min-length-narrowed', 'request-enum-value-removed'].map(
      (name) => changes.find(({ rule }) => rule === name)!.example,
    );
    expect(title!.error).toBe('/title expected to NOT have fewer than 2 characters');
    expect(JSON.parse(format!.value).form).toEqual({ kind: 'ebook', format: 'pdf' });
    expect(format!.error).toBe('/form/format expected "epub"');
  });

  it('is refused for its own change in each labelled pair, beside another one', () => {
    const body = (schema: string, minLength: number) => ({
      type: 'object',
      required: ['beside'],
      properties: { own: parse(schema), beside: { type: 'string', minLength } },
    });
    const rows = SCHEMAS.filter(([, ...texts]) => !texts.join().includes('$ref'));
    const examples = rows.flatMap(([what, was, is]) => {
      const [before, after] = [
        contract(contractOf(body(was, 1))),
        contract(contractOf(body(is, 2))),
      ];
      return changesBetween(before, after)
        .filter(({ part, example }) => part.startsWith('request body /own') && example)
        .map(({ example }) => ({ what, ...example! }));
    });
    expect(examples.length).toBeGreaterThan(rows.length / 3);
    expect(
      examples.filter(({ error }) => !/^\/own\b/.test(error) || error.includes('/beside')),
    ).toEqual([]);
  });

  it('costs none of the values for properties that rules allow', () => {
    const names = Array.from({ length: 20 }, (_, at) => `added${at}`);
    const object = (added: string[], values: string[]) =>
      contract(
        contractOf({
          type: 'object',
          properties: {
            ...Object.fromEntries(added.map((name) => [name, { type: 'integer', minimum: 1 }])),
            inner: { type: 'object', properties: { last: { enum: values } } },
          },
        }),
      );
    const [before, after] = [object([], ['a']), object(names, ['a', 'b'])];
    const changes = changesBetween(before, after, { maxValues: 20 });
    const [change] = changes.filter(({ rule }) => rule === 'response-enum-value-added');
    expect(change!.example!.value).toBe('{"inner":{"last":"b"}}');
  });

  it('takes few of the values for a change that no rule calls breaking', () => {
    const names = Array.from({ length: 20 }, (_, at) => `p${at}`);
    const any = { type: ['integer', 'string', 'null', 'boolean'] };
    // No automaton decides back references; no value shows the first one in a response.
    const object = (first: string, last: string) => {
      const not = { properties: { id: { type: 'string', pattern: first } } };
      const properties = Object.fromEntries(names.map((name) => [name, any]));
      const text = { type: 'string', pattern: last };
      return contract(
        contractOf({ type: 'object', properties: { first: { not, properties }, last: text } }),
      );
    };
    const [wide, narrow] = ['^([a-z]+)\\1$', '^([a-y]+)\\1$'];
    const changes = changesBetween(object(wide, narrow), object(narrow, wide), { maxValues: 130 });
    expect(inPart(changes, 'response 200 /first(not)/id')).toMatchObject([{ severity: 'risky' }]);
    const example = { value: expect.stringContaining('"last"') };
    expect(inPart(changes, 'response 200 /last')).toMatchObject([
      { severity: 'breaking', example },
    ]);
  });

  it('is found where two alternatives refuse it together', () => {
    const numbers = (minimum: number) =>
      contract(
        contractOf({
          oneOf: [
            { type: 'integer', minimum },
            { type: 'integer', maximum: 5 },
          ],
        }),
      );
    const [change] = inPart(changesBetween(numbers(10), numbers(4)), 'request body');
    const example = expect.objectContaining({ value: '4' });
    expect(change).toMatchObject({ severity: 'breaking', by: 'samples', example });
  });

  it('has the same example in every run', () => {
    expect(changesBetween(before, after)).toEqual(changesBetween(before, after));
  });
});

describe('values that are transmitted as text', () => {
  const query = (schema: Json) => {
    const parameters = [{ in: 'query', name: 'limit', schema }];
    const responses = { 200: { description: 'a toy' } };
    return contract({ ...contractOf({}), paths: { '/toys': { get: { parameters, responses } } } });
  };
  it.each([
    ['integer', 'string', undefined],
    ['string', 'integer', expect.any(String)],
  ])('are compared as they are read: %s to %s', (was, is, value) => {
    const [before, after] = [query({ type: was }), query({ type: is })];
    const [change] = changesBetween(before, after);
    expect(change?.example?.value).toEqual(value);
  });
});

describe('a generated schema and an edit of it', () => {
  const pairs = fc.tuple(schemas, edits).map(([schema, edit]) => [schema, edit(schema)] as const);

  it.each(DIRECTIONS)(
    'have no %s below breaking with a counterexample',
    (direction) => {
      fc.assert(
        fc.property(pairs, (pair) => {
          const [before, after] = pair.map((each) => contract(contractOf(each)));
          if (severityOf(before!, after!, direction) === 'breaking') return;
          expect(counterexampleOf(before!, after!, direction)).toBeUndefined();
        }),
        { numRuns: RUNS, seed: 17, endOnFailure: true },
      );
    },
    900_000,
  );
});

/** Neither a contract nor its equivalent has a change above compatible in its schemas. */
function expectEquivalent(before: Compared, after: Compared): void {
  const changes = [...changesBetween(before, after), ...changesBetween(after, before)];
  const inSchemas = changes.filter(({ part }) => part !== '');
  expect(inSchemas.filter(({ severity }) => severity !== 'compatible')).toEqual([]);
}

describe('an equivalent contract', () => {
  const testForm = (_: string, form: (schema: Json) => Json) => {
    fc.assert(
      fc.property(schemas, (schema) => {
        expectEquivalent(
          contract(contractOf(schema)),
          contract(contractOf(everywhere(schema, form))),
        );
      }),
      { numRuns: EQUIVALENT_RUNS, seed: 19, endOnFailure: true },
    );
  };

  it.each(FORMS)('is compatible with %s', testForm, 900_000);

  it('is compatible with extracted, renamed and inlined components', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        const [inlined, one, other] = [
          contractOf(schema),
          extracted(schema, 'Part'),
          extracted(schema, 'Piece'),
        ].map(contract);
        expectEquivalent(inlined!, one!);
        expectEquivalent(one!, other!);
      }),
      { numRuns: EQUIVALENT_RUNS, seed: 20, endOnFailure: true },
    );
  }, 900_000);

  it('is compatible in OpenAPI 3.0 with nullable and boolean exclusive bounds', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        const plain = everywhere(schema, versionFree);
        const older = everywhere(plain, asVersion30);
        expectEquivalent(contract(contractOf(older, {}, '3.0.3')), contract(contractOf(plain)));
      }),
      { numRuns: EQUIVALENT_RUNS, seed: 21, endOnFailure: true },
    );
  }, 900_000);
});
