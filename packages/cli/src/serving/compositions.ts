// Which component converts a value: of those that a composition with allOf has, only the outermost.
import type { Contract, Schema } from '@stubwright/contract';

type Direction = 'request' | 'reply';

export class Compositions {
  readonly #contract: Contract;
  readonly #names: ReadonlyMap<Schema, string>;
  readonly #compositions = new Map<Direction, readonly (readonly Schema[])[]>();

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#names = new Map([...contract.schemas].map(([name, schema]) => [schema, name]));
  }

  /** @returns the components whose values are values of the given one, and that no other is composed of */
  convertedFor(name: string, direction: Direction): string[] {
    const component = this.#contract.schemas.get(name);
    if (component === undefined) return [];
    const isOf = (each: Schema) => each === component || each.conjuncts.includes(component);
    const outermost = this.#of(direction)
      .filter((each) => each.includes(component))
      .flatMap((each) =>
        each.filter((one) => isOf(one) && !each.some((other) => contains(other, one))),
      );
    const names = new Set(outermost.map((each) => this.#names.get(each)!));
    return names.size === 0 ? [name] : [...names];
  }

  /** The components of each value in requests or replies that has any. */
  #of(direction: Direction): readonly (readonly Schema[])[] {
    const known = this.#compositions.get(direction);
    if (known !== undefined) return known;
    const roots = this.#contract.operations.flatMap((each) =>
      direction === 'request' ? each.requestSchemas : [...each.responseSchemas, ...itemsOf(each)],
    );
    if (direction === 'reply') {
      for (const { request } of this.#contract.outgoing.values()) {
        roots.push(...request.values().flatMap(({ schema }) => schema ?? []));
      }
    }
    const found: Schema[][] = [];
    const values = new Set(roots);
    for (const value of values) {
      const applying = [...new Set([value, ...value.conjuncts])];
      const components = applying.filter((each) => this.#names.has(each));
      if (components.length > 0) found.push(components);
      for (const inner of applying.flatMap((each) => each.inner)) {
        if (!applying.includes(inner)) values.add(inner);
      }
    }
    this.#compositions.set(direction, found);
    return found;
  }
}

function itemsOf({ responses }: Contract['operations'][number]): Schema[] {
  return [...responses.values()].flatMap(({ contents }) =>
    contents.values().flatMap(({ item }) => item ?? []),
  );
}

function contains(outer: Schema, inner: Schema): boolean {
  return outer !== inner && outer.conjuncts.includes(inner);
}
