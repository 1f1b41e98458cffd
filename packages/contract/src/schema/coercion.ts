// Coercion of validated values to the generated types: int64 to bigint; in requests also defaults, and removal of readOnly.

import { isObject } from '../document/node.ts';
import { stringifyJson } from '../json/json.ts';
import { Applicators, type Applied, type SchemaValues } from './applying.ts';
import { Evaluation } from './evaluation.ts';
import { hiddenNames, isBigint, isBinary, type Schema } from './model.ts';
import { otherProperties, prefixLength, Reaching } from './possible.ts';
import { describeErrors, type Validators } from './validator.ts';

/** Coerces a valid value; modifies objects and arrays in place. @returns the coerced value */
export type Coercion = (value: unknown) => unknown;

type Properties = Record<string, unknown>;

/** The coercions of one contract. */
export class Coercions {
  readonly validators: Validators;
  readonly #applicators: Applicators<Action>;
  readonly #needed: Reaching;

  constructor(validators: Validators) {
    this.validators = validators;
    this.#needed = new Reaching(
      (schema) => isBigint(schema) || this.hiddenIn(schema).size > 0 || this.#hasDefaults(schema),
    );
    this.#applicators = new Applicators(validators, {
      compile: (applied) => new Action(this, applied),
      isRelevant: (schema) => this.isNeeded(schema),
    });
  }

  /** @returns the coercion of the schema at `pointer`; undefined if it changes nothing */
  at(pointer: string): Coercion | undefined {
    const schema = this.validators.model.at(pointer)!;
    const values = this.#applicators.values([schema]);
    if (values.isEmpty) return undefined;
    return (value) => coerced(value, values, new Evaluation(value));
  }

  isNeeded(schema: Schema): boolean {
    return this.#needed.from(schema);
  }

  #hasDefaults(schema: Schema): boolean {
    const properties = this.#isRequest ? [...schema.map('properties').values()] : [];
    return properties.some(({ conjuncts }) =>
      conjuncts.some(({ keywords }) => keywords.default !== undefined),
    );
  }

  /** A response keeps what the service sent. */
  get #isRequest(): boolean {
    return this.validators.direction === 'request';
  }

  hiddenIn(schema: Schema): Set<string> {
    return this.#isRequest ? hiddenNames(schema, 'request') : new Set();
  }

  defaultOf(schema: Schema): unknown {
    return this.#isRequest ? defaultOf(schema, this.validators) : undefined;
  }
}

/** Chooses before any coercion of the value: the results of `evaluation` hold. */
function coerced(value: unknown, values: SchemaValues<Action>, evaluation: Evaluation): unknown {
  return values.isEmpty ? value : values.applying(value, evaluation).data.apply(value, evaluation);
}

interface PropertyCoercion {
  readonly name: string;
  readonly values: SchemaValues<Action>;
  readonly default: unknown;
}

/** The coercion of a value to which exactly these schemas apply. */
class Action {
  readonly #coercions: Coercions;
  readonly #applied: Applied<Action>;
  readonly #isBigint: boolean;
  readonly #hidden: readonly string[];
  readonly #own: readonly PropertyCoercion[];
  readonly #declared: ReadonlySet<string>;
  readonly #prefix: readonly SchemaValues<Action>[];
  readonly #items: SchemaValues<Action>;
  /** True if undeclared properties may have a coercion. */
  readonly #readsNames: boolean;

  constructor(coercions: Coercions, applied: Applied<Action>) {
    const schemas = [...applied.schemas];
    this.#coercions = coercions;
    this.#applied = applied;
    this.#isBigint = schemas.some(isBigint);
    const hidden = new Set(schemas.flatMap((schema) => [...coercions.hiddenIn(schema)]));
    this.#hidden = [...hidden];
    this.#declared = new Set(schemas.flatMap((schema) => [...schema.map('properties').keys()]));
    this.#own = [...this.#declared]
      .filter((name) => !hidden.has(name))
      .map((name) => this.#property(name, schemas))
      .filter(({ values, default: fallback }) => !values.isEmpty || fallback !== undefined);
    this.#readsNames = schemas.some((schema) =>
      otherProperties(schema).some((other) => coercions.isNeeded(other)),
    );
    const longest = prefixLength(schemas);
    this.#prefix = Array.from({ length: longest }, (_, at) => applied.item(at));
    this.#items = applied.item(longest);
  }

  apply(value: unknown, evaluation: Evaluation): unknown {
    if (typeof value === 'number') {
      return this.#isBigint && Number.isInteger(value) ? BigInt(value) : value;
    }
    if (Array.isArray(value)) this.#applyToItems(value, evaluation);
    else if (isObject(value)) this.#applyToProperties(value, evaluation);
    return value;
  }

  #applyToProperties(value: Properties, evaluation: Evaluation): void {
    if (this.#readsNames) this.#applyToOthers(value, evaluation);
    for (let at = 0; at < this.#own.length; at++) {
      const { name, values, default: fallback } = this.#own[at]!;
      const own = Object.hasOwn(value, name) ? value[name] : copyOf(fallback);
      if (own !== undefined) value[name] = coerced(own, values, evaluation);
    }
    for (let at = 0; at < this.#hidden.length; at++) delete value[this.#hidden[at]!];
  }

  #applyToOthers(value: Properties, evaluation: Evaluation): void {
    for (const name of Object.keys(value)) {
      if (this.#declared.has(name)) continue;
      const values = this.#applied.property(name);
      if (!values.isEmpty) value[name] = coerced(value[name], values, evaluation);
    }
  }

  #applyToItems(items: unknown[], evaluation: Evaluation): void {
    const end = this.#items.isEmpty ? Math.min(this.#prefix.length, items.length) : items.length;
    for (let at = 0; at < end; at++) {
      const values = at < this.#prefix.length ? this.#prefix[at]! : this.#items;
      if (!values.isEmpty) items[at] = coerced(items[at], values, evaluation);
    }
  }

  #property(name: string, schemas: readonly Schema[]): PropertyCoercion {
    const declaring = schemas.flatMap((schema) => schema.map('properties').get(name) ?? []);
    const defaults = declaring.map((schema) => this.#coercions.defaultOf(schema));
    const fallback = defaults.find((value) => value !== undefined);
    return { name, values: this.#applied.property(name), default: fallback };
  }
}

export interface DefaultError {
  /** JSON pointer of the default in the bundled document. */
  readonly pointer: string;
  /** `error  expectation` */
  readonly message: string;
}

/**
 * @returns the default of a schema or of its `$ref` and `allOf`; undefined if it is missing or invalid, and
 *   for a file, which is no string in forms
 */
export function defaultOf(schema: Schema, validators: Validators): unknown {
  const value = written(schema)?.keywords.default;
  if (value === undefined || schema.conjuncts.some(isBinary)) return undefined;
  if (isPlainlyValid(value, schema)) return value;
  return validators.at(schema.pointer)(value) ? value : undefined;
}

/** @returns a default for one request, which may change it */
export function copyOf(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

export function defaultError(schema: Schema, validators: Validators): DefaultError | undefined {
  const value = schema.keywords.default;
  if (value === undefined || isPlainlyValid(value, schema)) return undefined;
  const validate = validators.at(schema.pointer);
  const isFile = isBinary(schema);
  if (!isFile && validate(value)) return undefined;
  const expected = isFile
    ? 'no default of a file'
    : describeErrors(validate.errorsOf(value), '').replace(/^expected /, '');
  const message = `the default ${stringifyJson(value)} is ignored  expected ${expected}`;
  return { pointer: schema.pointerTo('default'), message };
}

function written({ conjuncts }: Schema): Schema | undefined {
  return conjuncts.findLast(({ keywords }) => keywords.default !== undefined);
}

const ANNOTATIONS = new Set(['default', 'description', 'title', 'example', 'examples']);

/** Fast path: true if the type shows that the value is valid, without compiling a validator. */
function isPlainlyValid(value: unknown, schema: Schema): boolean {
  const { types, keywords, inner } = schema;
  if (types === undefined || inner.length > 0) return false;
  const type = typeof value;
  const isOfType =
    type === 'number'
      ? Number.isInteger(value) && types.has('integer')
      : types.has(type as 'string');
  return (
    isOfType &&
    Object.keys(keywords).every(
      (keyword) =>
        ANNOTATIONS.has(keyword) || (keyword === 'enum' && keywords.enum.includes(value)),
    )
  );
}
