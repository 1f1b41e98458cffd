// Removes undeclared properties for schemas that have no compiled serializer (anyOf, oneOf, recursion).
import { selectedBy } from '../schema/discriminator.ts';
import { Evaluation } from '../schema/evaluation.ts';
import { isHidden, type Schema } from '../schema/model.ts';
import { patternTest } from '../schema/pattern.ts';
import { Location } from '../schema/schemaErrors.ts';
import type { Validators } from '../schema/validator.ts';

export interface DeclaredPart {
  /** A copy with the declared properties. */
  readonly declared: unknown;
  /** True if properties were removed. */
  readonly isCut: boolean;
}

/** What counts as declared. */
export interface DeclaredOptions {
  /** The alternatives whose properties count as declared: by default the matching ones. */
  readonly branches?: 'matching' | 'all';
  /** True to keep `writeOnly` properties. */
  readonly keepsHidden?: boolean;
}

/** @returns a function that copies a valid value without its undeclared properties */
export function declaredOnly(
  validators: Validators,
  schema: Schema,
  options: DeclaredOptions = {},
): (value: unknown) => DeclaredPart {
  return (value) => {
    const copy = new Copy(validators, options, new Evaluation(value));
    return { declared: copy.of(value, [schema]), isCut: copy.isCut };
  };
}

/** @yields the properties of a value that its declared part lacks: a caller may stop at any number */
export function* removedFrom(
  value: unknown,
  declared: unknown,
  at = new Location(),
): Generator<{ readonly pointer: string; readonly value: unknown }> {
  if (typeof value !== 'object' || value === null || value instanceof Blob) return;
  for (const [name, each] of Object.entries(value)) {
    const inner = at.child(name);
    if (Object.hasOwn(declared as object, name)) {
      yield* removedFrom(each, (declared as Record<string, unknown>)[name], inner);
    } else yield { pointer: inner.pointer, value: each };
  }
}

class Copy {
  isCut = false;
  readonly #validators: Validators;
  readonly #options: DeclaredOptions;
  readonly #evaluation: Evaluation;

  constructor(validators: Validators, options: DeclaredOptions, evaluation: Evaluation) {
    this.#validators = validators;
    this.#options = options;
    this.#evaluation = evaluation;
  }

  of(value: unknown, schemas: readonly Schema[]): unknown {
    if (typeof value !== 'object' || value === null || value instanceof Blob) return value;
    const applying = new Set<Schema>();
    for (const each of schemas) this.#apply(each, value, applying);
    return Array.isArray(value)
      ? this.#items(value, [...applying])
      : this.#properties(value, [...applying]);
  }

  /** Adds a schema and the other schemas that apply to the same value. */
  #apply(schema: Schema, value: object, applying: Set<Schema>): void {
    const others: Schema[] = [...selectedBy(schema, value)];
    for (const each of schema.conjuncts) {
      if (applying.has(each)) continue;
      applying.add(each);
      others.push(...this.#conditional(each, value));
    }
    for (const each of others) if (!applying.has(each)) this.#apply(each, value, applying);
  }

  /** The alternatives and conditional subschemas that apply to a value. */
  #conditional(schema: Schema, value: object): Schema[] {
    const { dynamicRefs } = schema;
    const alternatives = [...dynamicRefs, ...schema.list('oneOf'), ...schema.list('anyOf')];
    return [
      ...alternatives.filter((each) => this.#counts(each, schema, value)),
      ...this.#ofCondition(schema, value),
      ...[...schema.map('dependentSchemas')].flatMap(([name, each]) =>
        Object.hasOwn(value, name) ? [each] : [],
      ),
    ];
  }

  #counts(branch: Schema, schema: Schema, value: unknown): boolean {
    return (
      this.#options.branches === 'all' ||
      this.#validators.branch(branch, schema)(value, this.#evaluation)
    );
  }

  #ofCondition(schema: Schema, value: unknown): Schema[] {
    const condition = schema.child('if');
    if (condition === undefined) return [];
    const isMet = this.#validators.branch(condition, schema)(value, this.#evaluation);
    const branch = schema.child(isMet ? 'then' : 'else');
    return [...(isMet ? [condition] : []), ...(branch === undefined ? [] : [branch])];
  }

  #items(items: readonly unknown[], schemas: readonly Schema[]): unknown[] {
    return items.map((item, at) => {
      const ofItem = schemas.flatMap((each) => {
        const schema = each.list('prefixItems')[at] ?? each.child('items');
        return schema ?? each.child('unevaluatedItems') ?? [];
      });
      return this.of(item, ofItem);
    });
  }

  #properties(value: object, schemas: readonly Schema[]): object {
    const isFreeForm = !schemas.some(
      (each) => each.has('properties') || each.has('patternProperties'),
    );
    const kept: [string, unknown][] = [];
    for (const [name, property] of Object.entries(value)) {
      const declaring = schemas.flatMap((each) => declarationsOf(each, name));
      const isRequired = schemas.some((each) => isNamed(each, name));
      const isDeclared = declaring.length > 0 || isRequired || isFreeForm;
      if (isDeclared && (this.#options.keepsHidden || !declaring.some(isWriteOnly))) {
        kept.push([name, this.of(property, declaring)]);
      } else this.isCut = true;
    }
    return Object.fromEntries(kept);
  }
}

function isWriteOnly(property: Schema): boolean {
  return isHidden(property, 'response');
}

/** A required property counts as declared. */
function isNamed({ keywords: { required = [], dependentRequired = {} } }: Schema, name: string) {
  const dependent = Object.values<string[]>(dependentRequired);
  return required.includes(name) || dependent.some((names) => names.includes(name));
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
