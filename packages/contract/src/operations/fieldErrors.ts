// The errors of the fields of an extension, such as `x-pagination`.
import type { Node } from '../document/node.ts';

/** A violation of the form of an extension. */
export interface FieldError {
  /** The field, such as `/items`; empty for the whole. */
  readonly field: string;
  readonly message: string;
}

/** Collects the errors of the fields of an object. */
export class FieldErrors {
  readonly found: FieldError[] = [];
  readonly #described: Node;

  /** @param names of the fields that it may have */
  constructor(described: Node, names: readonly string[]) {
    this.#described = described;
    for (const name of Object.keys(described)) {
      this.expect(names.includes(name), name, `one of ${names.join(', ')}`);
    }
  }

  expect(isMet: boolean, name: string, expected: string): void {
    if (isMet) return;
    const message = `${name}: got ${gotText(this.#described[name])}, expected ${expected}`;
    this.found.push({ field: `/${name}`, message });
  }
}

/** @returns the value in a message */
export function gotText(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
