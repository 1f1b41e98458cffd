// Coercion of validated values to the generated types: int64 to bigint; in requests also defaults, and
// removal of readOnly.
import { copyOf, defaultOf } from './defaults.ts';
import { selectableBy, selectedBy } from './discriminator.ts';
import { Evaluation } from './evaluation.ts';
import { hiddenNames, isBigint, type Schema } from './model.ts';
import { patternTest } from './pattern.ts';
import type { Validators } from './validator.ts';

/** Coerces a valid value; modifies objects and arrays in place. @returns the coerced value */
export type Coercion = (value: unknown) => unknown;

type Properties = Record<string, unknown>;

/** The coercions of one contract. */
export class Coercions {
  readonly validators: Validators;
  readonly #needed = new Map<Schema, boolean>();
  readonly #numbers = new Map<Schema, number>();
  readonly #parts = new Map<string, Part>();
  readonly #actions = new Map<string, Action>();

  constructor(validators: Validators) {
    this.validators = validators;
  }

  /** @returns the coercion of the schema at `pointer`; undefined if it changes nothing */
  at(pointer: string): Coercion | undefined {
    const part = this.part([this.validators.model.at(pointer)!]);
    return part && ((value) => part.coerce(value, new Evaluation(value)));
  }

  /** @returns the coercion of a value that is valid against all schemas; undefined if there is none */
  part(schemas: readonly Schema[]): Part | undefined {
    const needed = schemas.filter((each) => this.isNeeded(each));
    if (needed.length === 0) return undefined;
    return known(this.#parts, this.#keyOf(needed), () => new Part(this, needed));
  }

  /** @param schemas all that apply to a value */
  action(schemas: readonly Schema[]): Action {
    return known(this.#actions, this.#keyOf(schemas), () => new Action(this, schemas));
  }

  isNeeded(schema: Schema): boolean {
    const before = this.#needed.get(schema);
    if (before !== undefined) return before;
    const seen = new Set<Schema>();
    const isNeeded = this.#reachesNeed(schema, seen);
    if (isNeeded) this.#needed.set(schema, true);
    else for (const each of seen) this.#needed.set(each, false);
    return isNeeded;
  }

  #reachesNeed(schema: Schema, seen: Set<Schema>): boolean {
    if (seen.has(schema)) return false;
    seen.add(schema);
    if (isBigint(schema) || this.hiddenIn(schema).size > 0) return true;
    return [...schema.inner, ...selectableBy(schema)].some(
      (each) =>
        (this.#isRequest && each.keywords.default !== undefined) ||
        (this.#needed.get(each) ?? this.#reachesNeed(each, seen)),
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

  #keyOf(schemas: readonly Schema[]): string {
    return schemas.map((each) => known(this.#numbers, each, () => this.#numbers.size)).join();
  }
}

function known<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const before = map.get(key);
  if (before !== undefined) return before;
  const made = make();
  map.set(key, made);
  return made;
}

/** A value with the schemas that it is valid against. */
class Part {
  readonly #coercions: Coercions;
  readonly #schemas: readonly Schema[];
  /** Undefined if other schemas apply to each value. */
  #action: Action | undefined;

  constructor(coercions: Coercions, schemas: readonly Schema[]) {
    this.#coercions = coercions;
    this.#schemas = schemas;
  }

  coerce(value: unknown, evaluation: Evaluation): unknown {
    return (this.#action ?? this.#actionFor(value, evaluation)).apply(value, evaluation);
  }

  /** Chooses before any coercion of the value: the results of `evaluation` hold. */
  #actionFor(value: unknown, evaluation: Evaluation): Action {
    const applying = new Applying(this.#coercions, value, evaluation);
    for (const each of this.#schemas) applying.add(each);
    const action = this.#coercions.action([...applying.schemas]);
    if (applying.isAlwaysSame) this.#action = action;
    return action;
  }
}

/** The schemas that apply to one value: those that are referenced first. */
class Applying {
  readonly schemas = new Set<Schema>();
  /** False if it depends on the value. */
  isAlwaysSame = true;
  readonly #entered = new Set<Schema>();
  readonly #coercions: Coercions;
  readonly #value: unknown;
  readonly #evaluation: Evaluation;

  constructor(coercions: Coercions, value: unknown, evaluation: Evaluation) {
    this.#coercions = coercions;
    this.#value = value;
    this.#evaluation = evaluation;
  }

  /**
   * Adds a schema, and those that its discriminators select: the value need not be valid against them,
   * because a discriminator never changes the outcome of a validation.
   */
  add(schema: Schema): void {
    this.#addOwn(schema);
    if (!selectableBy(schema).some((each) => this.#isNeeded(each))) return;
    for (const each of selectedBy(schema, this.#value)) this.#addOwn(each);
  }

  #addOwn(schema: Schema): void {
    if (this.#entered.has(schema)) return;
    this.#entered.add(schema);
    if (schema.ref !== undefined) this.#addOwn(schema.ref);
    for (const each of schema.list('allOf')) this.#addOwn(each);
    for (const each of [...schema.dynamicRefs, ...schema.list('oneOf'), ...schema.list('anyOf')]) {
      if (this.#isNeeded(each) && this.#isValid(each, schema)) this.add(each);
    }
    this.#addConditional(schema);
    for (const [name, each] of schema.map('dependentSchemas')) {
      if (this.#isNeeded(each) && isObject(this.#value) && Object.hasOwn(this.#value, name)) {
        this.add(each);
      }
    }
    this.schemas.add(schema);
  }

  #addConditional(schema: Schema): void {
    const condition = schema.child('if');
    if (condition === undefined) return;
    const branches = [schema.child('then'), schema.child('else')];
    if (!branches.some((each) => each && this.#isNeeded(each))) return;
    const branch = branches[this.#isValid(condition, schema) ? 0 : 1];
    if (branch !== undefined) this.add(branch);
  }

  #isNeeded(schema: Schema): boolean {
    if (!this.#coercions.isNeeded(schema)) return false;
    this.isAlwaysSame = false;
    return true;
  }

  #isValid(schema: Schema, of: Schema): boolean {
    return this.#coercions.validators.branch(schema, of)(this.#value, this.#evaluation);
  }
}

interface PropertyCoercion {
  readonly name: string;
  readonly part: Part | undefined;
  readonly default: unknown;
}

/** The coercion of a value to which exactly these schemas apply. */
class Action {
  readonly #coercions: Coercions;
  readonly #schemas: readonly Schema[];
  readonly #isBigint: boolean;
  readonly #hidden: readonly string[];
  readonly #own: readonly PropertyCoercion[];
  readonly #declared: ReadonlySet<string>;
  readonly #prefix: readonly (Part | undefined)[];
  readonly #items: Part | undefined;
  /** True if undeclared properties may have a coercion. */
  readonly #readsNames: boolean;

  constructor(coercions: Coercions, schemas: readonly Schema[]) {
    this.#coercions = coercions;
    this.#schemas = schemas;
    this.#isBigint = schemas.some(isBigint);
    const hidden = new Set(schemas.flatMap((each) => [...coercions.hiddenIn(each)]));
    this.#hidden = [...hidden];
    this.#declared = new Set(schemas.flatMap((each) => [...each.map('properties').keys()]));
    this.#own = [...this.#declared]
      .filter((name) => !hidden.has(name))
      .map((name) => this.#property(name))
      .filter(({ part, default: fallback }) => part || fallback !== undefined);
    this.#readsNames = schemas
      .flatMap((each) => [
        ...each.map('patternProperties').values(),
        each.child('additionalProperties') ?? each.child('unevaluatedProperties'),
      ])
      .some((each) => each !== undefined && coercions.isNeeded(each));
    const longest = Math.max(0, ...schemas.map((each) => each.list('prefixItems').length));
    this.#prefix = Array.from({ length: longest }, (_, at) => coercions.part(this.#itemsAt(at)));
    this.#items = coercions.part(this.#itemsAt(longest));
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
      const { name, part, default: fallback } = this.#own[at]!;
      const own = Object.hasOwn(value, name) ? value[name] : copyOf(fallback);
      if (own !== undefined) value[name] = part ? part.coerce(own, evaluation) : own;
    }
    for (let at = 0; at < this.#hidden.length; at++) delete value[this.#hidden[at]!];
  }

  #applyToOthers(value: Properties, evaluation: Evaluation): void {
    for (const name of Object.keys(value)) {
      if (this.#declared.has(name)) continue;
      const part = this.#coercions.part(this.#declarationsOf(name));
      if (part !== undefined) value[name] = part.coerce(value[name], evaluation);
    }
  }

  #applyToItems(items: unknown[], evaluation: Evaluation): void {
    const end =
      this.#items === undefined ? Math.min(this.#prefix.length, items.length) : items.length;
    for (let at = 0; at < end; at++) {
      const part = at < this.#prefix.length ? this.#prefix[at] : this.#items;
      if (part !== undefined) items[at] = part.coerce(items[at], evaluation);
    }
  }

  #property(name: string): PropertyCoercion {
    const declaring = this.#schemas.flatMap((each) => each.map('properties').get(name) ?? []);
    const defaults = declaring.map((each) => this.#coercions.defaultOf(each));
    return {
      name,
      part: this.#coercions.part(this.#declarationsOf(name)),
      default: defaults.find((each) => each !== undefined),
    };
  }

  #declarationsOf(name: string): Schema[] {
    return this.#schemas.flatMap((each) => {
      const own = each.map('properties').get(name);
      const matching = [...each.map('patternProperties')].filter(([pattern]) =>
        patternTest(pattern)?.test(name),
      );
      const found = [...(own === undefined ? [] : [own]), ...matching.map(([, schema]) => schema)];
      const rest = each.child('additionalProperties') ?? each.child('unevaluatedProperties');
      return found.length > 0 || rest === undefined ? found : [rest];
    });
  }

  #itemsAt(at: number): Schema[] {
    return this.#schemas.flatMap((each) => {
      const own = each.list('prefixItems')[at] ?? each.child('items');
      return own ?? each.child('unevaluatedItems') ?? [];
    });
  }
}

function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
