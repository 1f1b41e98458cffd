// The properties and items that the contract declares for a value, compiled for each set of schemas.
import type { Evaluation } from '../schema/evaluation.ts';
import { isHidden, type Schema } from '../schema/model.ts';
import { patternTest } from '../schema/pattern.ts';
import type { Validators } from '../schema/validator.ts';
import { Applying, Conjuncts, type DeclaredOptions } from './applying.ts';

/** The state of one copy. */
export interface Copied {
  isCut: boolean;
  hasBigint: boolean;
  readonly evaluation: Evaluation;
}

/** The compiled parts of one schema; created when a value has them. */
export class Parts {
  readonly options: DeclaredOptions;
  readonly #root = new SchemaSet();
  readonly conjuncts: Conjuncts;

  constructor(validators: Validators, options: DeclaredOptions) {
    this.conjuncts = new Conjuncts(validators, options);
    this.options = options;
  }

  /** @param schemas that the contract declares for a value */
  part(schemas: Iterable<Schema>): Part {
    const set = this.#root.with(schemas);
    set.part ??= new Part(this, [...schemas]);
    return set.part;
  }

  /** @param schemas all that apply to a value */
  declaration(schemas: Iterable<Schema>): Declaration {
    const set = this.#root.with(schemas);
    set.declaration ??= new Declaration(this, [...schemas]);
    return set.declaration;
  }
}

/** A node of a tree with one level for each schema of a set, in order. */
class SchemaSet {
  part: Part | undefined;
  declaration: Declaration | undefined;
  readonly #next = new Map<Schema, SchemaSet>();

  with(schemas: Iterable<Schema>): SchemaSet {
    let set: SchemaSet = this;
    for (const each of schemas) {
      const next: SchemaSet = set.#next.get(each) ?? new SchemaSet();
      set.#next.set(each, next);
      set = next;
    }
    return set;
  }
}

/** A value with the schemas that the contract declares for it. */
class Part {
  readonly #parts: Parts;
  readonly #schemas: readonly Schema[];
  /** Undefined if the schemas that apply depend on the value. */
  #declaration: Declaration | undefined;

  constructor(parts: Parts, schemas: readonly Schema[]) {
    this.#parts = parts;
    this.#schemas = schemas;
  }

  copy(value: unknown, copied: Copied): unknown {
    if (typeof value === 'bigint') copied.hasBigint = true;
    if (typeof value !== 'object' || value === null || value instanceof Blob) return value;
    return (this.#declaration ?? this.#declarationFor(value, copied)).copy(value, copied);
  }

  #declarationFor(value: object, { evaluation }: Copied): Declaration {
    const applying = new Applying(this.#parts.conjuncts, value, evaluation);
    for (const each of this.#schemas) applying.add(each);
    const declaration = this.#parts.declaration(applying.schemas);
    if (applying.isAlwaysSame) this.#declaration = declaration;
    return declaration;
  }
}

interface Property {
  readonly part: Part;
  readonly isKept: boolean;
}

/** The properties and items of a value to which exactly these schemas apply. */
class Declaration {
  readonly #parts: Parts;
  readonly #schemas: readonly Schema[];
  readonly #isFreeForm: boolean;
  /** The names in the contract: a value may have any number of others. */
  readonly #names: ReadonlySet<string>;
  readonly #properties = new Map<string, Property>();
  readonly #items: Part[] = [];
  /** The number of items with schemas of their own. */
  readonly #prefix: number;

  constructor(parts: Parts, schemas: readonly Schema[]) {
    this.#parts = parts;
    this.#schemas = schemas;
    this.#isFreeForm = !schemas.some(
      (each) => each.has('properties') || each.has('patternProperties'),
    );
    this.#names = new Set(
      schemas.flatMap((each) => [...each.map('properties').keys(), ...requiredNames(each)]),
    );
    this.#prefix = Math.max(0, ...schemas.map((each) => each.list('prefixItems').length));
  }

  copy(value: object, copied: Copied): object {
    if (Array.isArray(value)) return value.map((item, at) => this.#item(at).copy(item, copied));
    const kept: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      const { part, isKept } = this.#property(name);
      if (isKept) setOwn(kept, name, part.copy((value as typeof kept)[name], copied));
      else copied.isCut = true;
    }
    return kept;
  }

  #item(at: number): Part {
    const index = Math.min(at, this.#prefix);
    this.#items[index] ??= this.#parts.part(
      this.#schemas.flatMap((each) => {
        const schema = each.list('prefixItems')[index] ?? each.child('items');
        return schema ?? each.child('unevaluatedItems') ?? [];
      }),
    );
    return this.#items[index];
  }

  #property(name: string): Property {
    const known = this.#properties.get(name);
    if (known !== undefined) return known;
    const declaring = this.#schemas.flatMap((each) => declarationsOf(each, name));
    const isDeclared = declaring.length > 0 || this.#names.has(name) || this.#isFreeForm;
    const isHiddenHere = !this.#parts.options.keepsHidden && declaring.some(isWriteOnly);
    const property = { part: this.#parts.part(declaring), isKept: isDeclared && !isHiddenHere };
    if (this.#names.has(name)) this.#properties.set(name, property);
    return property;
  }
}

/** An assignment would change the prototype for the name `__proto__`. */
function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, ...OWN });
}

const OWN = { configurable: true, enumerable: true, writable: true };

function isWriteOnly(property: Schema): boolean {
  return isHidden(property, 'response');
}

/** A required property counts as declared. */
function requiredNames({ keywords: { required = [], dependentRequired = {} } }: Schema): string[] {
  return [...required, ...Object.values<string[]>(dependentRequired).flat()];
}

function declarationsOf(schema: Schema, name: string): Schema[] {
  const own = schema.map('properties').get(name);
  const matching = [...schema.map('patternProperties')].filter(([pattern]) =>
    patternTest(pattern)?.test(name),
  );
  const found = [...(own === undefined ? [] : [own]), ...matching.map(([, each]) => each)];
  if (found.length > 0) return found;
  const others = schema.child('additionalProperties') ?? schema.child('unevaluatedProperties');
  return others === undefined || others.isNever ? [] : [others];
}
