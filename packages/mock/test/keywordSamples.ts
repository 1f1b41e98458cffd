// Writes samples of schemas with each keyword, as text: `make transcripts`.
import { writeFileSync } from 'node:fs';
import { parseText } from '@stubwright/cli/editor';
import { Contract, type Node, SchemaModel, stringifyJson } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { NoSample, Samples } from '@stubwright/mock/samples';
import { SCHEMA_VARIANTS } from '@stubwright/test-support/contractVariants';
import { EXCLUSIVE, PROBES } from '@stubwright/test-support/keywordProbes';
import { TOYS, type Toy } from './toys.ts';

export const KEYWORD_SAMPLES = 'packages/mock/test/keywordSamples.txt';

const SEEDS = ['example', '1', '2', '3', '4'];
const FORMATS = [
  ...['date', 'time', 'date-time', 'duration', 'uri', 'uri-reference', 'uri-template', 'email'],
  ...['hostname', 'ipv4', 'ipv6', 'regex', 'uuid', 'json-pointer', 'relative-json-pointer'],
  ...['byte', 'base64url', 'binary', 'password', 'idn-email', 'iri', 'color'],
];
const NAMES = [
  ...[
    'id',
    'email',
    'phone',
    'url',
    'city',
    'country',
    'currency',
    'language',
    'name',
    'firstName',
  ],
  ...['createdAt', 'zip', 'street', 'description', 'version', 'token', 'color', 'status', 'slug'],
  ...['username', 'title', 'ip', 'timezone', 'price', 'count', 'latitude', 'avatar_url', 'userId'],
];
const OWN: readonly Node[] = [
  ...FORMATS.map((format) => ({ type: 'string', format })),
  ...[
    '^[a-z]{2,4}-\\d+$',
    '^(?:ab|cd)*$',
    '[^a-f]',
    '^\\w+@\\S{3}$',
    '^\\p{Lu}\\p{Ll}+$',
    'a|b',
    ...['^[à-ÿ]{3}$', '^\\p{Script=Greek}+$', '^[\\u{1F600}-\\u{1F610}]{2}$', '^[^\\w\\s]{4}$'],
    ...[
      '^(a|bc)(?:\\1|d)$',
      '^(?<y>\\d)-\\k<y>$',
      '^(?=.*\\d)(?=.*[a-z]).{6,}$',
      '^(?!ab)[ab]{2}$',
    ],
    ...[
      '^.{3,5}?$',
      '^a?b*c+$',
      '^\\d{2,}$',
      'x{3}',
      '^$',
      '^\\s$',
      '\\bword\\b',
      '^[\\ud800-\\ue001]$',
    ],
    ...['(?<=a)b', '(?<!a)b$', '^[A-Z]{2}\\d{6}[A-D]?$', '^\\+[1-9]\\d{1,14}$', '^#[0-9a-f]{6}$'],
  ].map((pattern) => ({ type: 'string', pattern })),
  { type: 'string', format: 'date', pattern: '^2', maxLength: 10 },
  { type: 'string', pattern: '^[a-z]+$', minLength: 30, maxLength: 31 },
  { type: 'string', pattern: '^a', minLength: 20 },
  { type: 'string', pattern: 'a$', minLength: 20 },
  ...[
    ...['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'],
    ...[
      ['null', 'array'],
      ['string', 'number'],
    ],
  ].map((type) => ({ type, examples: [1.5, [], {}, 'a', null, true, 2, 2n ** 63n], default: 7 })),
  { type: 'string', minLength: 70, maxLength: 72 },
  { type: 'number', minimum: 0.25, exclusiveMaximum: 0.75, multipleOf: 0.25 },
  { type: 'number', exclusiveMinimum: -2, maximum: -1 },
  { type: 'integer', format: 'int64', minimum: 9007199254740993n, multipleOf: 3 },
  { type: 'array', minItems: 2, maxItems: 3, uniqueItems: true, items: { enum: [1, 2, 3] } },
  { type: 'array', minItems: 9, maxItems: 9, items: { type: 'boolean' } },
  { type: 'object', minProperties: 3, additionalProperties: { type: 'integer', maximum: 5 } },
  {
    type: 'object',
    required: NAMES,
    properties: Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }])),
  },
  {
    type: 'object',
    required: NAMES,
    properties: Object.fromEntries(NAMES.map((name) => [name, { type: 'integer' }])),
  },
];

const OTHERS = {
  ...{ T: { type: 'integer' }, O: { type: 'object', required: ['x'] } },
  ...{ Toy: {}, Game: { minProperties: 1 } },
};

/** @returns the samples of each schema */
export function keywordSamples(): string {
  const probes = [...Object.values(PROBES), ...Object.values(EXCLUSIVE).map(([, each]) => each)];
  const variants = SCHEMA_VARIANTS.map((text) => (parseText(text, false) as { value: Node }).value);
  const schemas = [...probes.map(([schema]) => schema), ...variants, ...OWN];
  const lines = new Set([
    ...schemas.map((S) => samplesText(S, { S, ...OTHERS })),
    ...TOYS.map(([, It, toy]) => samplesText(It, { It, ...toy?.schemas }, toy)),
  ]);
  return `${[...lines].join('\n')}\n`;
}

function samplesText(schema: unknown, schemas: Node, toy: Toy = {}): string {
  const { openapi = '3.1.0', direction = 'request' } = toy;
  const contract = new Contract({ openapi, components: { schemas } });
  const samples = new Samples(new Validators(contract, direction));
  const pointer = `/components/schemas/${Object.keys(schemas)[0]}`;
  const found = SEEDS.map((seed) => sampleText(samples, pointer, seed));
  const model = SchemaModel.of(contract).at(pointer);
  const least = model && stringifyJson(samples.least(model, {}));
  if (least !== undefined) found.push(`least: ${least}`);
  return `${stringifyJson(schema)}: ${[...new Set(found)].join(' | ')}`;
}

function sampleText(samples: Samples, pointer: string, seed: string): string {
  try {
    return stringifyJson(samples.at(pointer, seed)) ?? 'none';
  } catch (error) {
    if (error instanceof NoSample) return error.message;
    throw error;
  }
}

if (import.meta.main) writeFileSync(KEYWORD_SAMPLES, keywordSamples());
