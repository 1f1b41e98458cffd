// What a schema asks, taken apart: references followed, one branch chosen of each composition. What
// is left is a list of schemas that a value must meet all at once; there is one list a choice.
import type { Definition, Place } from '../../definition/definition.ts';
import { Heights } from './heights.ts';
import type { Random } from './random.ts';
import type { References } from './references.ts';
import {
  BREAKS,
  type Composition,
  compositions,
  isMade,
  made,
  named,
  part,
  parts,
} from './words.ts';

/** The schemas of one choice; only their own words count, since compositions are resolved. */
export type Variant = readonly Place[];

export class Variants {
  readonly #definition: Definition;
  readonly #references: References;
  readonly #heights: Heights;

  constructor(definition: Definition, references: References) {
    this.#definition = definition;
    this.#references = references;
    this.#heights = new Heights(references);
  }

  /** @yields the variants of schemas that hold together; where `isLean`, the least nested first */
  of(schemas: readonly Place[], random: Random, isLean: boolean): Generator<Variant> {
    return this.#expand(schemas, [], { random, isLean });
  }

  *#expand(pending: readonly Place[], done: Variant, order: Order): Generator<Variant> {
    const [place, ...rest] = pending;
    if (place === undefined) {
      yield done;
      return;
    }
    const { node } = place;
    // A schema that nothing meets, or no value that ends, ends this choice.
    if (!isMade(place) && !Number.isFinite(this.#heights.of(place))) return;
    if (typeof node !== 'object' || done.some((each) => each.node === node)) {
      yield* this.#expand(rest, done, order);
      return;
    }
    const isOnlyReference = node.$ref !== undefined && this.#definition.isVersion30;
    const own = isOnlyReference ? [] : [place];
    const choices = isOnlyReference ? [] : this.#choices(place, order);
    for (const chosen of product(choices)) {
      yield* this.#expand(
        [...this.#references.mandatory(place), ...chosen, ...rest],
        [...done, ...own],
        order,
      );
    }
  }

  /** Each composition of a schema with what may be chosen of it. */
  #choices(place: Place, order: Order): (readonly Place[])[][] {
    const choices = compositions(place).map((word) => this.#branches(place, word, order));
    const { node } = place;
    if (typeof node.$dynamicRef === 'string') {
      choices.push(this.#references.anchored(node.$dynamicRef).map((each) => [each]));
    }
    if (node.if !== undefined) {
      const then = [part(place, 'if'), ...(node.then === undefined ? [] : [part(place, 'then')])];
      choices.push([then, node.else === undefined ? [] : [part(place, 'else')], []]);
    }
    for (const each of parts(place, 'dependentSchemas')) choices.push([[each], []]);
    return choices;
  }

  #branches(place: Place, word: Composition, { random, isLean }: Order): (readonly Place[])[] {
    const branches = random.fork(place.pointer).rotate(parts(place, word));
    const ending = branches.filter((each) => Number.isFinite(this.#heights.of(each)));
    if (isLean) ending.sort((a, b) => this.#heights.of(a) - this.#heights.of(b));
    const pinned = ending.map((each) => [each, ...this.#discriminating(place, each)]);
    const plain = ending.map((each) => [each]);
    const apart = word === 'oneOf' ? ending.map((each) => this.#apart(each, branches)) : [];
    return [...pinned, ...plain, ...apart];
  }

  /** The value by which a discriminator selects a branch. */
  #discriminating(place: Place, { node: { $ref } }: Place): Place[] {
    const { propertyName, mapping = {} } = place.node.discriminator ?? {};
    if (typeof propertyName !== 'string' || typeof $ref !== 'string') return [];
    const value = Object.keys(mapping).find((each) =>
      [$ref, $ref.slice($ref.lastIndexOf('/') + 1)].includes(mapping[each]),
    );
    const selecting = { const: value ?? $ref.slice($ref.lastIndexOf('/') + 1) };
    return [made({ properties: { [propertyName]: selecting }, required: [propertyName] })];
  }

  /** A branch of `oneOf`, and for each other one a property that breaks it. */
  #apart(branch: Place, branches: readonly Place[]): Place[] {
    const propertiesOf = (each: Place) =>
      this.#references.chain(each).flatMap((at) => named(at, 'properties'));
    const own = new Map(propertiesOf(branch));
    const others = branches.filter((each) => each !== branch);
    const breaking = others.flatMap((other) => {
      const found = propertiesOf(other).find(([name]) => !own.has(name));
      return found === undefined ? [] : [[found[0], { [BREAKS]: found[1].pointer }]];
    });
    const foreign = Object.fromEntries(breaking);
    return [branch, made({ properties: foreign, required: Object.keys(foreign) })];
  }
}

interface Order {
  readonly random: Random;
  readonly isLean: boolean;
}

/** @yields every way to choose one of each list */
function* product(lists: readonly (readonly (readonly Place[])[])[]): Generator<Place[]> {
  const [first, ...rest] = lists;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const chosen of first) for (const others of product(rest)) yield [...chosen, ...others];
}
