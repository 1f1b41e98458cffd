// The schemas of a client and of its contract accept the same values: the client evaluates some keywords only.

import { describe, expect, it } from '@jest/globals';
import { either, type ValueSchema } from '@stubwright/client';
import { Contract, INTEGER_FORMATS, type Node } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { EXCLUSIVE, PROBES, type Probe } from '@stubwright/test-support/keywordProbes';
import { Constants } from '../../src/client/code.ts';
import { SchemaCode } from '../../src/client/exactCode.ts';

/** A value is not tested for these: an alternative may have more valid values than in the contract. */
const NOT_EVALUATED = [
  ...['multipleOf', 'uniqueItems', 'contains', 'minContains', 'maxContains'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'propertyNames', 'dependentRequired'],
  ...['dependencies', 'dependentSchemas', 'if', 'then', 'else'],
];

function readersOf(schema: Node, openapi = '3.1.0') {
  const schemas = {
    S: schema,
    ...{ T: { type: 'integer' }, O: { type: 'object', required: ['x'] } },
  };
  const validators = new Validators(new Contract({ openapi, components: { schemas } }), 'response');
  const constants = new Constants([]);
  const { text } = new SchemaCode(constants).of(validators.model.at('/components/schemas/S')!);
  const written = new Function(`${constants.text} return ${text};`)() as ValueSchema;
  const validate = validators.at('/components/schemas/S');
  return (value: unknown) => ({
    client: either([written, 1])(value) !== undefined,
    contract: validate(value),
  });
}

const BOTH = { client: true, contract: true };
const NEITHER = { client: false, contract: false };

describe('a schema of the client', () => {
  const old = Object.entries(EXCLUSIVE).map(([keyword, [probe]]) => [keyword, probe, '3.0.3']);
  const current = Object.entries(EXCLUSIVE).map(([keyword, [, probe]]) => [keyword, probe]);
  const { readOnly: _, ...ofReplies } = PROBES;
  const all = [...Object.entries(ofReplies), ...current, ...old] as [string, Probe, string?][];

  it.each(all)('reads %s', (keyword, [schema, valid, invalid], openapi = '3.1.0') => {
    const read = readersOf(schema, openapi);
    expect(read(valid)).toEqual(BOTH);
    const isEvaluated = !NOT_EVALUATED.includes(keyword);
    expect(read(invalid)).toEqual({ client: !isEvaluated, contract: false });
  });

  it.each(Object.entries(INTEGER_FORMATS))('has the bounds of %s', (format, [least, most]) => {
    const read = readersOf({ type: 'integer', format });
    for (const bound of [least, most].map(BigInt)) expect(read(bound)).toEqual(BOTH);
    for (const beyond of [BigInt(least) - 1n, BigInt(most) + 1n]) {
      expect(read(beyond)).toEqual(NEITHER);
    }
    expect(readersOf({ type: 'string', format })('a')).toEqual(BOTH);
  });

  it('is null or its type in 3.0', () => {
    const read = readersOf({ type: 'integer', nullable: true }, '3.0.3');
    expect([null, 1, 'a'].map(read)).toEqual([BOTH, BOTH, NEITHER]);
  });

  it.each([
    ['^[\\w-.]+$', 'a-b.c', 'a b'],
    ['\\A[a-z]+\\z', 'ab', 'a1'],
    ['(?i)^ab$', 'AB', 'b'],
    ['^a\\_/$', 'a_/', 'a'],
  ])(
    'reads the pattern %s of a string and of a name as the engine does',
    (pattern, match, other) => {
      const read = readersOf({ type: 'string', pattern });
      expect([match, other].map(read)).toEqual([BOTH, NEITHER]);
      const named = readersOf({
        ...{ type: 'object', properties: { z: {} } },
        patternProperties: { [pattern]: { type: 'integer' } },
      });
      expect([{ [match]: 1 }, { [match]: 'x' }, { [other]: 'x' }].map(named)).toEqual([
        ...[BOTH, NEITHER, BOTH],
      ]);
    },
  );

  it('has no pattern that is none of ECMAScript', () => {
    expect(readersOf({ pattern: '\\A' })('b').client).toBe(true);
  });
});
