// Each construct of OpenAPI in a minimal contract: the engine accepts a valid value and refuses an invalid one.
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { Contract, type Direction, formats, type Node, type Operation } from '@stubwright/contract';
import { type BodySource, Coercions, Parameters, Validators } from '@stubwright/contract/values';
import { EXCLUSIVE, PROBES } from '@stubwright/test-support/keywordProbes';
import {
  JSON_CONTENT,
  SCHEMAS,
  type SerializedParameter,
  serialized,
  serializedAsJson,
} from '@stubwright/test-support/parameterProbes';
import { Exchange } from '../src/request/exchange.ts';
import { type HandlerReply, Replies } from '../src/response/reply.ts';

function minimalOperation(
  version: string,
  operation: Node,
  schema: Node = {},
): { definition: Contract; operation: Operation } {
  const definition = new Contract({
    openapi: version,
    paths: { '/{p}': { post: { responses: {}, ...operation } } },
    components: {
      schemas: { S: schema, T: { type: 'integer' }, O: { type: 'object', required: ['x'] } },
    },
  });
  return { definition, operation: definition.operations[0]! };
}

function validatorOf(schema: Node, version: string, direction: Direction) {
  const { definition } = minimalOperation(version, {}, schema);
  return new Validators(definition, direction).at('/components/schemas/S');
}

/** References of JSON Schema that OpenAPI 3.0 does not have. */
const SINCE_31 = ['$dynamicRef', '$dynamicAnchor', '$anchor', '$id'];

describe.each(['3.0.3', '3.1.0', '3.2.0'])('a keyword of OpenAPI %s', (version) => {
  const is30 = version.startsWith('3.0');
  const probes = [
    ...Object.entries(PROBES).filter(([keyword]) => !is30 || !SINCE_31.includes(keyword)),
    ...Object.entries(EXCLUSIVE).map(([keyword, each]) => [keyword, each[is30 ? 0 : 1]] as const),
  ];

  it.each(probes)('is enforced: %s', (_, [schema, valid, invalid, direction = 'request']) => {
    const validate = validatorOf(schema, version, direction);
    expect([validate(valid), validate(invalid)]).toEqual([true, false]);
  });

  it('default is applied', () => {
    const { definition } = minimalOperation(version, {}, { properties: { a: { default: 1 } } });
    const coercions = new Coercions(new Validators(definition, 'request'));
    expect(coercions.at('/components/schemas/S')?.({})).toEqual({ a: 1 });
  });
});

/** Strings of which each format refuses at least one. */
const SUSPECT = ['', '*', '\u0000 %', 'a b', '{', '[', '/~2'];

it.each(Object.keys(formats))('the format %s refuses a string', (format) => {
  const validate = validatorOf({ type: 'string', format }, '3.1.0', 'request');
  expect(SUSPECT.filter((each) => !validate(each))).not.toEqual([]);
});

it.each([
  ['int32', 2 ** 31],
  ['int64', 2 ** 64],
  ['float', 1e39],
])('the format %s refuses the number %s', (format, value) => {
  expect(validatorOf({ type: 'number', format }, '3.1.0', 'request')(value)).toBe(false);
});

const NO_BODY: BodySource = {
  readBody: async () => Buffer.alloc(0),
  stream: () => Readable.from([]),
};

/** @returns the value of a parameter that the engine reads */
function read(parameter: Node, text: SerializedParameter): unknown {
  const { definition, operation } = minimalOperation('3.2.0', { parameters: [parameter] });
  const validators = new Validators(definition, 'request');
  const parameters = new Parameters(
    definition,
    operation.parameters,
    validators,
    new Coercions(validators),
  );
  const url = `/?${text.query ?? ''}`;
  const exchange = new Exchange({ method: 'GET', url, headers: text.headers ?? {} }, NO_BODY);
  exchange.params = text.params ?? {};
  if (parameters.read(exchange).length > 0) return undefined;
  const { name, in: where } = parameter;
  return exchange.parameters[where === 'querystring' ? 'query' : (where as 'path')][name];
}

const STYLES = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};
/** OpenAPI leaves their values undefined. */
const UNREADABLE = [
  ...['query deepObject exploded scalar', 'query deepObject scalar'],
  ...['query pipeDelimited exploded object', 'query spaceDelimited exploded object'],
];

describe('a parameter', () => {
  const styles = Object.entries(STYLES).flatMap(([where, names]) =>
    names.flatMap((style) =>
      [true, false].flatMap((explode) =>
        (['scalar', 'array', 'object'] as const).map((kind) => {
          const name = `${where} ${style}${explode ? ' exploded' : ''} ${kind}`;
          return [name, where, { style, explode }, kind] as const;
        }),
      ),
    ),
  );

  it.each(styles)('is read back: %s', (name, where, serialization, kind) => {
    const parameter = { name: 'p', in: where, ...serialization, schema: SCHEMAS[kind] };
    const text = serialized(where, serialization, kind);
    const isEqual = JSON.stringify(read(parameter, text)) === JSON.stringify(text.value);
    expect(isEqual).toBe(!UNREADABLE.includes(name));
  });

  it.each([...Object.keys(STYLES), 'querystring'])('with content is read back: %s', (where) => {
    const text = serializedAsJson(where);
    const parameter = { name: 'p', in: where, content: JSON_CONTENT };
    expect(JSON.stringify(read(parameter, text))).toBe(JSON.stringify(text.value));
  });
});

const ANY = { description: '' };
const HEADER = { description: '', headers: { x: { schema: { type: 'integer' } } } };
const REQUIRED = { description: '', headers: { x: { required: true, schema: {} } } };

/** Responses, a reply that conforms to them, and one that does not. */
const REPLIES: readonly (readonly [string, Node, HandlerReply, HandlerReply])[] = [
  ['status', { 204: ANY }, { status: 204 }, { status: 200 }],
  ['status range', { '4XX': ANY }, { status: 404 }, { status: 500 }],
  ['default', { default: ANY }, { status: 404 }, { status: 404, body: 'x' }],
  ['header', { 204: HEADER }, { status: 204 }, { status: 204, headers: { x: 'a' } }],
  ['required header', { 204: REQUIRED }, { status: 204, headers: { x: 1 } }, { status: 204 }],
];

it.each(REPLIES)('a reply conforms to the declared %s', (_, responses, valid, invalid) => {
  const { definition, operation } = minimalOperation('3.1.0', { responses });
  const replies = new Replies(definition, new Validators(definition, 'response')).of(operation);
  expect(() => replies.serialize(valid)).not.toThrow();
  expect(() => replies.serialize(invalid)).toThrow();
});
