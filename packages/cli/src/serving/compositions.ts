// Which component converts a value: of those that a composition with allOf has, only the outermost.
import type { Contract, Schema } from '@stubwright/contract';

type Direction = 'request' | 'reply';

/** Of the values that a contract has in one direction. */
export class Compositions {
  readonly #contract: Contract;
  readonly #direction: Direction;
  readonly #names: ReadonlyMap<Schema, string>;
  /** The components of each value that has any. */
  #found: readonly (readonly Schema[])[] | undefined;

  constructor(contract: Contract, direction: Direction) {
    this.#contract = contract;
    this.#direction = direction;
    this.#names = new Map([...contract.schemas].map(([name, schema]) => [schema, name]));
  }

  /** @returns the components whose values are values of the given one, and that no other is composed of */
  convertedFor(name: string): string[] {
    const component = this.#contract.schemas.get(name);
    if (component === undefined) return [];
    this.#found ??= this.#search();
    const isOf = (each: Schema) => each === component || each.conjuncts.includes(component);
    const outermost = this.#found
      .filter((each) => each.includes(component))
      .flatMap((each) =>
        each.filter((one) => isOf(one) && !each.some((other) => contains(other, one))),
      );
    const names = new Set(outermost.map((each) => this.#names.get(each)!));
    return names.size === 0 ? [name] : [...names];
  }

  #search(): readonly (readonly Schema[])[] {
    const { operations } = this.#contract;
    const found: Schema[][] = [];
    const values = new Set(
      this.#direction === 'request'
        ? operations.flatMap(({ requestSchemas }) => requestSchemas)
        : [...operations.flatMap((each) => [...each.responseSchemas, ...itemsOf(each)])],
    );
    for (const value of values) {
      const applying = [...new Set([value, ...value.conjuncts])];
      const components = applying.filter((each) => this.#names.has(each));
      if (components.length > 0) found.push(components);
      for (const inner of applying.flatMap((each) => each.inner)) {
        if (!applying.includes(inner)) values.add(inner);
      }
    }
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
