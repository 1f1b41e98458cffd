// Where the references of schemas lead: `$ref`, `$dynamicRef`.
import type { Definition, Place } from '../../definition/definition.ts';
import { part, parts } from './words.ts';

export class References {
  readonly #definition: Definition;
  #anchors: ReadonlyMap<string, readonly Place[]> | undefined;

  constructor(definition: Definition) {
    this.#definition = definition;
  }

  /** @returns the schema and those that its references lead to, one after the other */
  chain(place: Place): Place[] {
    const chain = [place];
    for (const each of chain) {
      const next = this.#target(each);
      if (next !== undefined && !chain.some(({ node }) => node === next.node)) chain.push(next);
    }
    return chain;
  }

  /** @returns what a schema asks of every value beside its own words */
  mandatory(place: Place): Place[] {
    const target = this.#target(place);
    if (target === undefined) return parts(place, 'allOf');
    return this.#definition.isVersion30 ? [target] : [target, ...parts(place, 'allOf')];
  }

  /** @returns the schemas that a dynamic anchor names; which one is meant depends on the way there */
  anchored(ref: string): readonly Place[] {
    this.#anchors ??= anchorsIn({ pointer: '', node: this.#definition.document });
    return this.#anchors.get(ref.slice(ref.indexOf('#') + 1)) ?? [];
  }

  #target({ node, pointer }: Place): Place | undefined {
    const ref: unknown = node?.$ref;
    if (typeof ref !== 'string') return undefined;
    return this.#definition.at(this.#definition.schemaPointer(ref, pointer));
  }
}

function anchorsIn(document: Place): Map<string, Place[]> {
  const found = new Map<string, Place[]>();
  const pending = [document];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { node } = place;
    if (typeof node !== 'object' || node === null) continue;
    const anchor: unknown = node.$dynamicAnchor;
    if (typeof anchor === 'string') found.set(anchor, [...(found.get(anchor) ?? []), place]);
    for (const word of Object.keys(node)) pending.push(part(place, word));
  }
  return found;
}
