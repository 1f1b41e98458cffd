// Whether two schemas have the same keywords, apart from documentation, throughout all subschemas.
import type { Node, Schema } from '@stubwright/contract';
import { DOCUMENTATION_KEYWORDS } from '../rules/documentationKeywords.ts';
import type { Unchanged } from '../schema/unchanged.ts';
import { canonical } from '../values/formatting.ts';

const NO_ASSERTIONS = new Set<string>([
  ...DOCUMENTATION_KEYWORDS.schema,
  ...['default', '$defs', '$anchor', '$id'],
]);

/** Of a pair of pointers: exact as long as 2^26 pointers exist. */
type PairKey = number;
const MAX_POINTERS = 2 ** 26;

/** Remembers the results for two contracts: each pair of schemas is compared once. */
export class Sameness {
  readonly #known = new Map<PairKey, boolean>();
  readonly #numbers = new Map<string, number>();
  readonly #keywords = new WeakMap<Schema, string>();
  readonly #unchanged: Unchanged;

  constructor(unchanged: Unchanged) {
    this.#unchanged = unchanged;
  }

  /** @returns true if both schemas certainly accept the same values; schemas may be recursive */
  areSame(before: readonly Schema[], after: readonly Schema[]): boolean {
    return (
      before.length === after.length && before.every((each, at) => this.#isSame(each, after[at]!))
    );
  }

  /** @returns true if the schemas differ at most in subschemas */
  haveSameKeywords(before: readonly Schema[], after: readonly Schema[]): boolean {
    return (
      before.length === after.length &&
      before.every((each, at) => this.#haveSameKeywords(each, after[at]!))
    );
  }

  /** @returns the pairs of subschemas that differ in their own keywords, as a key */
  changesIn(before: Schema, after: Schema): string {
    const seen = new Set<PairKey>();
    const changed: string[] = [];
    const pending = [[before, after] as const];
    for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
      const [was, is] = pair;
      const key = this.#keyOf(was, is);
      if (seen.has(key) || this.#isSame(was, is)) continue;
      seen.add(key);
      if (was.inner.length !== is.inner.length || !this.#haveSameKeywords(was, is)) {
        changed.push(`${was.pointer} > ${is.pointer}`);
      } else pending.push(...was.inner.map((each, at) => [each, is.inner[at]!] as const));
    }
    return changed.sort().join('\n');
  }

  #isSame(before: Schema, after: Schema): boolean {
    const key = this.#keyOf(before, after);
    if (!this.#known.has(key)) this.#settle(before, after);
    return this.#known.get(key)!;
  }

  #haveSameKeywords(before: Schema, after: Schema): boolean {
    return this.#keywordsOf(before) === this.#keywordsOf(after);
  }

  #keywordsOf(schema: Schema): string {
    let keywords = this.#keywords.get(schema);
    if (keywords === undefined) {
      keywords = keywordsOf(schema);
      this.#keywords.set(schema, keywords);
    }
    return keywords;
  }

  #keyOf({ pointer }: Schema, after: Schema): PairKey {
    return this.#numberOf(pointer) * MAX_POINTERS + this.#numberOf(after.pointer);
  }

  #numberOf(pointer: string): number {
    let number = this.#numbers.get(pointer);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(pointer, number);
    }
    return number;
  }

  /** Settles all pairs that the pair reaches: those that reach a difference are not the same. */
  #settle(before: Schema, after: Schema): void {
    const dependents = new Map<PairKey, PairKey[]>([[this.#keyOf(before, after), []]]);
    const differing = new Set<PairKey>();
    const pending = [[before, after] as const];
    for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
      const [was, is] = pair;
      if (this.#unchanged.hasSchema(was, is)) continue;
      const key = this.#keyOf(was, is);
      if (was.inner.length !== is.inner.length || !this.#haveSameKeywords(was, is)) {
        differing.add(key);
        continue;
      }
      for (const [at, each] of was.inner.entries()) {
        const inner = this.#keyOf(each, is.inner[at]!);
        const known = this.#known.get(inner);
        if (known === false) differing.add(key);
        if (known !== undefined) continue;
        const others = dependents.get(inner);
        if (others !== undefined) others.push(key);
        else {
          dependents.set(inner, [key]);
          pending.push([each, is.inner[at]!]);
        }
      }
    }
    for (const key of differing) for (const each of dependents.get(key)!) differing.add(each);
    for (const key of dependents.keys()) this.#known.set(key, !differing.has(key));
  }
}

/** @returns the assertions of a schema without its subschemas, and the keywords that hold these */
function keywordsOf(schema: Schema): string {
  const { isNever, isNullable, keywords, types, written } = schema;
  const own = Object.entries(keywords).filter(
    ([name]) => !NO_ASSERTIONS.has(name) && !name.startsWith('x-'),
  );
  const inner = Object.entries((written ?? {}) as Node)
    .filter(([name]) => schema.has(name) && !(name in keywords) && !name.startsWith('$'))
    .map(([name, value]) => [name, namesIn(value)]);
  return canonical([isNever, isNullable, [...(types ?? [])], Object.fromEntries(own), inner]);
}

/** The names distinguish maps of subschemas; a type or a single subschema has none to compare. */
function namesIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Object.keys(value) : typeof value;
}
