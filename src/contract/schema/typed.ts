// From a validated JSON value to what the generated types promise: an int64 is a bigint, a missing
// property has its default. Runs after validation, so that no branch of a composition sees a value
// that another branch has changed.
import type { Definition, Place } from '../definition/definition.ts';
import { isInt64, subschemas } from './keywords.ts';
import { compilePattern } from './pattern.ts';
import type { Validators } from './validator.ts';

/** Gives a valid value its types, in place where it is an object; @returns the typed value. */
export type Typing = (value: unknown) => unknown;

type Step = (value: unknown) => unknown;
type Properties = Record<string, unknown>;

/** The typings of one contract, for values that came from outside. */
export class Typings {
  readonly #definition: Definition;
  readonly #validators: Validators;
  readonly #typings = new Map<string, Typing | undefined>();

  constructor(definition: Definition, validators: Validators) {
    this.#definition = definition;
    this.#validators = validators;
  }

  /** @returns the typing of the schema at `pointer`; undefined where values are typed as they are. */
  at(pointer: string): Typing | undefined {
    if (this.#typings.has(pointer)) return this.#typings.get(pointer);
    const place = this.#definition.at(pointer)!;
    const needed = this.#isNeeded(place, new Set());
    // A schema that contains itself finds its typing here by the time a value reaches it.
    this.#typings.set(pointer, needed ? (value) => this.#typings.get(pointer)!(value) : undefined);
    if (needed) this.#typings.set(pointer, this.#compile(place));
    return this.#typings.get(pointer);
  }

  #isNeeded(place: Place, seen: Set<string>): boolean {
    if (seen.has(place.pointer) || typeof place.node !== 'object') return false;
    seen.add(place.pointer);
    if (isInt64(place.node)) return true;
    return subschemas(this.#definition, place).some(
      (each) => each.node?.default !== undefined || this.#isNeeded(each, seen),
    );
  }

  #steps(place: Place, word: string): Place[] {
    const list = this.#definition.step(place, word);
    return Object.keys(list.node ?? {}).map((name) => this.#definition.step(list, name));
  }

  #compile(place: Place): Typing {
    const steps: Step[] = [
      ...this.#every([this.#definition.schemaTarget(place), ...this.#steps(place, 'allOf')]),
      ...this.#matching(this.#steps(place, 'oneOf')),
      ...this.#matching(this.#steps(place, 'anyOf')),
      ...this.#conditional(place),
      ...this.#properties(place),
      ...this.#items(place),
      ...(isInt64(place.node) ? [toBigint] : []),
    ];
    if (steps.length === 1) return steps[0]!;
    return (value) => steps.reduce((typed, step) => step(typed), value);
  }

  #every(places: readonly (Place | undefined)[]): Step[] {
    const typings = places.map((place) => place && this.at(place.pointer));
    return typings.filter((typing) => typing !== undefined);
  }

  /** Of alternatives, those types apply whose schema the value meets. */
  #matching(places: readonly Place[]): Step[] {
    const branches = places.flatMap(({ pointer }) => {
      const typing = this.at(pointer);
      return typing ? [{ typing, isMet: this.#validators.at(pointer) }] : [];
    });
    if (branches.length === 0) return [];
    return [
      (value) => {
        const met = branches.filter(({ isMet }) => isMet(value));
        return met.reduce((typed, { typing }) => typing(typed), value);
      },
    ];
  }

  #conditional(place: Place): Step[] {
    if (place.node['if'] === undefined) return [];
    const [then, otherwise] = ['then', 'else'].map((word) =>
      place.node[word] === undefined ? undefined : this.at(`${place.pointer}/${word}`),
    );
    if (then === undefined && otherwise === undefined) return [];
    const isMet = this.#validators.at(`${place.pointer}/if`);
    return [(value) => (isMet(value) ? then?.(value) : otherwise?.(value)) ?? value];
  }

  #properties(place: Place): Step[] {
    const named = new Map<string, PropertyTyping>();
    for (const { pointer, node } of this.#steps(place, 'properties')) {
      const name = Object.keys(place.node.properties)[named.size]!;
      named.set(name, { typing: this.at(pointer), default: node?.default });
    }
    const own = [...named].filter(([, each]) => each.typing || each.default !== undefined);
    const others = this.#otherProperties(place, new Set(named.keys()));
    if (own.length === 0) return others;
    return [(value) => (isObject(value) ? typeProperties(value, own) : value), ...others];
  }

  #otherProperties(place: Place, declared: ReadonlySet<string>): Step[] {
    const patterns = Object.keys(place.node.patternProperties ?? {}).map((pattern, at) => ({
      pattern: compilePattern(pattern),
      typing: this.at(this.#steps(place, 'patternProperties')[at]!.pointer),
    }));
    const rest = place.node.additionalProperties
      ? this.at(`${place.pointer}/additionalProperties`)
      : undefined;
    if (rest === undefined && patterns.every(({ typing }) => typing === undefined)) return [];
    const typingOf = (name: string) => {
      const matched = patterns.find(({ pattern }) => pattern?.test(name));
      return matched === undefined && !declared.has(name) ? rest : matched?.typing;
    };
    return [(value) => (isObject(value) ? typeEach(value, Object.keys(value), typingOf) : value)];
  }

  #items(place: Place): Step[] {
    const prefix = this.#steps(place, 'prefixItems').map(({ pointer }) => this.at(pointer));
    const rest = place.node.items ? this.at(`${place.pointer}/items`) : undefined;
    if (rest === undefined && prefix.every((typing) => typing === undefined)) return [];
    const typingOf = (_: unknown, at: number) => (at < prefix.length ? prefix[at] : rest);
    return [
      (value) =>
        Array.isArray(value) ? value.map((item, at) => typingOf(item, at)?.(item) ?? item) : value,
    ];
  }
}

interface PropertyTyping {
  readonly typing: Typing | undefined;
  readonly default: unknown;
}

function typeProperties(value: Properties, own: readonly [string, PropertyTyping][]): Properties {
  for (const [name, { typing, default: fallback }] of own) {
    const held = Object.hasOwn(value, name) ? value[name] : structuredClone(fallback);
    if (held !== undefined) value[name] = typing ? typing(held) : held;
  }
  return value;
}

function typeEach(
  value: Properties,
  names: readonly string[],
  typingOf: (name: string) => Typing | undefined,
): Properties {
  for (const name of names) value[name] = typingOf(name)?.(value[name]) ?? value[name];
  return value;
}

function toBigint(value: unknown): unknown {
  return typeof value === 'number' ? BigInt(value) : value;
}

function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
