// Values of JavaScript that a handler may return as a body.
import fc from 'fast-check';

/** As a document of an ORM: its JSON is another object. */
export class Model {
  readonly #row: Record<string, unknown>;
  constructor(row: Record<string, unknown>) {
    this.#row = row;
  }
  get name(): unknown {
    return this.#row['name'];
  }
  toJSON(): unknown {
    return this.#row;
  }
}

export class Row {
  id = 1;
  get name(): string {
    return 'too long';
  }
}

const name = fc.constantFrom('name', 'role', 'n', 'price', 'any', 'inner', 'list', '__proto__');
export const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(
      ...['x', 'a', '12,"admin":true', '\ud800', '\u0000"\\', 1, 5, -0, 1e21, 1.5, NaN, Infinity],
      ...[2n ** 63n, null, undefined, true, Symbol('s'), () => 1, /x/, new Error('e')],
      ...[new Date(0), new Date(Number.NaN), new URL('http://x/'), new Map([[1, 2]])],
      ...[Object(1), Object('x'), Object(5n), Object(true), new Uint8Array(2), Buffer.from('b')],
      ...[new Blob(['b']), JSON.rawJSON('1.0'), JSON.rawJSON('"r"'), new Row(), Promise.resolve(1)],
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.record({ name: fc.constant('x'), any: tie('value'), price: fc.double() }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }).map((row) => new Model(row)),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }).map((row) => Object.create(row)),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }).map((row) => new Proxy(row, {})),
    fc.tuple(name, fc.array(tie('value'), { minLength: 1, maxLength: 3 })).map(([key, values]) => {
      let at = 0;
      const get = () => values[at++ % values.length];
      return Object.defineProperty({ name: 'x' }, key, { get, enumerable: true });
    }),
  ),
}));
