// The parts of two contracts that are equal with all that they refer to. One pass over each contract.

import {
  type Contract,
  type ContractObject,
  escapeToken,
  isObject,
  type Node,
  type Schema,
  unescapeUri,
  valueAt,
} from '@stubwright/contract';

/** Two values have the same number if and only if they are equal, with their keys in the same order. */
type ValueNumber = number;

/** Keywords by which the target of a reference depends on the location of the reference. */
const IDENTIFIERS = new Set([
  ...['$id', '$self', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'],
]);
/** Keywords whose effect depends on the version of OpenAPI. */
const VERSIONED = ['nullable', 'encoding'];
const COMPONENTS = '/components/schemas/';

/** Compares by value, not by hash: different schemas are never equated. */
export class Unchanged {
  readonly #documents: readonly [Node, Node];
  readonly #numbers = new Map<string, ValueNumber>();
  readonly #before = new WeakMap<object, ValueNumber>();
  readonly #after = new WeakMap<object, ValueNumber>();
  /** The values that contain a value or refer to it. */
  readonly #dependents = new Map<ValueNumber, ValueNumber[]>();
  /** The objects with a `$ref` or a Discriminator Object. */
  readonly #referring = new Map<ValueNumber, Node>();
  /** The values that are equal in both contracts, but reach a difference. */
  readonly #reaching = new Set<ValueNumber>();
  /** The results by pointer: many operations may share a component. */
  readonly #objects = new Map<string, boolean>();
  readonly #isComparable: boolean;
  readonly #haveSameVersion: boolean;
  /** True if a contract has references whose target depends on their location. */
  hasIdentifiers = false;

  constructor(before: Contract, after: Contract) {
    this.#documents = [before.document, after.document];
    this.#haveSameVersion = before.isVersion30 === after.isVersion30;
    const was = this.#numberOf(before.document, this.#before);
    const is = this.#numberOf(after.document, this.#after);
    const [dialect, newDialect] = this.#documents.map((root) => root['jsonSchemaDialect']);
    this.#isComparable = was === is || (!this.hasIdentifiers && dialect === newDialect);
    if (was === is || !this.#isComparable) return;
    for (const [number, node] of this.#referring) this.#followReferences(number, node);
    this.#followExtensions();
    for (const number of this.#reaching) {
      for (const each of this.#dependents.get(number) ?? []) this.#reaching.add(each);
    }
  }

  /** @returns true if both have the same location and value, and reach no difference */
  has({ pointer }: ContractObject, after: ContractObject): boolean {
    if (!this.#isComparable || pointer !== after.pointer) return false;
    const known = this.#objects.get(pointer);
    if (known !== undefined) return known;
    const [was, is] = this.#documents;
    const areEqual = this.#areEqual(valueAt(was, pointer), valueAt(is, pointer));
    this.#objects.set(pointer, areEqual);
    return areEqual;
  }

  /** The same for schemas. */
  hasSchema(before: Schema, after: Schema): boolean {
    return before.pointer === after.pointer && this.#areEqual(before.written, after.written);
  }

  #areEqual(before: unknown, after: unknown): boolean {
    if (!this.#isComparable || !isObject(before) || !isObject(after)) return false;
    const number = this.#before.get(before);
    return number !== undefined && number === this.#after.get(after) && !this.#reaching.has(number);
  }

  #numberOf(value: unknown, known: WeakMap<object, ValueNumber>): ValueNumber {
    if (typeof value === 'string') return this.#intern(`"${value}`);
    if (typeof value !== 'object' || value === null)
      return this.#intern(`${typeof value} ${value}`);
    let number = known.get(value);
    if (number !== undefined) return number;
    const contained: ValueNumber[] = [];
    let text = Array.isArray(value) ? '[' : '{';
    for (const [name, each] of Object.entries(value)) {
      const part = this.#numberOf(each, known);
      text += `${this.#intern(`"${name}`)},${part},`;
      if (typeof each === 'object' && each !== null) contained.push(part);
    }
    const count = this.#numbers.size;
    number = this.#intern(text);
    known.set(value, number);
    if (number < count) return number;
    for (const part of contained) this.#addDependent(part, number);
    if (isObject(value)) this.#collect(number, value);
    return number;
  }

  #intern(text: string): ValueNumber {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  #addDependent(number: ValueNumber, dependent: ValueNumber): void {
    const known = this.#dependents.get(number);
    if (known === undefined) this.#dependents.set(number, [dependent]);
    else known.push(dependent);
  }

  #collect(number: ValueNumber, node: Node): void {
    if (typeof node['$ref'] === 'string' || isObject(node['discriminator'])) {
      this.#referring.set(number, node);
    }
    if (!this.#haveSameVersion && dependsOnVersion(node)) this.#reaching.add(number);
    this.hasIdentifiers ||= Object.keys(node).some((keyword) => IDENTIFIERS.has(keyword));
  }

  #followReferences(number: ValueNumber, { $ref, discriminator }: Node): void {
    if (typeof $ref === 'string') {
      if ($ref.startsWith('#/')) this.#depend(number, unescapeUri($ref.slice(1)));
      else this.#reaching.add(number);
    }
    if (!isObject(discriminator)) return;
    const { mapping, defaultMapping } = discriminator;
    for (const to of [...Object.values(Object(mapping)), defaultMapping]) {
      if (typeof to !== 'string') continue;
      this.#depend(number, COMPONENTS + escapeToken(to));
      if (to.startsWith('#/')) this.#depend(number, unescapeUri(to.slice(1)));
      else if (to.includes('#') || to.includes('/')) this.#reaching.add(number);
    }
  }

  /** @param pointer of a value that the value `number` reaches */
  #depend(number: ValueNumber, pointer: string): void {
    const [before, after] = this.#documents;
    const was = this.#known(valueAt(before, pointer), this.#before);
    const is = this.#known(valueAt(after, pointer), this.#after);
    if (was !== is) this.#reaching.add(number);
    else if (was !== undefined) this.#addDependent(was, number);
  }

  #known(value: unknown, known: WeakMap<object, ValueNumber>): ValueNumber | undefined {
    return value === undefined ? undefined : this.#numberOf(value, known);
  }

  /** A discriminator selects the components that include its schema by `allOf`. */
  #followExtensions(): void {
    const [before, after] = this.#documents;
    const was = this.#extensionsIn(before, this.#before);
    const is = this.#extensionsIn(after, this.#after);
    for (const number of new Set([...was.keys(), ...is.keys()])) {
      const pointers = [...(was.get(number) ?? []), ...(is.get(number) ?? [])];
      for (const pointer of new Set(pointers)) this.#depend(number, pointer);
      if (was.get(number)?.size !== is.get(number)?.size) this.#reaching.add(number);
    }
  }

  /** @returns the pointers of the components that include each schema with a discriminator */
  #extensionsIn(document: Node, known: WeakMap<object, ValueNumber>) {
    const found = new Map<ValueNumber, Set<string>>();
    for (const [name, component] of Object.entries(Object(document['components']?.schemas))) {
      const conjuncts = new Set([component]);
      for (const conjunct of conjuncts) {
        if (!isObject(conjunct)) continue;
        const { $ref, allOf, discriminator } = conjunct;
        if (typeof $ref === 'string') conjuncts.add(valueAt(document, unescapeUri($ref.slice(1))));
        for (const one of Array.isArray(allOf) ? allOf : []) conjuncts.add(one);
        if (!isObject(discriminator)) continue;
        const number = known.get(conjunct)!;
        const including = found.get(number) ?? new Set();
        found.set(number, including.add(COMPONENTS + escapeToken(name)));
      }
    }
    return found;
  }
}

/** OpenAPI 3.0 ignores what stands beside `$ref`, and has `nullable`; 3.1 has styles in multipart bodies. */
function dependsOnVersion(node: Node): boolean {
  const hasSiblings = node['$ref'] !== undefined && Object.keys(node).length > 1;
  return hasSiblings || VERSIONED.some((keyword) => node[keyword] !== undefined);
}
