// The table of OpenAPI 3.2.0, section 4.12.6 (Style Examples): written by clients, read by the engine.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node, Parameter } from '@stubwright/contract';
import {
  Coercions,
  newParameterValues,
  Parameters,
  Validators,
  writeParameter,
} from '@stubwright/contract/values';
import { runs } from '@stubwright/test-support/testAll';
import { serveToy } from '@stubwright/test-support/toy';
import fc from 'fast-check';

const COLORS = ['blue', 'black', 'brown'];
const RGB = { R: 100, G: 200, B: 150 };
const SCHEMAS = {
  empty: { type: 'string' },
  string: { type: 'string' },
  array: { type: 'array', items: { type: 'string' } },
  object: {
    type: 'object',
    properties: { R: { type: 'integer' }, G: { type: 'integer' }, B: { type: 'integer' } },
  },
};
const VALUES = { empty: '', string: 'blue', array: COLORS, object: RGB };
type Kind = keyof typeof VALUES;

type Row = [
  location: string,
  style: string,
  explode: boolean,
  ...texts: Record<Kind, string | undefined>[],
];
const row = (location: string, style: string, explode: boolean, cells: Cells): Row => {
  const [empty, string, array, object] = cells;
  return [location, style, explode, { empty, string, array, object }];
};
type Cells = readonly (string | undefined)[];

const FORM_FALSE = ['color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'];
const FORM_TRUE = [
  'color=',
  'color=blue',
  'color=blue&color=black&color=brown',
  'R=100&G=200&B=150',
];
const SIMPLE_FALSE = ['', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'];
const SIMPLE_TRUE = ['', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'];
const NONE = undefined;
const inCookies = (cells: readonly string[]) => cells.map((text) => text.replaceAll('&', '; '));
const MATRIX = [';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'];
const MATRIX_TRUE = [
  ...[';color', ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
];
const SPACES = ['color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'];
const PIPES = ['color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'];
const DEEP = 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150';
const TABLE: Row[] = [
  row('path', 'matrix', false, MATRIX),
  row('path', 'matrix', true, MATRIX_TRUE),
  row('path', 'label', false, ['.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150']),
  row('path', 'label', true, ['.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150']),
  row('path', 'simple', false, SIMPLE_FALSE),
  row('path', 'simple', true, SIMPLE_TRUE),
  row('header', 'simple', false, SIMPLE_FALSE),
  row('header', 'simple', true, SIMPLE_TRUE),
  row('query', 'form', false, FORM_FALSE),
  row('query', 'form', true, FORM_TRUE),
  row('query', 'spaceDelimited', false, [NONE, NONE, ...SPACES]),
  row('query', 'pipeDelimited', false, [NONE, NONE, ...PIPES]),
  row('query', 'deepObject', true, [NONE, NONE, NONE, DEEP]),
  row('cookie', 'form', false, FORM_FALSE),
  row('cookie', 'form', true, inCookies(FORM_TRUE)),
  row('cookie', 'cookie', false, FORM_FALSE),
  row('cookie', 'cookie', true, inCookies(FORM_TRUE)),
];

/** @returns the text of a parameter as a client sends it */
function written(
  location: string,
  style: string,
  explode: boolean,
  value: unknown,
  name = 'color',
) {
  const texts = writeParameter(location, name, { style, explode }, value);
  return texts.join(location === 'cookie' ? '; ' : '&');
}

/** @returns the value, or the messages of a 400 */
function read(parameter: Node, text: string): unknown {
  const name = String(parameter.name);
  const node = { required: parameter.in === 'path', ...parameter };
  const definition = new Contract({
    openapi: '3.2.0',
    paths: {},
    components: { parameters: { node } },
  });
  const validators = new Validators(definition, 'request');
  const parameters = [new Parameter(definition, { pointer: '/components/parameters/node', node })];
  const reader = new Parameters(definition, parameters, validators, new Coercions(validators));
  const exchange = {
    params: parameter.in === 'path' ? { [name]: text } : {},
    headers: {
      ...(parameter.in === 'header' && { [name.toLowerCase()]: text }),
      ...(parameter.in === 'cookie' && { cookie: text }),
    },
    queryText: parameter.in === 'query' ? text : '',
    parameters: newParameterValues(),
  };
  const errors = reader.read(exchange);
  if (errors.length > 0) return errors.join();
  const values = exchange.parameters[parameter.in as 'query'];
  return structuredClone(values[name]);
}

describe.each(TABLE)('in %s, style %s, explode %s', (location, style, explode, texts) => {
  const cells = Object.entries(texts!).filter(([, text]) => text !== undefined);

  it.each(cells)('writes and reads %s: %s', (kind, text) => {
    const value = VALUES[kind as Kind];
    expect(written(location, style, explode, value)).toBe(text);
    const parameter = { name: 'color', in: location, style, explode };
    expect(read({ ...parameter, schema: SCHEMAS[kind as Kind] }, text!)).toEqual(value);
  });
});

describe('a value of a style', () => {
  /** Characters that delimit values, and those that a style escapes. */
  const hard = fc.string({
    unit: fc.constantFrom(...'ab.,;=&|/?#[]%+ é日"~'),
    minLength: 1,
    maxLength: 8,
  });
  /** A header cannot escape its delimiters, nor a cookie of `style: cookie`. */
  const plain = fc.string({ unit: fc.constantFrom(...'ab%/+[]|~!'), minLength: 1, maxLength: 8 });
  const textsIn = (location: string, style: string) => {
    if (location === 'header' || style === 'cookie') return plain;
    const delimiter = { spaceDelimited: ' ', pipeDelimited: '|' }[style];
    // A delimiter in a value cannot be distinguished (OpenAPI 3.2.0, section 4.12.6.1).
    return delimiter === undefined ? hard : hard.filter((text) => !text.includes(delimiter));
  };
  const object = (text: fc.Arbitrary<string>) =>
    fc.record({ R: text, 'G.b': text, 'x/y': text }, { requiredKeys: ['R'] });
  const properties = {
    R: { type: 'string' },
    'G.b': { type: 'string' },
    'x/y': { type: 'string' },
  };

  it.each(TABLE)('in %s, style %s, explode %s is read as it was written', (...args) => {
    const [location, style, explode, texts] = args;
    const text = textsIn(location, style);
    const kinds: [string, Node, fc.Arbitrary<unknown>][] = [
      ['string', { type: 'string' }, text],
      ['array', { type: 'array', items: { type: 'string' } }, fc.array(text, { minLength: 1 })],
      ['object', { type: 'object', properties }, object(text)],
    ];
    for (const [kind, schema, values] of kinds) {
      if (texts![kind as Kind] === undefined) continue;
      if (kind === 'object' && (location === 'header' || style === 'cookie')) continue;
      const names = location === 'header' ? fc.constant('X-p') : fc.constantFrom('p', 'a.b', '$p');
      fc.assert(
        fc.property(values, names, (value, name) => {
          const sent = written(location, style, explode, value, name);
          expect(read({ name, in: location, style, explode, schema }, sent)).toEqual(value);
          if (location === 'query') expect(sent).toMatch(/^[\w.~!$'()*,:@/?=&%+-]*$/);
        }),
        { numRuns: runs(50) },
      );
    }
  });

  it('of an array in an exploded object repeats its name', () => {
    const schema = {
      type: 'object',
      properties: { tags: { type: 'array', items: { type: 'integer' } }, n: { type: 'integer' } },
    };
    const parameter = { name: 'p', in: 'query', schema };
    const value = { tags: [1, 2], n: 3 };
    expect(written('query', 'form', true, value)).toBe('tags=1&tags=2&n=3');
    expect(read(parameter, 'tags=1&n=3&tags=2')).toEqual(value);
    expect(read(parameter, 'tags=1')).toEqual({ tags: [1] });
    expect(read(parameter, 'n=1&n=2')).toBe('query parameter p expected one value of n');
  });

  it('of cookies explodes by default and keeps percent signs', () => {
    const schema = { type: 'array', items: { type: 'string' } };
    const parameter = { name: 'p', in: 'cookie', style: 'cookie', schema };
    expect(read(parameter, 'p=100%; q=1; p=%41')).toEqual(['100%', '%41']);
    expect(read({ ...parameter, style: 'form' }, 'p=%41; p=b')).toEqual(['A', 'b']);
  });
});

describe('a parameter of type number', () => {
  const schema = { type: 'number' };
  it('has the value of every JSON number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = encodeURIComponent(JSON.stringify(value));
        // An integer that a double rounds is a bigint, as in JSON bodies.
        const number = read({ name: 'p', in: 'query', schema }, `p=${text}`);
        expect(Number(number)).toBe(value + 0);
      }),
    );
  });

  it.each([
    ['1e400', 'expected a number of at most 309 digits'],
    ['1.00000000000000000001', '1.00000000000000000001 cannot be kept without rounding'],
    ['01', 'expected number'],
    ['0x10', 'expected number'],
    ['NaN', 'expected number'],
  ])('rejects %s with its limit', (text, message) => {
    expect(read({ name: 'p', in: 'query', schema }, `p=${text}`)).toContain(
      `query parameter p ${message}`,
    );
    const either = { type: ['number', 'string'] };
    expect(read({ name: 'p', in: 'query', schema: either }, `p=${text}`)).toBe(text);
  });
});

const NUMBER = '{type: object, properties: {n: {type: number}}}';
it.each<[string, string, (text: string) => string]>([
  ['text/plain', '{type: number}', (text) => text],
  ['application/xml', NUMBER, (text) => `<a><n>${text}</n></a>`],
  ['application/x-www-form-urlencoded', NUMBER, (text) => `n=${text}`],
])('a number in %s beyond the limits is a 400', async (type, schema, bodyOf) => {
  const toy = await serveToy(
    '3.1.0',
    `paths: {/x: {post: {operationId: post, requestBody: {content: {${type}: {schema: ${schema}}}}, responses: {'204': {description: ok}}}}}`,
  );
  const statusOf = async (text: string) => {
    const init = { method: 'POST', headers: { 'Content-Type': type }, body: bodyOf(text) };
    return (await toy.fetch('/x', init)).status;
  };
  expect([await statusOf('1e400'), await statusOf('1.00000000000000000001')]).toEqual([400, 400]);
  expect(await statusOf('1.5')).toBe(204);
  await toy.close();
});

it('the path of a server that is no URL is answered encoded', async () => {
  const toy = await serveToy(
    '3.1.0',
    `servers: [{url: <local-address>}]
paths: {/x: {get: {operationId: get, responses: {'204': {description: ok}}}}}`,
  );
  expect((await toy.fetch('/%3Clocal-address%3E/x')).status).toBe(204);
  await toy.close();
});
