// The schemas that apply to a value, and to its properties and items (JSON Schema 2020-12, section 10).
import { memo } from '../document/memo.ts';
import { isObject } from '../document/node.ts';
import { selectableBy, selectedBy } from './discriminator.ts';
import type { Evaluation } from './evaluation.ts';
import type { Schema } from './model.ts';
import { type ApplyingSchemas, itemSchemas, prefixLength, propertySchemas } from './possible.ts';
import type { Validators } from './validator.ts';

interface ApplicatorOptions<Data> {
  /** Compiled once for each set of schemas that apply to a value. */
  readonly compile: (applied: Applied<Data>) => Data;
  /** False for a schema that makes no difference to the reader: it is not tested. By default all are read. */
  readonly isRelevant?: (schema: Schema) => boolean;
  /** The alternatives that apply: by default those that the value satisfies. */
  readonly branches?: 'matching' | 'all' | undefined;
  /** True if the schemas of `contains` apply to the items that satisfy them. */
  readonly readsContains?: boolean;
}

type Select = (value: unknown, evaluation: Evaluation) => readonly Schema[];

/** The applicators of one schema for the same value. */
interface InPlace {
  readonly always: readonly Schema[];
  /** Each selects the subschemas that apply to a value. */
  readonly sometimes: readonly Select[];
  /** True for a schema with a discriminator. */
  readonly isSelecting: boolean;
  /** True if it matters which properties or items other schemas evaluate. */
  readonly readsEvaluated: boolean;
}

const NONE: readonly Schema[] = [];

/** The sets of schemas that apply to the values of one contract: each set is one object. */
export class Applicators<Data = undefined> {
  readonly #validators: Validators;
  readonly options: ApplicatorOptions<Data>;
  readonly #inPlace = new Map<Schema, InPlace>();
  /** With the schemas that are not relevant: they may evaluate properties and items. */
  readonly #allInPlace = new Map<Schema, InPlace>();
  readonly #sets = new SetOfSchemas<Data>();

  constructor(validators: Validators, options: ApplicatorOptions<Data>) {
    this.#validators = validators;
    this.options = options;
  }

  /** @returns the values to which the schemas apply; those of `ifValid` if a value satisfies them */
  values(schemas: readonly Schema[], ifValid: readonly Contained[] = []): SchemaValues<Data> {
    const needed = schemas.filter((schema) => this.isRelevant(schema));
    const contained = ifValid.filter(({ schema }) => this.isRelevant(schema));
    const set = this.#sets.with([...needed, ...contained]);
    set.values ??= new SchemaValues(this, needed, contained);
    return set.values;
  }

  /** @param schemas all that apply to a value */
  applied(schemas: ApplyingSchemas): Applied<Data> {
    const set = this.#sets.with(schemas);
    set.applied ??= new Applied(this, schemas);
    return set.applied;
  }

  isRelevant(schema: Schema): boolean {
    return this.options.isRelevant?.(schema) ?? true;
  }

  inPlace(schema: Schema, readsAll: boolean): InPlace {
    const all = readsAll ? this.#allInPlace : this.#inPlace;
    return (
      all.get(schema) ??
      memo(all, schema, () =>
        this.#compile(schema, (schema) => readsAll || this.isRelevant(schema)),
      )
    );
  }

  isValid(value: unknown, schema: Schema, of: Schema, evaluation: Evaluation): boolean {
    return this.#validators.branch(schema, of)(value, evaluation);
  }

  #compile(schema: Schema, isRelevant: (schema: Schema) => boolean): InPlace {
    const always = [...(schema.ref === undefined ? [] : [schema.ref]), ...schema.list('allOf')];
    const alternatives = [
      ...[...schema.dynamicRefs, ...schema.list('oneOf'), ...schema.list('anyOf')],
    ].filter(isRelevant);
    const sometimes: Select[] = [];
    const addBranch = (branch: Schema, valid: readonly Schema[], invalid: readonly Schema[]) => {
      const validate = this.#validators.branch(branch, schema);
      sometimes.push((value, evaluation) => (validate(value, evaluation) ? valid : invalid));
    };
    if (this.options.branches === 'all') sometimes.push(() => alternatives);
    else for (const alternative of alternatives) addBranch(alternative, [alternative], NONE);
    const condition = schema.child('if');
    const relevant = (each: Schema | undefined) => (each && isRelevant(each) ? [each] : []);
    const met = [...relevant(condition), ...relevant(schema.child('then'))];
    const unmet = relevant(schema.child('else'));
    if (condition !== undefined && met.length + unmet.length > 0) addBranch(condition, met, unmet);
    for (const [name, each] of schema.map('dependentSchemas')) {
      if (isRelevant(each)) sometimes.push((value) => (hasProperty(value, name) ? [each] : NONE));
    }
    const rests = [schema.child('unevaluatedProperties'), schema.child('unevaluatedItems')];
    return {
      ...{ always, sometimes, isSelecting: selectableBy(schema).some(isRelevant) },
      readsEvaluated: rests.some((each) => each !== undefined && this.isRelevant(each)),
    };
  }
}

function hasProperty(value: unknown, name: string): boolean {
  return isObject(value) && Object.hasOwn(value, name) && value[name] !== undefined;
}

/** A subschema of `contains`, and the schema that has it. */
interface Contained {
  readonly schema: Schema;
  readonly of: Schema;
}

/** The values of one location: the same schemas are written for them. */
export class SchemaValues<Data> {
  /** Without those that the reader needs not. */
  readonly schemas: readonly Schema[];
  readonly #applicators: Applicators<Data>;
  readonly #ifValid: readonly Contained[];
  /** Undefined if it depends on the value. */
  #always: Applied<Data> | undefined;

  constructor(
    applicators: Applicators<Data>,
    schemas: readonly Schema[],
    ifValid: readonly Contained[],
  ) {
    this.#applicators = applicators;
    this.schemas = schemas;
    this.#ifValid = ifValid;
  }

  /** True if no schema applies to any of the values. */
  get isEmpty(): boolean {
    return this.schemas.length + this.#ifValid.length === 0;
  }

  /**
   * @param value valid against the schemas
   * @param evaluation of a value that contains this one: it must not have changed since
   */
  applying(value: unknown, evaluation: Evaluation): Applied<Data> {
    return this.#always ?? this.#applyingTo(value, evaluation);
  }

  #applyingTo(value: unknown, evaluation: Evaluation): Applied<Data> {
    const applying = new Applying(this.#applicators, value, evaluation);
    for (const each of this.schemas) applying.add(each);
    for (const { schema, of } of this.#ifValid) {
      if (this.#applicators.isValid(value, schema, of, evaluation)) applying.add(schema);
    }
    const applied = this.#applicators.applied(applying.schemas);
    if (applying.isAlwaysSame && this.#ifValid.length === 0) this.#always = applied;
    return applied;
  }
}

/** Collects the schemas that apply to one value: those that are referenced first. */
class Applying<Data> {
  readonly schemas = new Set<Schema>();
  isAlwaysSame = true;
  readonly #applicators: Applicators<Data>;
  /** With true if all schemas of the same value were read. */
  readonly #entered = new Map<Schema, boolean>();
  readonly #value: unknown;
  readonly #evaluation: Evaluation;

  constructor(applicators: Applicators<Data>, value: unknown, evaluation: Evaluation) {
    this.#applicators = applicators;
    this.#value = value;
    this.#evaluation = evaluation;
  }

  /**
   * Adds a schema, and those that its discriminators select: the value need not be valid against them,
   * because a discriminator never changes the outcome of a validation.
   */
  add(schema: Schema, readsAll = false): void {
    this.#addOwn(schema, readsAll);
    if (!this.#applicators.inPlace(schema, readsAll).isSelecting) return;
    this.isAlwaysSame = false;
    for (const each of selectedBy(schema, this.#value)) this.#addOwn(each, readsAll);
  }

  #addOwn(schema: Schema, readsAll: boolean): void {
    const before = this.#entered.get(schema);
    if (before === true || before === readsAll) return;
    this.#entered.set(schema, readsAll);
    const { always, sometimes, readsEvaluated } = this.#applicators.inPlace(schema, readsAll);
    if (readsEvaluated && !readsAll) {
      this.#addOwn(schema, true);
      return;
    }
    for (const each of always) this.#addOwn(each, readsAll);
    if (sometimes.length > 0) this.isAlwaysSame = false;
    for (const select of sometimes) {
      for (const each of select(this.#value, this.#evaluation)) this.add(each, readsAll);
    }
    this.schemas.add(schema);
  }
}

/** The schemas that apply to a value, and the values in it. */
export class Applied<Data> {
  readonly schemas: ApplyingSchemas;
  readonly #applicators: Applicators<Data>;
  /** Of the names in the contract: a value may have any number of others. */
  readonly #properties = new Map<string, SchemaValues<Data>>();
  readonly #names: ReadonlySet<string>;
  /** Of all other names: without patterns, the same schemas apply to them. */
  #others: SchemaValues<Data> | undefined;
  readonly #hasPatterns: boolean;
  readonly #items: SchemaValues<Data>[] = [];
  readonly #prefix: number;
  readonly #contained: readonly Contained[];
  #data: { readonly of: Data } | undefined;

  constructor(applicators: Applicators<Data>, schemas: ApplyingSchemas) {
    this.#applicators = applicators;
    this.schemas = schemas;
    this.#names = new Set([...schemas].flatMap((schema) => [...schema.map('properties').keys()]));
    this.#hasPatterns = [...schemas].some((schema) => schema.has('patternProperties'));
    this.#prefix = prefixLength(schemas);
    this.#contained = applicators.options.readsContains ? [...schemas].flatMap(containedIn) : [];
  }

  get data(): Data {
    this.#data ??= { of: this.#applicators.options.compile(this) };
    return this.#data.of;
  }

  property(name: string): SchemaValues<Data> {
    const isNamed = this.#names.has(name);
    const known = isNamed ? this.#properties.get(name) : this.#others;
    if (known !== undefined) return known;
    const values = this.#applicators.values(propertySchemas(this.schemas, name));
    if (isNamed) this.#properties.set(name, values);
    else if (!this.#hasPatterns) this.#others = values;
    return values;
  }

  item(at: number): SchemaValues<Data> {
    const index = Math.min(at, this.#prefix);
    this.#items[index] ??= this.#applicators.values(
      itemSchemas(this.schemas, index),
      this.#contained,
    );
    return this.#items[index];
  }
}

const contained = new WeakMap<Schema, Contained[]>();

/** Of each schema the same objects, by which sets are known. */
function containedIn(of: Schema): Contained[] {
  const schema = of.child('contains');
  if (schema === undefined) return [];
  return memo(contained, of, () => [{ schema, of }]);
}

/** A node of a tree with one level for each element of a set, in order. */
class SetOfSchemas<Data> {
  values: SchemaValues<Data> | undefined;
  applied: Applied<Data> | undefined;
  readonly #next = new Map<object, SetOfSchemas<Data>>();

  with(elements: Iterable<object>): SetOfSchemas<Data> {
    let set: SetOfSchemas<Data> = this;
    for (const element of elements) {
      const next: SetOfSchemas<Data> = set.#next.get(element) ?? new SetOfSchemas<Data>();
      set.#next.set(element, next);
      set = next;
    }
    return set;
  }
}
