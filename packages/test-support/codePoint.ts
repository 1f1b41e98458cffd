import fc from 'fast-check';

const SURROGATES = 0xe000 - 0xd800;

/**
 * The unit of `fc.string` that is any code point except surrogates, as `binary` is. With `binary`,
 * fast-check makes a table of all code points, which takes a second in each test file.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat(0x10ffff - SURROGATES)
  .map((index) => String.fromCodePoint(index < 0xd800 ? index : index + SURROGATES), indexOf);

/** Lets `fc.string` generate strings such as `__proto__` too. */
function indexOf(char: unknown): number {
  const code = String(char).codePointAt(0)!;
  const isUnit = String.fromCodePoint(code) === char && char.isWellFormed();
  if (!isUnit) throw new Error('expected one code point');
  return code < 0xd800 ? code : code - SURROGATES;
}
