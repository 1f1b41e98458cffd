// Coercion: from a validated JSON value to what the generated types promise. An int64 becomes a
// bigint, an absent property gets its default, a readOnly one of a request is removed. Runs after
// validation, so that no branch of a composition sees a value that another branch has changed.
import { defaultOf } from './defaults.ts';
import { hiddenNames, isBigint, type Schema } from './model.ts';
import { patternTest } from './pattern.ts';
import type { Validators } from './validator.ts';

/** Gives a valid value its types, in place where it is an object; @returns the typed value. */
export type Coercion = (value: unknown) => unknown;

type Step = (value: unknown) => unknown;
type Properties = Record<string, unknown>;

/** The typings of one contract, for values that came from outside. */
export class Coercions {
  readonly #validators: Validators;
  readonly #coercions = new Map<Schema, Coercion | undefined>();

  constructor(validators: Validators) {
    this.#validators = validators;
  }

  /** @returns the typing of the schema at `pointer`; undefined where values are typed as they are */
  at(pointer: string): Coercion | undefined {
    return this.#of(this.#validators.model.at(pointer)!);
  }

  #of(schema: Schema): Coercion | undefined {
    if (this.#coercions.has(schema)) return this.#coercions.get(schema);
    const needed = this.#isNeeded(schema, new Set());
    // A schema that contains itself finds its typing here by the time a value reaches it.
    this.#coercions.set(
      schema,
      needed ? (value) => this.#coercions.get(schema)!(value) : undefined,
    );
    if (needed) this.#coercions.set(schema, this.#compile(schema));
    return this.#coercions.get(schema);
  }

  #isNeeded(schema: Schema, seen: Set<Schema>): boolean {
    if (seen.has(schema)) return false;
    seen.add(schema);
    if (isBigint(schema) || this.#hiddenIn(schema).size > 0) return true;
    return schema.inner.some(
      (each) => each.keywords.default !== undefined || this.#isNeeded(each, seen),
    );
  }

  #hiddenIn(schema: Schema): Set<string> {
    return hiddenNames(schema, this.#validators.direction);
  }

  #compile(schema: Schema): Coercion {
    const steps: Step[] = [
      ...this.#every([...(schema.ref === undefined ? [] : [schema.ref]), ...schema.list('allOf')]),
      ...this.#matching(schema.dynamicRefs, schema),
      ...this.#matching(schema.list('oneOf'), schema),
      ...this.#matching(schema.list('anyOf'), schema),
      ...this.#conditional(schema),
      ...this.#dependent(schema),
      ...this.#properties(schema),
      ...this.#items(schema),
      ...(isBigint(schema) ? [toBigint] : []),
      ...removal(this.#hiddenIn(schema)),
    ];
    if (steps.length === 1) return steps[0]!;
    return (value) => steps.reduce((typed, step) => step(typed), value);
  }

  #every(schemas: readonly Schema[]): Step[] {
    return schemas.flatMap((each) => this.#of(each) ?? []);
  }

  /** Of alternatives, those types apply whose schema the value meets. */
  #matching(schemas: readonly Schema[], of: Schema): Step[] {
    const branches = schemas.flatMap((each) => {
      const coercion = this.#of(each);
      return coercion ? [{ coercion, isMet: this.#validators.branch(each, of) }] : [];
    });
    if (branches.length === 0) return [];
    return [
      (value) => {
        const met = branches.filter(({ isMet }) => isMet(value));
        return met.reduce((typed, { coercion }) => coercion(typed), value);
      },
    ];
  }

  #conditional(schema: Schema): Step[] {
    const condition = schema.child('if');
    if (condition === undefined) return [];
    const [then, otherwise] = (['then', 'else'] as const).map((word) => {
      const branch = schema.child(word);
      return branch && this.#of(branch);
    });
    if (then === undefined && otherwise === undefined) return [];
    const isMet = this.#validators.branch(condition, schema);
    return [
      (value) => {
        const coercion = isMet(value) ? then : otherwise;
        return coercion ? coercion(value) : value;
      },
    ];
  }

  #dependent(schema: Schema): Step[] {
    return [...schema.map('dependentSchemas')].flatMap(([name, each]) => {
      const coercion = this.#of(each);
      if (coercion === undefined) return [];
      return [
        (value: unknown) =>
          isObject(value) && Object.hasOwn(value, name) ? coercion(value) : value,
      ];
    });
  }

  #properties(schema: Schema): Step[] {
    const properties = schema.map('properties');
    const hidden = this.#hiddenIn(schema);
    const own = [...properties]
      .filter(([name]) => !hidden.has(name))
      .map(
        ([name, each]) =>
          [name, { coercion: this.#of(each), default: defaultOf(each, this.#validators) }] as const,
      )
      .filter(([, each]) => each.coercion || each.default !== undefined);
    const others = this.#otherProperties(schema);
    if (own.length === 0) return others;
    return [(value) => (isObject(value) ? typeProperties(value, own) : value), ...others];
  }

  #otherProperties(schema: Schema): Step[] {
    const declared = schema.map('properties');
    const patterns = [...schema.map('patternProperties')].map(([pattern, each]) => ({
      pattern: patternTest(pattern),
      coercion: this.#of(each),
    }));
    const others = schema.child('additionalProperties');
    const rest = others && this.#of(others);
    if (rest === undefined && patterns.every(({ coercion }) => coercion === undefined)) return [];
    const typingOf = (name: string) => {
      const matched = patterns.find(({ pattern }) => pattern?.test(name));
      return matched === undefined && !declared.has(name) ? rest : matched?.coercion;
    };
    return [(value) => (isObject(value) ? typeEach(value, typingOf) : value)];
  }

  #items(schema: Schema): Step[] {
    const prefix = schema.list('prefixItems').map((each) => this.#of(each));
    const others = schema.child('items');
    const rest = others && this.#of(others);
    if (rest === undefined && prefix.every((coercion) => coercion === undefined)) return [];
    const typingAt = (at: number) => (at < prefix.length ? prefix[at] : rest);
    return [
      (value) =>
        Array.isArray(value)
          ? value.map((item, at) => {
              const coercion = typingAt(at);
              return coercion ? coercion(item) : item;
            })
          : value,
    ];
  }
}

interface PropertyTyping {
  readonly coercion: Coercion | undefined;
  readonly default: unknown;
}

type NamedTyping = readonly [name: string, property: PropertyTyping];

function typeProperties(value: Properties, own: readonly NamedTyping[]): Properties {
  for (const [name, { coercion, default: fallback }] of own) {
    const held = Object.hasOwn(value, name) ? value[name] : structuredClone(fallback);
    if (held !== undefined) value[name] = coercion ? coercion(held) : held;
  }
  return value;
}

function typeEach(value: Properties, typingOf: (name: string) => Coercion | undefined): Properties {
  for (const name of Object.keys(value)) {
    const coercion = typingOf(name);
    if (coercion !== undefined) value[name] = coercion(value[name]);
  }
  return value;
}

function removal(names: ReadonlySet<string>): Step[] {
  if (names.size === 0) return [];
  return [
    (value) => {
      if (isObject(value)) for (const name of names) delete value[name];
      return value;
    },
  ];
}

function toBigint(value: unknown): unknown {
  return typeof value === 'number' ? BigInt(value) : value;
}

function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
