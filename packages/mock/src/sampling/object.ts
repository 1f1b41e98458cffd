// Generates sample objects.
import { lenientTest, type Schema } from '@stubwright/contract';
import type { PartSampler } from './partSampler.ts';
import { stringsMatching } from './pattern.ts';
import type { Variant } from './variants.ts';

/** Maximum number of generated property names. */
const MAX_NAMES = 200;
const ANY_LENGTH = { min: 0, max: Number.POSITIVE_INFINITY };

type Properties = Map<string, unknown>;

/** @yields objects with all, only the required, and some of the optional properties */
export function* objects(variant: Variant, sampler: PartSampler): Generator<object> {
  const shape = new ObjectShape(variant, sampler);
  const { optional } = shape;
  const some = () => optional.filter(() => sampler.random.below(2) === 0);
  const wishes = sampler.isLean ? [[], some(), optional] : [optional, [], some(), some(), some()];
  if (shape.ignored.length > 0) wishes.push(shape.ignored, [...shape.ignored, ...optional]);
  for (const wished of wishes) {
    const value = shape.filled(wished);
    if (value !== undefined) yield Object.fromEntries(value);
  }
}

/** The constraints of a variant on an object. */
class ObjectShape {
  /** The declared optional properties. */
  readonly optional: readonly string[];
  /** The readOnly properties, which a request may contain. */
  readonly ignored: readonly string[];
  readonly #variant: Variant;
  readonly #sampler: PartSampler;
  readonly #required: readonly string[];
  readonly #nameRules: readonly Schema[];
  readonly #min: number;
  readonly #max: number;

  constructor(variant: Variant, sampler: PartSampler) {
    this.#variant = variant;
    this.#sampler = sampler;
    const nodes = variant.map(({ keywords }) => keywords);
    this.#min = Math.max(0, ...nodes.map((node) => Number(node.minProperties ?? 0)));
    this.#max = Math.min(...nodes.map((node) => Number(node.maxProperties ?? Infinity)));
    this.#nameRules = variant.flatMap((each) => each.child('propertyNames') ?? []);
    const declared = new Set(variant.flatMap((each) => [...each.map('properties').keys()]));
    const required = new Set<string>(nodes.flatMap(({ required }) => required ?? []));
    this.#required = [...required].filter((name) => this.#isVisible(name));
    const allowed = [...declared].filter((name) => this.#isAllowed(name));
    this.optional = allowed.filter((name) => !required.has(name) && this.#isVisible(name));
    this.ignored = sampler.ignoresHidden ? allowed.filter((name) => !this.#isVisible(name)) : [];
  }

  /** @returns an object with the required and the wished properties and their dependents; or undefined */
  filled(wished: readonly string[]): Properties | undefined {
    const value: Properties = new Map();
    for (const name of this.#withDependents(this.#required)) {
      const property = this.#valueOf(name, 'first');
      if (property !== undefined) value.set(name, property);
      else if (!this.#sampler.isIncomplete) return undefined;
    }
    for (const name of wished) this.#add(value, name);
    if (value.size >= this.#min) return value;
    for (const name of this.#moreNames()) {
      this.#add(value, name);
      if (value.size >= this.#min) return value;
    }
    return undefined;
  }

  /** Adds a property and its dependents, if maxProperties permits and all have a value. */
  #add(value: Properties, wished: string): void {
    const names = this.#withDependents([wished]).filter((name) => !value.has(name));
    if (value.size + names.length > this.#max) return;
    const values = names.map((name) => [name, this.#valueOf(name, 'optional')] as const);
    if (values.some(([, each]) => each === undefined)) return;
    for (const [name, each] of values) value.set(name, each);
  }

  #valueOf(name: string, how: 'first' | 'optional'): unknown {
    const schemas = this.#schemasOf(name);
    return schemas && this.#sampler[how](schemas, name);
  }

  #withDependents(names: readonly string[]): string[] {
    const all = new Set(names);
    for (const name of all) {
      for (const { keywords } of this.#variant) {
        for (const other of keywords.dependentRequired?.[name] ?? []) all.add(other);
      }
    }
    return [...all];
  }

  /** @returns the schemas of a property; undefined if the property is not allowed */
  #schemasOf(name: string): Schema[] | undefined {
    const asked = this.#variant.map((each) => schemasIn(each, name));
    if (asked.includes(undefined)) return undefined;
    const schemas = asked.flatMap((each) => each ?? []);
    if (schemas.length > 0) return schemas;
    const unevaluated = this.#variant.flatMap((each) => each.child('unevaluatedProperties') ?? []);
    return unevaluated.some(({ isNever }) => isNever) ? undefined : unevaluated;
  }

  #isAllowed(name: string): boolean {
    const isNamedWell = this.#nameRules.every((rule) => this.#sampler.isValid(name, rule));
    return isNamedWell && this.#schemasOf(name) !== undefined;
  }

  #isVisible(name: string): boolean {
    const schemas = this.#variant.flatMap((each) => schemasIn(each, name) ?? []);
    return !schemas.some((schema) => this.#sampler.isHiddenProperty(schema));
  }

  /** @yields optional names, then names by patternProperties, by propertyNames, and arbitrary ones */
  *#moreNames(): Generator<string> {
    yield* this.optional;
    const patterns = this.#variant.flatMap((each) => [...each.map('patternProperties').keys()]);
    for (let at = 1; at <= MAX_NAMES; at++) {
      const names = [
        ...patterns.flatMap((pattern) => this.#nameMatching(pattern, at)),
        this.#nameRules.length > 0 && this.#sampler.first(this.#nameRules, `name ${at}`),
        `property${at}`,
      ];
      for (const name of names) {
        if (typeof name === 'string' && this.#isAllowed(name)) yield name;
      }
    }
  }

  #nameMatching(pattern: string, at: number): string[] {
    const [name] = stringsMatching(pattern, this.#sampler.random.fork(`name ${at}`), ANY_LENGTH);
    return name === undefined ? [] : [name];
  }
}

/** @returns the subschemas of a property; undefined if the property is not allowed */
function schemasIn(schema: Schema, name: string): Schema[] | undefined {
  const own = schema.map('properties').get(name);
  const matching = [...schema.map('patternProperties')].filter(([pattern]) =>
    lenientTest(pattern).test(name),
  );
  const found = [...(own === undefined ? [] : [own]), ...matching.map(([, each]) => each)];
  if (found.some(({ isNever }) => isNever)) return undefined;
  const others = schema.child('additionalProperties');
  if (found.length > 0 || others === undefined) return found;
  return others.isNever ? undefined : [others];
}
