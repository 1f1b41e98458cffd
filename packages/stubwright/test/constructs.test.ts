// Each keyword and format: the engine accepts a valid value and refuses an invalid one.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Direction, formats, type Node } from '@stubwright/contract';
import { Coercions, Validators } from '@stubwright/contract/values';
import { EXCLUSIVE, PROBES } from '@stubwright/test-support/keywordProbes';

function validatorsOf(schema: Node, version: string, direction: Direction) {
  const schemas = { S: schema, T: { type: 'integer' }, O: { type: 'object', required: ['x'] } };
  const definition = new Contract({ openapi: version, paths: {}, components: { schemas } });
  return new Validators(definition, direction);
}

const S = '/components/schemas/S';

function validatorOf(schema: Node, version: string, direction: Direction) {
  return validatorsOf(schema, version, direction).at(S);
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
    const validators = validatorsOf({ properties: { a: { default: 1 } } }, version, 'request');
    expect(new Coercions(validators).at(S)?.({})).toEqual({ a: 1 });
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
