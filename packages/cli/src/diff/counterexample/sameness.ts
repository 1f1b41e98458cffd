// Whether two schemas have the same keywords, apart from documentation, throughout all subschemas.
import type { Node, Schema } from 'stubwright/contract';
import { DOCUMENTATION_KEYWORDS } from '../documentation.ts';
import { canonical } from '../formatting.ts';
import type { Unchanged } from '../unchanged.ts';

const NO_ASSERTIONS = new Set<string>([
  ...DOCUMENTATION_KEYWORDS.schema,
  ...['default', '$defs', '$anchor', '$id'],
]);

/** Remembers the results for two contracts: each pair of schemas is compared once. */
export class Sameness {
  readonly #known = new Map<string, boolean>();
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
      before.every((each, at) => keywordsOf(each) === keywordsOf(after[at]!))
    );
  }

  /** @returns the pairs of subschemas that differ in their own keywords, as a key */
  changesIn(before: Schema, after: Schema): string {
    const seen = new Set<string>();
    const changed: string[] = [];
    const pending = [[before, after] as const];
    for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
      const [was, is] = pair;
      const key = `${was.pointer} > ${is.pointer}`;
      if (seen.has(key) || this.#isSame(was, is)) continue;
      seen.add(key);
      if (was.inner.length !== is.inner.length || keywordsOf(was) !== keywordsOf(is)) {
        changed.push(key);
      } else pending.push(...was.inner.map((each, at) => [each, is.inner[at]!] as const));
    }
    return changed.sort().join('\n');
  }

  #isSame(before: Schema, after: Schema): boolean {
    const assumed = new Set<string>();
    const isSame = this.#walk(before, after, assumed);
    // Without a difference, every assumption holds.
    if (isSame) for (const key of assumed) this.#known.set(key, true);
    return isSame;
  }

  #walk(before: Schema, after: Schema, assumed: Set<string>): boolean {
    if (this.#unchanged.hasSchema(before, after)) return true;
    const key = `${before.pointer} > ${after.pointer}`;
    const known = this.#known.get(key) ?? (assumed.has(key) || undefined);
    if (known !== undefined) return known;
    assumed.add(key);
    const [was, is] = [before.inner, after.inner];
    const isSame =
      was.length === is.length &&
      keywordsOf(before) === keywordsOf(after) &&
      was.every((each, at) => this.#walk(each, is[at]!, assumed));
    if (!isSame) this.#known.set(key, false);
    return isSame;
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
