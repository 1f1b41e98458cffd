// Writes how parameters of each style, and fields of forms, are written and read, as text: `make transcripts`.
import { writeFileSync } from 'node:fs';
import { Contract, type Node, Parameter, stringifyJson } from '@stubwright/contract';
import { NotSerializable } from '../src/json/json.ts';
import { formFieldsOf, readForm } from '../src/media/form.ts';
import { newParameterValues } from '../src/media/styles/parameter.ts';
import { Parameters } from '../src/media/styles/parameters.ts';
import { writeParameter } from '../src/media/writeForm.ts';
import type { Serialization } from '../src/operations/describedValues.ts';
import { Coercions } from '../src/schema/coercion.ts';
import { Validators } from '../src/schema/validator.ts';

export const STYLE_READINGS = 'packages/contract/test/styleReadings.txt';

const STYLES: readonly (readonly [where: string, style: string, explode: boolean])[] = [
  ['path', 'simple', false],
  ['path', 'simple', true],
  ['path', 'label', false],
  ['path', 'label', true],
  ['path', 'matrix', false],
  ['path', 'matrix', true],
  ['header', 'simple', false],
  ['header', 'simple', true],
  ['query', 'form', false],
  ['query', 'form', true],
  ['query', 'spaceDelimited', false],
  ['query', 'pipeDelimited', false],
  ['query', 'deepObject', true],
  ['cookie', 'form', true],
  ['cookie', 'cookie', true],
];

const OBJECT = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } } };
const SCHEMAS: readonly (Node | undefined)[] = [
  undefined,
  { type: 'string' },
  { type: 'integer', default: 7 },
  { type: ['boolean', 'null'] },
  { type: 'array', items: { type: 'integer' } },
  { type: 'array', prefixItems: [{ type: 'boolean' }], items: { type: ['string', 'number'] } },
  OBJECT,
  { type: 'object', additionalProperties: { type: 'array', items: { type: 'integer' } } },
  { oneOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }, OBJECT] },
];
const SPLIT: readonly (Node | undefined)[] = [
  undefined,
  { type: 'integer', default: 7 },
  { type: 'array', items: { type: 'integer' } },
  OBJECT,
];

const VALUES = [
  ...['', 'a b', 'é&=,;.|/?#', 1, 2n ** 63n, true, null, [], [1], [1, 'a,b', null], {}],
  ...[{ a: 1 }, { a: 1, b: 'c d' }, { a: [1, 2] }, { a: undefined, 'x[y]': 'z' }],
];

/** `p` is the name of the parameter. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  path: [
    '',
    '1',
    'true',
    '1,2',
    'a,1',
    'a=1,b=c',
    'a,1,b,c',
    '%2C',
    '%zz',
    '.1',
    '.1.2',
    '.a=1',
  ].concat([';p=1', ';p=1;p=2', ';p', ';p=a,1', ';a=1;b=c', ';q=1']),
  header: ['', '1', ' true ', '1,2', '1, 2', 'a,1', 'a=1,b=c', 'a=1, b', '%31', 'null'],
  query: ['', 'p', 'p=', 'p=1', 'p=01', 'p=true', 'p=null', 'p=1&p=2', 'p=1,2', 'p=1%7C2', 'p=1|2']
    .concat(['p=1%202', 'p=1+2', 'p=%zz', 'a=1&b=c', 'a=1&a=2', 'p[a]=1', 'p[a]=1&p[b]=c', 'q=1'])
    .concat(['p%5Ba%5D=1&p[a]=2', 'p[]=1', 'p[a][b]=1', 'p[a][]=1', 'p=1&q=2', '__proto__=1']),
  cookie: ['', 'p=1', 'p=1; p=2', 'p=1;p=2', 'p=1,2', 'a=1; b=c', 'p=%31', 'p="1"', 'q=1', 'p'],
};

const FORM = [
  '',
  'p=',
  'p=1',
  'p=1&p=2',
  'p=%7B%22a%22%3A1%7D',
  'p=a&q=1',
  'p[a]=1',
  'p=true',
  'p=+1',
];

/** @returns the texts of each style, and the values of texts by schema */
export function styleReadings(): string {
  const written = STYLES.map(([where, style, explode]) => {
    const lines = VALUES.map((value) => {
      return `  ${stringifyJson(value)} -> ${textsOf(where, { style, explode }, value)}`;
    });
    return [`writes ${where} ${style} ${explode}`, ...lines];
  });
  // Every schema is read in two styles; the others differ in how they split a text.
  const read = STYLES.flatMap(([where, style, explode]) =>
    (['form', 'deepObject'].includes(style) ? SCHEMAS : SPLIT).map((schema) => {
      const own = schema === undefined ? { schema: {} } : { schema };
      const reader = readerOf({ name: 'p', in: where, style, explode, ...own });
      const title = `reads ${where} ${style} ${explode} ${stringifyJson(schema) ?? 'any value'}`;
      return [title, ...grouped(TEXTS[where]!, reader)];
    }),
  );
  const forms = SCHEMAS.map((schema) => {
    const reader = formReader(schema ?? {});
    return [`reads a form ${stringifyJson(schema) ?? 'any value'}`, ...grouped(FORM, reader)];
  });
  return [...differing([...written, ...read]), ...forms].flat().join('\n').concat('\n');
}

/** @returns the blocks; of an exploded style the lines that are not those of the same style without explode */
function differing(blocks: readonly string[][]): string[][] {
  const linesOf = new Map(blocks.map(([title, ...lines]) => [title!, lines]));
  return blocks.map(([title, ...lines]) => {
    const others = title!.includes(' true') ? linesOf.get(title!.replace(' true', ' false')) : [];
    return [title!, ...lines.filter((line) => !others?.includes(line))];
  });
}

function textsOf(where: string, serialization: Serialization, value: unknown): string {
  try {
    const texts = writeParameter(where, 'p', serialization, value);
    return texts.map((each) => JSON.stringify(each)).join(' ');
  } catch (error) {
    if (error instanceof NotSerializable) return `! ${error.message}`;
    throw error;
  }
}

function grouped(texts: readonly string[], read: (text: string) => string): string[] {
  const groups = Map.groupBy(texts, (text) => {
    const result = read(text);
    return result === JSON.stringify(text) ? 'as it is' : result;
  });
  return [...groups].map(
    ([result, all]) => `  ${all.map((each) => JSON.stringify(each)).join(' ')} -> ${result}`,
  );
}

function readerOf(parameter: Node & { in: string }): (text: string) => string {
  const node = { required: parameter.in === 'path', ...parameter };
  const definition = new Contract({ openapi: '3.2.0', components: { parameters: { node } } });
  const validators = new Validators(definition, 'request');
  const declared = new Parameter(definition, { pointer: '/components/parameters/node', node });
  const reader = new Parameters(definition, [declared], validators, new Coercions(validators));
  return (text) => {
    const exchange = {
      params: parameter.in === 'path' ? { p: text } : {},
      headers: {
        ...(parameter.in === 'header' && { p: text }),
        ...(parameter.in === 'cookie' && { cookie: text }),
      },
      queryText: parameter.in === 'query' ? text : '',
      parameters: newParameterValues(),
    };
    const errors = reader.read(exchange);
    if (errors.length > 0) return errors.join('; ');
    return stringifyJson(exchange.parameters[parameter.in as 'query']['p']) ?? 'nothing';
  };
}

function formReader(schema: Node): (text: string) => string {
  const content = {
    'application/x-www-form-urlencoded': { schema: { properties: { p: schema } } },
  };
  const post = { requestBody: { content }, responses: {} };
  const definition = new Contract({ openapi: '3.2.0', paths: { '/a': { post } } });
  const [declared] = [...definition.operations[0]!.request.values()];
  const fields = formFieldsOf(declared!, new Validators(definition, 'request'));
  return (text) => {
    try {
      return stringifyJson(readForm(text, fields)) ?? 'nothing';
    } catch (error) {
      return String(error);
    }
  };
}

if (import.meta.main) writeFileSync(STYLE_READINGS, styleReadings());
