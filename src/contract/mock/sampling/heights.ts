// How deep the least nested value of a schema is, so that a recursion is left by the shortest way.
import type { Node, Place } from '../../definition/definition.ts';
import type { References } from './references.ts';
import { allowedValues, compositions, isNullable, named, part, parts } from './words.ts';

const ENDLESS = Number.POSITIVE_INFINITY;

export class Heights {
  readonly #references: References;
  readonly #heights = new Map<Node, number>();

  constructor(references: References) {
    this.#references = references;
  }

  /** @returns how deep it is; Infinity for a schema that nothing meets, or no value that ends */
  of(place: Place): number {
    if (typeof place.node === 'object' && !this.#heights.has(place.node)) this.#settle(place);
    return this.#known(place);
  }

  #known({ node }: Place): number {
    if (typeof node === 'object') return this.#heights.get(node) ?? ENDLESS;
    return (node as unknown) === false ? ENDLESS : 0;
  }

  /** From endless downwards until nothing changes: the least heights of all schemas within reach. */
  #settle(start: Place): void {
    const reached = new Map([[start.node, start]]);
    for (const place of reached.values()) {
      for (const each of this.#needed(place)) {
        if (typeof each.node === 'object' && !this.#heights.has(each.node)) {
          reached.set(each.node, reached.get(each.node) ?? each);
        }
      }
    }
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const place of reached.values()) {
        const height = this.#computed(place);
        isChanged ||= height < this.#known(place);
        this.#heights.set(place.node, height);
      }
    }
  }

  #computed(place: Place): number {
    if (isNullable(place.node) || allowedValues([place]) !== undefined) return 0;
    return Math.max(
      0,
      ...this.#references.mandatory(place).map((each) => this.#known(each)),
      ...requiredParts(place).map((each) => 1 + this.#known(each)),
      ...compositions(place).map((word) =>
        Math.min(...parts(place, word).map((each) => this.#known(each))),
      ),
    );
  }

  #needed(place: Place): Place[] {
    const branches = compositions(place).flatMap((word) => parts(place, word));
    return [...this.#references.mandatory(place), ...requiredParts(place), ...branches];
  }
}

function requiredParts(place: Place): Place[] {
  const { node } = place;
  const names = new Set<string>(node.required ?? []);
  const properties = named(place, 'properties').filter(([name]) => names.has(name));
  const isTuple = Array.isArray(node.items);
  const prefix = isTuple ? node.items.length : (node.prefixItems ?? []).length;
  const hasItems = !isTuple && node.items !== undefined && Number(node.minItems ?? 0) > prefix;
  const items = hasItems ? [part(place, 'items')] : [];
  return [...properties.map(([, each]) => each), ...items];
}
