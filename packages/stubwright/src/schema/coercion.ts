// Coercion of validated values to the generated types: int64 to bigint; in requests also defaults, and
// removal of readOnly.
import { defaultOf } from './defaults.ts';
import { selectableBy, selectedBy } from './discriminator.ts';
import { hiddenNames, isBigint, type Schema } from './model.ts';
import { patternTest } from './pattern.ts';
import type { Validators } from './validator.ts';

/** Coerces a valid value; modifies objects in place. @returns the coerced value */
export type Coercion = (value: unknown) => unknown;

type Step = (value: unknown) => unknown;
type Properties = Record<string, unknown>;

/** The coercions of one contract. */
export class Coercions {
  readonly #validators: Validators;
  readonly #coercions = new Map<Schema, Coercion | undefined>();
  /** Without the schemas that discriminators select. */
  readonly #own = new Map<Schema, Coercion | undefined>();

  constructor(validators: Validators) {
    this.#validators = validators;
  }

  /** @returns the coercion of the schema at `pointer`; undefined if it changes nothing */
  at(pointer: string): Coercion | undefined {
    return this.#of(this.#validators.model.at(pointer)!);
  }

  #of(schema: Schema): Coercion | undefined {
    if (!this.#coercions.has(schema)) this.#coercions.set(schema, this.#withSelected(schema));
    return this.#coercions.get(schema);
  }

  /**
   * Includes the schemas that discriminators select. The value need not be valid against them, because a
   * discriminator never changes the outcome of a validation.
   */
  #withSelected(schema: Schema): Coercion | undefined {
    if (selectableBy(schema).length === 0) return this.#ownOf(schema);
    if (!this.#isNeeded(schema, new Set())) return undefined;
    const coerce = (value: unknown, by: Schema) => {
      const own = this.#ownOf(by);
      return own === undefined ? value : own(value);
    };
    return (value) => [schema, ...selectedBy(schema, value)].reduce(coerce, value);
  }

  #ownOf(schema: Schema): Coercion | undefined {
    if (this.#own.has(schema)) return this.#own.get(schema);
    const needed = this.#isNeeded(schema, new Set());
    // Recursive schemas find their coercion here when a value is coerced.
    this.#own.set(schema, needed ? (value) => this.#own.get(schema)!(value) : undefined);
    if (needed) this.#own.set(schema, this.#compile(schema));
    return this.#own.get(schema);
  }

  #isNeeded(schema: Schema, seen: Set<Schema>): boolean {
    if (seen.has(schema)) return false;
    seen.add(schema);
    if (isBigint(schema) || this.#hiddenIn(schema).size > 0) return true;
    return [...schema.inner, ...selectableBy(schema)].some(
      (each) =>
        (this.#isRequest && each.keywords.default !== undefined) || this.#isNeeded(each, seen),
    );
  }

  /** A response keeps what the service sent. */
  get #isRequest(): boolean {
    return this.#validators.direction === 'request';
  }

  #hiddenIn(schema: Schema): Set<string> {
    return this.#isRequest ? hiddenNames(schema, 'request') : new Set();
  }

  #defaultOf(schema: Schema): unknown {
    return this.#isRequest ? defaultOf(schema, this.#validators) : undefined;
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
    return (value) => steps.reduce((coerced, step) => step(coerced), value);
  }

  #every(schemas: readonly Schema[]): Step[] {
    return schemas.flatMap((each) => this.#ownOf(each) ?? []);
  }

  /** The coercions of the alternatives that match the value. */
  #matching(schemas: readonly Schema[], of: Schema): Step[] {
    const branches = schemas.flatMap((each) => {
      const coercion = this.#of(each);
      return coercion ? [{ coercion, isMet: this.#validators.branch(each, of) }] : [];
    });
    if (branches.length === 0) return [];
    return [
      (value) => {
        const met = branches.filter(({ isMet }) => isMet(value));
        return met.reduce((coerced, { coercion }) => coercion(coerced), value);
      },
    ];
  }

  #conditional(schema: Schema): Step[] {
    const condition = schema.child('if');
    if (condition === undefined) return [];
    const [then, otherwise] = (['then', 'else'] as const).map((keyword) => {
      const branch = schema.child(keyword);
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
          [name, { coercion: this.#of(each), default: this.#defaultOf(each) }] as const,
      )
      .filter(([, each]) => each.coercion || each.default !== undefined);
    const others = this.#otherProperties(schema);
    if (own.length === 0) return others;
    return [(value) => (isObject(value) ? coerceProperties(value, own) : value), ...others];
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
    const coercionOf = (name: string) => {
      const matched = patterns.find(({ pattern }) => pattern?.test(name));
      return matched === undefined && !declared.has(name) ? rest : matched?.coercion;
    };
    return [(value) => (isObject(value) ? coerceEach(value, coercionOf) : value)];
  }

  #items(schema: Schema): Step[] {
    const prefix = schema.list('prefixItems').map((each) => this.#of(each));
    const others = schema.child('items');
    const rest = others && this.#of(others);
    if (rest === undefined && prefix.every((coercion) => coercion === undefined)) return [];
    const coercionAt = (at: number) => (at < prefix.length ? prefix[at] : rest);
    return [
      (value) =>
        Array.isArray(value)
          ? value.map((item, at) => {
              const coercion = coercionAt(at);
              return coercion ? coercion(item) : item;
            })
          : value,
    ];
  }
}

interface PropertyCoercion {
  readonly coercion: Coercion | undefined;
  readonly default: unknown;
}

type NamedCoercion = readonly [name: string, property: PropertyCoercion];

function coerceProperties(value: Properties, own: readonly NamedCoercion[]): Properties {
  for (const [name, { coercion, default: fallback }] of own) {
    const own = Object.hasOwn(value, name) ? value[name] : structuredClone(fallback);
    if (own !== undefined) value[name] = coercion ? coercion(own) : own;
  }
  return value;
}

function coerceEach(
  value: Properties,
  coercionOf: (name: string) => Coercion | undefined,
): Properties {
  for (const name of Object.keys(value)) {
    const coercion = coercionOf(name);
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
  return Number.isInteger(value) ? BigInt(value as number) : value;
}

function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
