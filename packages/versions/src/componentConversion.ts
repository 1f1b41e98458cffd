// Converts the values of components wherever a schema has them.
import {
  Applicators,
  type Applied,
  isObject,
  otherProperties,
  prefixLength,
  Reaching,
  type Schema,
  type SchemaValues,
  setOwn,
} from '@stubwright/contract';
import { Evaluation, type Validators } from '@stubwright/contract/values';

export type ConvertValue = (value: unknown) => unknown;

/** The converted components of one contract, in one direction. */
export class ComponentConversions {
  readonly #converters: ReadonlyMap<Schema, ConvertValue>;
  readonly #applicators: Applicators<Conversion>;

  /** @param converters by component of the contract */
  constructor(validators: Validators, converters: ReadonlyMap<Schema, ConvertValue>) {
    this.#converters = converters;
    const reaching = new Reaching((each) => this.#converters.has(each));
    this.#applicators = new Applicators(validators, {
      compile: (applied) => new Conversion(applied, this.#convertersOf(applied)),
      isRelevant: (each) => reaching.from(each),
    });
  }

  /** @returns a function that copies what it changes; undefined if no value of the schema is converted */
  of(schema: Schema | undefined): ConvertValue | undefined {
    if (schema === undefined || this.#converters.size === 0) return undefined;
    const values = this.#applicators.values([schema]);
    if (values.isEmpty) return undefined;
    return (value) => converted(value, values, new Evaluation(value));
  }

  /** A component that is a part of another one with a converter is left to that one. */
  #convertersOf({ schemas }: Applied<Conversion>): ConvertValue[] {
    const own = [...schemas].filter((each) => this.#converters.has(each));
    const outermost = own.filter(
      (each) => !own.some((other) => other !== each && other.conjuncts.includes(each)),
    );
    return outermost.map((each) => this.#converters.get(each)!);
  }
}

function converted(
  value: unknown,
  values: SchemaValues<Conversion>,
  evaluation: Evaluation,
): unknown {
  return values.isEmpty ? value : values.applying(value, evaluation).data.apply(value, evaluation);
}

/** The conversion of a value to which exactly these schemas apply: inner values first. */
class Conversion {
  readonly #applied: Applied<Conversion>;
  readonly #converters: readonly ConvertValue[];
  readonly #names: readonly string[];
  readonly #prefix: number;
  /** True if undeclared properties may have a conversion. */
  readonly #readsNames: boolean;

  constructor(applied: Applied<Conversion>, converters: readonly ConvertValue[]) {
    const schemas = [...applied.schemas];
    this.#applied = applied;
    this.#converters = converters;
    const names = new Set(schemas.flatMap((each) => [...each.map('properties').keys()]));
    this.#names = [...names].filter((name) => !applied.property(name).isEmpty);
    this.#prefix = prefixLength(schemas);
    this.#readsNames = schemas.some((each) => otherProperties(each).length > 0);
  }

  apply(value: unknown, evaluation: Evaluation): unknown {
    let result = this.#inner(value, evaluation);
    for (const convert of this.#converters) result = convert(result);
    return result;
  }

  #inner(value: unknown, evaluation: Evaluation): unknown {
    if (Array.isArray(value)) return this.#items(value, evaluation);
    return isObject(value) && !(value instanceof Blob) ? this.#object(value, evaluation) : value;
  }

  #items(items: readonly unknown[], evaluation: Evaluation): readonly unknown[] {
    const prefix = Array.from({ length: this.#prefix }, (_, at) => this.#applied.item(at));
    const rest = this.#applied.item(this.#prefix);
    if (rest.isEmpty && prefix.slice(0, items.length).every(({ isEmpty }) => isEmpty)) return items;
    return items.map((each, at) => converted(each, prefix[at] ?? rest, evaluation));
  }

  #object(value: Readonly<Record<string, unknown>>, evaluation: Evaluation): object {
    const names = this.#readsNames ? Object.keys(value) : this.#names;
    let copy: Record<string, unknown> | undefined;
    for (const name of names) {
      if (!Object.hasOwn(value, name) || value[name] === undefined) continue;
      const inner = converted(value[name], this.#applied.property(name), evaluation);
      if (inner === value[name]) continue;
      copy ??= { ...value };
      setOwn(copy, name, inner);
    }
    return copy ?? value;
  }
}
