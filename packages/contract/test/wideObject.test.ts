// A JSON object of many declared properties has the result of JSON.parse, with exact numbers and no duplicates.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import fc from 'fast-check';
import { runs } from '../../stubwright/test/support/testAll.ts';
import { parseJsonBody, stringifyJson } from '../src/json/json.ts';
import { wideParser } from '../src/media/wideObject.ts';
import { SchemaModel } from '../src/schema/model.ts';

function parserFor(names: readonly string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, {}]));
  const document = { openapi: '3.1.0', components: { schemas: { It: { properties } } } };
  return wideParser(SchemaModel.of(new Contract(document)).at('/components/schemas/It')!);
}

const NAMES = [
  ...['7', 'id', 'é', '\u{1f331}', 'a b', ''],
  ...Array.from({ length: 144 }, (_, at) => `property${at}`),
];
const parse = parserFor(NAMES)!;

const outcomeOf = (run: () => unknown) => {
  try {
    const value = run() as object;
    return { value, text: stringifyJson(value), prototype: Object.getPrototypeOf(value) };
  } catch (error) {
    return { message: (error as Error).message };
  }
};
const expectSame = (text: string) => {
  const bytes = Buffer.from(text);
  const plain = () => parseJsonBody(bytes, text);
  expect(outcomeOf(() => parse(bytes) ?? plain())).toEqual(outcomeOf(plain));
};

const value = fc.oneof(
  fc.constantFrom('1', '-0', '9007199254740993', '1e2', 'true', 'null', '"}"', '"\\"', '"\\\\"'),
  fc.constantFrom('{"a":1,"b":[{"a":2}]}', '{"a":1,"a":2}', '[1,[2,{}]]', '"\\ud800"', '"é,:"'),
  fc.json(),
);
const space = fc.constantFrom('', '', ' ', '\n\t', '\r');
const member = (name: string) =>
  fc.tuple(space, space, value, space).map(([before, after, text, end]) => {
    return `${before}${JSON.stringify(name)}${after}:${before}${text}${end}`;
  });
const ordered = fc
  .subarray(NAMES, { minLength: 130 })
  .chain((names) => fc.tuple(...names.map(member)));
const objectOf = (members: readonly string[]) => `{${members}}`;
/** With quotes and brackets in other places, and names that occur twice or in another order. */
const changed = fc
  .tuple(
    ordered,
    fc.nat(),
    fc.oneof(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '\u0001', '0', ' '),
      fc.constantFrom('"id":1,', '"property3":{', '"other":1,', '"', ',"property143":2'),
    ),
    fc.constantFrom<'insert' | 'replace' | 'cut' | 'swap'>('insert', 'replace', 'cut', 'swap'),
  )
  .map(([members, seed, token, change]) => {
    if (change === 'swap') return objectOf([...members.slice(1), members[0]!]);
    const text = objectOf(members);
    const at = seed % text.length;
    if (change === 'cut') return text.slice(0, at);
    return text.slice(0, at) + token + text.slice(change === 'insert' ? at : at + token.length);
  });

describe('wideParser', () => {
  const everyProperty = (text: string) => objectOf(NAMES.map((name) => `"${name}":${text}`));

  it('has the result of parseJsonBody for objects in the order of the contract', () => {
    fc.assert(
      fc.property(ordered, (members) => expectSame(objectOf(members))),
      { numRuns: runs(1_000) },
    );
  });

  it('has the result of parseJsonBody for changed objects', () => {
    fc.assert(fc.property(changed, expectSame), { numRuns: runs(3_000) });
  });

  it.each(['1', '"a"', '[1]', '9007199254740993'])('parses objects of %s', (text) => {
    expect(parse(Buffer.from(everyProperty(text)))).toBeDefined();
  });

  it.each([
    ['another order', everyProperty('1').replace('"id":1,', '').replace('}', ',"id":1}')],
    ['a property twice', everyProperty('1').replace('}', ',"id":1}')],
    ['an undeclared property', everyProperty('1').replace('}', ',"other":1}')],
    ['few properties', '{"id":1}'],
  ])('does not parse objects with %s', (_, text) => {
    expect(parse(Buffer.from(text))).toBeUndefined();
    expectSame(text);
  });

  it.each(['__proto__', 'toString', '\ud800', '"'])('does not parse objects with %j', (name) => {
    expect(parserFor([...NAMES, name])).toBeUndefined();
  });
});
