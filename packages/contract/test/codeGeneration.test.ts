// The generated test of a schema returns the same as its rules.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node, onceFor, type Schema, SchemaModel } from '@stubwright/contract';
import fc from 'fast-check';
import { Evaluation } from '../src/schema/evaluation.ts';
import { NO_CONTEXT, SchemaCompiler } from '../src/schema/rules/compile.ts';
import { CALLS_BEFORE_GENERATION, generateTest, type Rule } from '../src/schema/rules/rule.ts';
import { Validators } from '../src/schema/validator.ts';

/** Names that break out of a string, or that every object inherits. */
const NAMES = [
  ...['a', 'b', 'id', '__proto__', 'constructor', 'toString', 'value', 'evaluation', 'c0', 'v0'],
  ...['"', "'", '`', '\\', '"];throw c0;//', '*/', '\n', '\u2028', '\ud800', ''],
];
const name = fc.constantFrom(...NAMES);
type JsonSchema = Node | boolean;

/** @param targets of the references, by name @returns the rule of a schema */
function ruleOf(root: JsonSchema, targets: Readonly<Record<string, JsonSchema>> = {}): Rule {
  const document = { openapi: '3.1.0', components: { schemas: { Root: root, ...targets } } };
  const model = SchemaModel.of(new Contract(document));
  const compiled = onceFor((schema: Schema): Rule => compiler.compile(schema, NO_CONTEXT));
  const compiler = new SchemaCompiler('request', (target) => () => compiled(target));
  return compiled(model.at('/components/schemas/Root')!);
}

const REFERENCES = ['A', 'B', 'C'].map((target) => ({ $ref: `#/components/schemas/${target}` }));

const { schema } = fc.letrec<{ schema: JsonSchema; object: JsonSchema }>((tie) => {
  const names = fc.uniqueArray(name, { maxLength: 4 });
  const map = fc
    .array(fc.tuple(name, tie('schema')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));
  return {
    object: fc.record(
      {
        type: fc.constantFrom(['object'], ['object', 'string'], ['object', 'array', 'null']),
        required: names,
        properties: map,
        patternProperties: fc
          .tuple(fc.constantFrom('^a', '^[a-z]+$', 'o'), tie('schema'))
          .map((entry) => Object.fromEntries([entry])),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        propertyNames: fc.constant({ maxLength: 8 }),
        minProperties: fc.nat(2),
        maxProperties: fc.nat(4),
        dependentRequired: fc.tuple(name, names).map((entry) => Object.fromEntries([entry])),
        dependentSchemas: map,
        unevaluatedProperties: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.boolean(),
      fc.constantFrom<JsonSchema>(
        { type: ['string'], pattern: '^[a-z"]*$', minLength: 1 },
        { type: ['string', 'null'], maxLength: 2 },
        { type: 'integer', format: 'int32', minimum: 0 },
        { type: ['integer', 'string'] },
        { enum: [1, 'a', null, { a: 1 }] },
        { type: ['boolean'] },
      ),
      tie('object'),
      fc.constantFrom(...REFERENCES),
      fc.constantFrom(...REFERENCES).map((reference) => ({ type: ['object'], ...reference })),
      fc.record(
        {
          type: fc.constant(['array']),
          prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
          items: tie('schema'),
          minItems: fc.nat(2),
          maxItems: fc.nat(3),
          contains: tie('schema'),
          uniqueItems: fc.boolean(),
          unevaluatedItems: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
      fc.array(tie('schema'), { maxLength: 3 }).map((allOf) => ({ allOf })),
      fc.array(tie('schema'), { maxLength: 3 }).map((anyOf) => ({ anyOf })),
      fc.array(tie('schema'), { maxLength: 3 }).map((oneOf) => ({ oneOf })),
      tie('schema').map((not) => ({ not })),
      fc.tuple(tie('schema'), tie('schema')).map(([first, then]) => ({ if: first, then })),
    ),
  };
});

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, 1, -1, 1.5, 2 ** 40, 5n, -5n, undefined),
    fc.constantFrom('', 'a', 'abc', 'A', '\ud83c\udf31'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map(Object.fromEntries),
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 4 })
      .map((entries) => Object.assign(Object.create(null), Object.fromEntries(entries))),
    // Inherited properties do not count.
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 2 })
      .map((entries) => Object.create(Object.fromEntries(entries))),
  ),
}));

/** A schema that refers to itself for the same value has no result: both recurse without end. */
function resultOf(test: () => boolean): boolean | 'too deep' {
  try {
    return test();
  } catch (error) {
    if (error instanceof RangeError) return 'too deep';
    throw error;
  }
}

const runs = process.env['ALL_TESTS'] ? 2_000 : 300;

describe('a generated test', () => {
  it('returns the same as the rules of the schema, in the same number of steps', () => {
    const targets = fc.tuple(schema, schema, schema);
    const values = fc.array(value, { minLength: 1, maxLength: 12 });
    const property = fc.property(schema, targets, values, (root, [A, B, C], samples) => {
      const rule = ruleOf(root, { A, B, C });
      const generated = generateTest(rule)!;
      for (const sample of samples) {
        const [first, second] = [new Evaluation(sample), new Evaluation(sample)];
        const expected = resultOf(() => rule.test(sample, first));
        expect(resultOf(() => generated(sample, second))).toBe(expected);
        if (expected !== 'too deep') expect(second.steps).toBe(first.steps);
      }
    });
    fc.assert(property, { numRuns: runs });
  });

  it('calls the rules of a schema that is too long to generate', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [`p${at}`, { type: ['object'], properties: {} }]),
    );
    const rule = ruleOf({ type: ['object'], properties });
    const generated = generateTest(rule)!;
    const evaluation = new Evaluation({});
    expect(generated({ p0: {}, p1999: {} }, evaluation)).toBe(true);
    expect(generated({ p0: 1 }, evaluation)).toBe(false);
    expect(generated({ p1999: 1 }, evaluation)).toBe(false);
    expect(generated.toString().length).toBeLessThan(1_000);
  });

  it('replaces the rules of a schema that is used often', () => {
    const Part = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
    const document = { openapi: '3.1.0', components: { schemas: { Part } } };
    const definition = new Contract(document);
    const validate = new Validators(definition, 'request').at('/components/schemas/Part');
    for (let call = 0; call < 2 * CALLS_BEFORE_GENERATION; call++) {
      expect([validate({ id: call }), validate({ id: `${call}` }), validate([])]).toEqual([
        ...[true, false, false],
      ]);
    }
  });
});

describe('node --disallow-code-generation-from-strings', () => {
  it('serves a contract with the same bytes as without', async () => {
    const program = fileURLToPath(
      import.meta.resolve('@stubwright/test-support/withoutCodeGeneration'),
    );
    for (const flags of [['--disallow-code-generation-from-strings'], []]) {
      const args = [...flags, '--no-warnings', program, String(CALLS_BEFORE_GENERATION)];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      expect(JSON.parse(stdout)).toEqual({
        valid: [200, '{"id":1}'],
        invalid: 400,
        swapped: ['{"name":"x","any":200,"id":1}', '{"id":1,"name":"x"}'],
      });
    }
  });
});
