// Writes which schemas imply which, and how severe each change is, as text: `make transcripts`.
import { writeFileSync } from 'node:fs';
import { Contract, type Schema, SchemaModel, stringifyJson } from '@stubwright/contract';
import { neighbours, SCHEMA_VARIANTS } from '@stubwright/test-support/contractVariants';
import { EXCLUSIVE, PROBES } from '@stubwright/test-support/keywordProbes';
import { changesBetween } from '../src/contract/changes.ts';
import { boundaryValues } from '../src/counterexample/boundaryValues.ts';
import { implies } from '../src/schema/implication.ts';
import { inBothDirections } from './reportedChanges.ts';
import { ofSchema } from './rulesPage.ts';
import { nodeOf } from './toyContract.ts';

export const SCHEMA_PAIRS = 'packages/diff/test/schemaPairs.txt';

/** Schemas of which some imply others. */
const OWN = [
  ...['{}', 'true', 'false', '{not: {}}', "{type: 'null'}", '{type: boolean}', '{type: array}'],
  ...['{minimum: 2}', '{minimum: 3}', '{exclusiveMinimum: 2}', '{exclusiveMinimum: 3}'],
  ...['{maximum: 2}', '{maximum: 3}', '{exclusiveMaximum: 3}', '{exclusiveMaximum: 2}'],
  ...['{type: integer, minimum: 2, maximum: 3}', '{enum: [2, 3]}', '{enum: [3, 2, 4]}'],
  ...['{type: integer, exclusiveMinimum: 1, exclusiveMaximum: 4}', '{type: integer, minimum: 1.5}'],
  ...['{minLength: 2}', '{minLength: 3}', '{maxLength: 2}', '{maxLength: 3}', '{maxLength: 0}'],
  ...['{type: string, minLength: 2, maxLength: 2}', '{enum: [ab, abc]}', "{enum: ['', ab]}"],
  ...['{minItems: 1}', '{minItems: 2}', '{maxItems: 1}', '{maxItems: 2}', '{enum: [[], [1]]}'],
  ...['{minProperties: 1}', '{minProperties: 2}', '{maxProperties: 1}', '{maxProperties: 2}'],
  ...['{required: [a]}', '{required: [b]}', '{required: [a, b]}', '{dependentRequired: {a: [b]}}'],
  ...['{properties: {a: {type: string}}}', '{properties: {a: {enum: [ab]}}}'],
  ...[
    '{properties: {a: false}}',
    '{not: {required: [a]}}',
    '{required: [a], properties: {a: {minimum: 2}}}',
  ],
  ...['{required: [a], properties: {a: {minimum: 3}}}', '{properties: {a: {required: [b]}}}'],
  ...['{additionalProperties: false, properties: {a: {}}}', '{additionalProperties: false}'],
  ...['{additionalProperties: false, properties: {a: {}, b: {}}}', '{propertyNames: {enum: [a]}}'],
  ...['{anyOf: [{type: string}, {type: integer}]}', '{oneOf: [{type: string}, {type: integer}]}'],
  ...['{type: [string, integer]}', '{type: [string, number]}', '{type: [string, object]}'],
  ...['{anyOf: [{required: [a]}, {required: [b]}]}', '{oneOf: [{required: [a]}, {required: [b]}]}'],
  ...['{allOf: [{required: [a]}, {required: [b]}]}', '{allOf: [{minimum: 2}, {maximum: 3}]}'],
  ...['{if: {required: [a]}, then: {required: [b]}, else: {required: [c]}}', '{required: [c]}'],
  ...[
    '{if: {required: [a]}, then: {required: [b]}}',
    '{if: {required: [a]}, else: {required: [b]}}',
  ],
  ...[
    '{dependentSchemas: {a: {required: [b]}}}',
    '{not: {required: [a, b]}}',
    '{not: {minimum: 2}}',
  ],
  ...['{not: {not: {minimum: 2}}}', '{not: {anyOf: [{type: string}, {type: integer}]}}'],
  ...[
    "{type: string, pattern: '^a'}",
    "{type: string, pattern: '^ab'}",
    "{type: string, pattern: '^a{2,3}$'}",
  ],
  ...[
    "{type: string, pattern: '^[a-c]+$'}",
    "{type: string, pattern: '^[a-z]+$'}",
    '{type: string}',
  ],
  ...['{type: string, format: date}', '{type: string, format: uuid, minLength: 36}'],
  ...['{type: array, items: {minimum: 2}}', '{type: array, items: {minimum: 3}}'],
  ...[
    '{type: array, uniqueItems: true}',
    '{type: array, items: false}',
    '{type: array, maxItems: 0}',
  ],
  ...['{type: integer, multipleOf: 4}', '{type: integer, multipleOf: 6}', '{multipleOf: 0.5}'],
  ...['{type: number, not: {multipleOf: 1}}', '{type: number, not: {type: integer}}'],
  ...[
    "{additionalProperties: false, properties: {id: {}}, patternProperties: {'^x-': {}}}",
    "{properties: {id: {}}, propertyNames: {pattern: '^(id$|x-)'}}",
    "{properties: {id: {}}, propertyNames: {pattern: '^(id|x-)'}}",
    "{propertyNames: {pattern: '^(a|b)$'}}",
  ],
];

/** With keywords that OpenAPI 3.0 has only. */
const OWN_30 = [
  ...['{type: integer}', '{type: integer, nullable: true}', '{nullable: true}', '{enum: [null]}'],
  ...[
    '{type: string, nullable: true, enum: [a]}',
    '{type: string, nullable: true, enum: [a, null]}',
  ],
  ...['{type: string, enum: [a]}', '{type: string}', '{type: string, nullable: true}'],
  ...['{type: integer, minimum: 2, exclusiveMinimum: true}', '{type: integer, minimum: 3}'],
  ...['{type: number, minimum: 2, exclusiveMinimum: true}', '{type: number, minimum: 2}'],
  ...['{type: number, maximum: 2, exclusiveMaximum: true}', '{type: number, maximum: 2}'],
  ...['{allOf: [{type: integer}], nullable: true}', '{oneOf: [{type: integer}], nullable: true}'],
  ...['{type: object, nullable: true, required: [a]}', '{type: object, required: [a]}'],
  ...['{type: object, properties: {a: {type: string, nullable: true}}}'],
  ...['{type: object, properties: {a: {type: string}}}', '{}'],
];

/** With limits of numbers and texts. */
const BOUNDED = [
  ...[
    '{}',
    '{const: 1, enum: [2, a], examples: [3], example: 4, default: 5}',
    '{type: integer, format: int64}',
  ],
  ...['{minimum: 2, exclusiveMaximum: 2.5}', '{exclusiveMinimum: 9007199254740993, multipleOf: 7}'],
  ...[
    '{maximum: 1, multipleOf: 0.1}',
    '{minLength: 0, maxLength: 2}',
    "{minLength: 3, pattern: '^[a-c]+$'}",
  ],
  ...['{maxLength: 5000}', '{type: string, format: date}'],
];

const OTHERS = {
  S: { $defs: { t: { type: 'integer' } } },
  ...{ T: { type: 'integer' }, O: {}, Toy: {}, Game: { minProperties: 1 } },
};
const SCHEMAS: readonly unknown[] = [
  ...OWN.map(nodeOf),
  ...Object.values(PROBES).map(([schema]) => schema),
  ...Object.values(EXCLUSIVE).map(([, [schema]]) => schema),
  ...SCHEMA_VARIANTS.map(nodeOf),
];

/** One contract with all schemas, for each version. */
function definitionOf(openapi: string, schemas: readonly unknown[]): Contract {
  const own = schemas.map((each, at) => [`A${at}`, each] as const);
  return new Contract({
    openapi,
    components: { schemas: { ...Object.fromEntries(own), ...OTHERS } },
  });
}

interface Implied {
  readonly definition: Contract;
  /** All schemas, with those that each implies. */
  readonly implied: readonly (readonly [Schema, readonly Schema[]])[];
}

function impliedIn(openapi: string, listed: readonly unknown[]): Implied {
  const definition = definitionOf(openapi, listed);
  const model = SchemaModel.of(definition);
  const schemas = listed.map((_, at) => model.at(`/components/schemas/A${at}`)!);
  const implied = schemas.map(
    (each) => [each, schemas.filter((other) => implies([each], [other]))] as const,
  );
  return { definition, implied };
}

export const IMPLIED = [impliedIn('3.1.0', SCHEMAS), impliedIn('3.0.3', OWN_30.map(nodeOf))];

/** @returns the schemas that each implies, and the changes between each and the next one */
export function schemaPairs(): string {
  const implications = IMPLIED.flatMap(({ implied }) => {
    const numbers = new Map(implied.map(([schema], at) => [schema, at]));
    return implied.map(([schema, others], at) => {
      const list = others.map((each) => numbers.get(each)).join(' ');
      return `${at}  ${stringifyJson(schema.written)}: ${list}\n`;
    });
  });
  const changes = [...changesOf('3.1.0', OWN), ...changesOf('3.0.3', OWN_30)];
  return [...implications, ...changes, ...boundaries()].join('');
}

/** @returns values at the limits of schemas, long texts by their length */
function boundaries(): string[] {
  return BOUNDED.map((text) => {
    const schemas = [
      SchemaModel.of(definitionOf('3.1.0', [nodeOf(text)])).at('/components/schemas/A0')!,
    ];
    const values = Array.from(boundaryValues(schemas, 'seed'), (each) => {
      const isLong = typeof each === 'string' && each.length > 100;
      return isLong ? `${each.length} characters` : stringifyJson(each);
    });
    return `${text}: ${[...new Set(values)].join(' ')}\n`;
  });
}

function changesOf(openapi: string, schemas: readonly string[]): string[] {
  return [...neighbours(schemas)].map(([before, after]) => {
    const findings = (direction: 'request' | 'response') => {
      const [was, is] = [before, after].map((each) => ({
        definition: new Contract({ ...ofSchema(each, direction), openapi }),
      }));
      return changesBetween(was!, is!).map(({ severity, rule }) => [rule, severity] as const);
    };
    const both = { request: findings('request'), response: findings('response') };
    return `${before} -> ${after}: ${inBothDirections(both).join(', ')}\n`;
  });
}

if (import.meta.main) writeFileSync(SCHEMA_PAIRS, schemaPairs());
