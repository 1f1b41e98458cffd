// Formats and lengths take time linear in the text. The texts are so long that a quadratic test takes
// minutes for one of them, and exceeds the time limit of the test.
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import fc from 'fast-check';
import { formats } from '../../src/schema/rules/strings.ts';
import { describeErrors, Validators } from '../../src/schema/validator.ts';

const LENGTH = 2 ** 18;
/** For a busy machine; a quadratic test exceeds it. */
const LIMIT_MS = 120_000;

const part = fc.constantFrom(
  ...'aZ09-._~:/?#[]@!$&()*+,;=%\\ "\'<>^`{|}é🌱',
  ...['%20', '::', '//', 'a.', 'a-', '0:', '1.', '{a}', '=?', 'T', 'P', '1Y', '.5', '+0', '(a|a)*'],
);
const parts = fc.array(part, { minLength: 1, maxLength: 4 }).map((each) => each.join(''));
const start = fc.oneof(
  parts,
  fc.constantFrom('', 'http://', 'a@', 'urn:uuid:', 'P', '2020-01-01T00:00:00.', '/', '{', '(?:'),
);

describe('the format', () => {
  it.each(Object.entries(formats))(
    '%s is tested in linear time',
    (_, test) => {
      fc.assert(
        fc.property(start, parts, parts, (first, repeated, last) => {
          test(first + repeated.repeat(LENGTH / repeated.length) + last);
        }),
        { numRuns: process.env['ALL_TESTS'] === undefined ? 15 : 200 },
      );
    },
    LIMIT_MS,
  );
});

function validatorOf(schema: Node) {
  const definition = new Contract({ openapi: '3.1.0', components: { schemas: { S: schema } } });
  return new Validators(definition, 'request').at('/components/schemas/S');
}

describe('a text', () => {
  it('that is too long is not compared with the pattern', () => {
    // Exponential on V8, for which the pattern is not registered as another one.
    const validate = validatorOf({ maxLength: 64, pattern: '^(b+)+$', type: 'string' });
    const text = `${'b'.repeat(1_000)}!`;
    expect(validate(text)).toBe(false);
    expect(describeErrors(validate.errorsOf(text), '')).toBe(
      'expected to NOT have more than 64 characters',
    );
  });

  it('counts code points', () => {
    const validate = validatorOf({ type: 'string', minLength: 2, maxLength: 3 });
    expect(['🌱', '🌱🌱', '🌱🌱🌱', '🌱🌱🌱🌱', 'a🌱\ud83c'].map((each) => validate(each))).toEqual(
      [...[false, true, true, false, true]],
    );
  });
});

describe('a message', () => {
  it('is limited in number and length', () => {
    const validate = validatorOf({ additionalProperties: false });
    const name = 'x'.repeat(100_000);
    const value = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${name}${at}`, at]));
    const errors = validate.errorsOf(Object.assign(value, { a: 1, b: 2 }));
    expect(errors.every(({ pointer }) => pointer.length <= 400)).toBe(true);
    expect(describeErrors(errors, '').length).toBeLessThan(30_000);
  });

  it('names each of 50 properties, and that there are more', () => {
    const validate = validatorOf({ additionalProperties: { type: 'integer' } });
    const value = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`p${at}`, '']));
    const messages = describeErrors(validate.errorsOf(value), '').split('; ');
    expect(messages).toHaveLength(51);
    expect(messages[49]).toBe('/p49 expected integer');
    expect(messages[50]).toBe('and more');
  });
});

describe('a value that is nested deeper than the stack', () => {
  it('is invalid', () => {
    const validate = validatorOf({ items: { $ref: '#/components/schemas/S' } });
    let value: unknown = [];
    for (let depth = 0; depth < 100_000; depth++) value = [value];
    expect(validate(value)).toBe(false);
    expect(describeErrors(validate.errorsOf(value), '')).toBe('expected less nesting');
  });

  it('is invalid against a schema that refers to itself', () => {
    const validate = validatorOf({ allOf: [{ $ref: '#/components/schemas/S' }] });
    expect(validate({})).toBe(false);
    expect(describeErrors(validate.errorsOf({}), '')).toBe('expected less nesting');
  });
});
