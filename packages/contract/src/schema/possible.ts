// The schemas that may apply at a location, for readers without a value (JSON Schema 2020-12, section 10),
// and the cycles among them.

import type { ContractDocument } from '../document/contractDocument.ts';
import { ContractErrors } from '../document/finding.ts';
import { schemaLocations } from '../document/schemaLocations.ts';
import { selectableBy } from './discriminator.ts';
import { type Schema, SchemaModel } from './model.ts';
import { lenientTest } from './pattern.ts';

/** @returns the schemas of applicators for the same value; `not` applies none */
export function inPlaceSchemas(schema: Schema): Schema[] {
  return [...schema.inPlace, ...selectableBy(schema)].filter(
    (each) => each !== schema.child('not'),
  );
}

/** @returns the schemas, and all that may apply to the same value: those that are inherited first */
export function possibleSchemas(schemas: Iterable<Schema>): ReadonlySet<Schema> {
  const roots = new Set(schemas);
  const all = new Set(roots);
  for (const root of roots) {
    const { conjuncts } = root;
    for (const conjunct of conjuncts) {
      all.add(conjunct);
      for (const inner of conjunct.inPlace) {
        if (inner !== conjunct.child('not') && !conjuncts.includes(inner)) roots.add(inner);
      }
    }
    // A discriminator selects by the schema that inherits it.
    for (const schema of selectableBy(root)) roots.add(schema);
  }
  return all;
}

/** Schemas that apply to one value, or may apply to it. */
export interface ApplyingSchemas extends ReadonlySet<Schema> {}

/**
 * @param applying to an object; if they only may apply, an unevaluated property may be one that an
 *   alternative evaluates
 * @returns the schemas that apply to a property: those of its name and of matching patterns, else those of
 *   other properties
 */
export function propertySchemas(
  applying: ApplyingSchemas,
  name: string,
  isCertain = true,
): Schema[] {
  return [...applying].flatMap((schema) => {
    const own = declaredProperty(schema, name);
    if (own.length > 0) return own;
    const additional = schema.child('additionalProperties');
    if (additional !== undefined) return allowing(additional);
    const rest = schema.child('unevaluatedProperties');
    if (rest === undefined) return [];
    const evaluates = (schema: Schema) =>
      schema.has('additionalProperties') ||
      schema.has('unevaluatedProperties') ||
      declaredProperty(schema, name).length > 0;
    return isEvaluated(schema, applying, isCertain, evaluates) ? [] : allowing(rest);
  });
}

/** @returns the schemas that apply to an item of an array, without those of `contains` */
export function itemSchemas(applying: ApplyingSchemas, at: number, isCertain = true): Schema[] {
  return [...applying].flatMap((schema) => {
    const own = schema.list('prefixItems')[at] ?? schema.child('items');
    if (own !== undefined) return allowing(own);
    const rest = schema.child('unevaluatedItems');
    if (rest === undefined) return [];
    const evaluates = (schema: Schema) =>
      schema.has('items') ||
      schema.has('unevaluatedItems') ||
      at < schema.list('prefixItems').length;
    return isEvaluated(schema, applying, isCertain, evaluates) ? [] : allowing(rest);
  });
}

/** @returns the schemas of properties that a schema does not name */
export function otherProperties(schema: Schema): Schema[] {
  const others = schema.child('additionalProperties') ?? schema.child('unevaluatedProperties');
  return [...schema.map('patternProperties').values(), ...(others ? allowing(others) : [])];
}

/** @returns the schemas of all items */
export function itemsSchemas(schema: Schema): Schema[] {
  const others = (['items', 'unevaluatedItems', 'contains'] as const).flatMap(
    (keyword) => schema.child(keyword) ?? [],
  );
  return [...schema.list('prefixItems'), ...others];
}

/** The number of items with schemas of their own. */
export function prefixLength(applying: Iterable<Schema>): number {
  return Math.max(0, ...Array.from(applying, (schema) => schema.list('prefixItems').length));
}

/** @returns the schemas of a property by its name and by matching patterns */
export function declaredProperty(schema: Schema, name: string): Schema[] {
  const own = schema.map('properties').get(name);
  const matching = [...schema.map('patternProperties')].filter(([pattern]) =>
    lenientTest(pattern).test(name),
  );
  return [...(own === undefined ? [] : [own]), ...matching.map(([, schema]) => schema)];
}

function allowing(schema: Schema): Schema[] {
  return schema.isNever ? [] : [schema];
}

/** True if a schema within `schema` evaluates a part of the value: those beside it do not count. */
function isEvaluated(
  schema: Schema,
  applying: ApplyingSchemas,
  isCertain: boolean,
  evaluates: (schema: Schema) => boolean,
): boolean {
  const within = new Set(isCertain ? [schema] : schema.conjuncts);
  if (isCertain) {
    for (const each of within) {
      for (const inner of each.inPlace) if (applying.has(inner)) within.add(inner);
    }
  }
  within.delete(schema);
  return [...within].some(evaluates);
}

/** @returns the schemas with all subschemas, referenced schemas and schemas that discriminators may select */
export function reachableSchemas(schemas: Iterable<Schema>): ReadonlySet<Schema> {
  const reached = new Set(schemas);
  for (const schema of reached) {
    for (const inner of schema.inner) reached.add(inner);
    for (const inner of selectableBy(schema)) reached.add(inner);
  }
  return reached;
}

/** Which schemas lead to a schema of interest: by any applicator but `not`. */
export class Reaching {
  readonly #isOfInterest: (schema: Schema) => boolean;
  readonly #known = new Map<Schema, boolean>();

  constructor(isOfInterest: (schema: Schema) => boolean) {
    this.#isOfInterest = isOfInterest;
  }

  /** True if the schema is of interest, or one that may apply to a part of its values. */
  from(schema: Schema): boolean {
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    // With the schema that leads to each.
    const all = new Map<Schema, Schema | undefined>([[schema, undefined]]);
    for (const [each] of all) {
      if (this.#known.get(each) ?? this.#isOfInterest(each)) {
        for (let at: Schema | undefined = each; at !== undefined; at = all.get(at)) {
          this.#known.set(at, true);
        }
        return true;
      }
      for (const inner of [...each.inner, ...selectableBy(each)]) {
        const isNew = !all.has(inner) && this.#known.get(inner) !== false;
        if (isNew && inner !== each.child('not')) all.set(inner, each);
      }
    }
    for (const [each] of all) this.#known.set(each, false);
    return false;
  }
}

/** Schemas that apply each other to the same value by references, the first one again after the last. */
interface SchemaCycle {
  /** The schema with the reference that closes the cycle. */
  readonly closing: Schema;
  /** The targets of the references. */
  readonly targets: readonly Schema[];
}

/** @returns one cycle of each group of schemas that reach each other without a property or item in between */
export function schemaCycles(definition: ContractDocument): SchemaCycle[] {
  const model = SchemaModel.of(definition);
  const search = new Search();
  const refs = new Set<unknown>();
  for (const { pointer, node } of schemaLocations(definition.document)) {
    // Each cycle has a reference; most references of a contract are to the same components.
    const isFirst = node.$ref !== undefined && !refs.has(node.$ref);
    if (isFirst) refs.add(node.$ref);
    if (isFirst || DYNAMIC_REFERENCES.some((keyword) => node[keyword] !== undefined)) {
      search.from(model.schema(pointer, node));
    }
  }
  return [...search.cycles.values()];
}

/** @returns `#/components/schemas/Pet -> #/components/schemas/Cat -> #/components/schemas/Pet` */
export function describeCycle({ targets }: SchemaCycle): string {
  const names = [...targets, targets[0]!].map(({ pointer }) => `#${pointer}`);
  const omitted = names.length - 2 * SHOWN;
  if (omitted > 0) names.splice(SHOWN, omitted, `(${omitted} more)`);
  return names.join(' -> ');
}

const SHOWN = 4;
const DYNAMIC_REFERENCES = ['$dynamicRef', '$recursiveRef'];

/** A reference without a target has an error of its own. */
function appliedBy(schema: Schema): readonly Schema[] {
  try {
    return schema.inPlace;
  } catch (error) {
    if (error instanceof ContractErrors) return [];
    throw error;
  }
}

/** A schema on the path of a depth-first search. */
interface Step {
  readonly schema: Schema;
  readonly next: Iterator<Schema>;
}

/** A depth-first search without recursion: a contract may chain thousands of schemas. */
class Search {
  /** By the schema that a path reaches again. */
  readonly cycles = new Map<Schema, SchemaCycle>();
  /** True on the current path. */
  readonly #visited = new Map<Schema, boolean>();
  readonly #path: Step[] = [];

  from(start: Schema): void {
    if (!this.#visited.has(start)) this.#enter(start);
    for (let step = this.#path.at(-1); step !== undefined; step = this.#path.at(-1)) {
      const { value: schema, done } = step.next.next();
      if (done) this.#leave();
      else if (!this.#visited.has(schema)) this.#enter(schema);
      else if (this.#visited.get(schema) && !this.cycles.has(schema)) this.#close(schema);
    }
  }

  #enter(schema: Schema): void {
    this.#visited.set(schema, true);
    this.#path.push({ schema, next: appliedBy(schema).values() });
  }

  #leave(): void {
    this.#visited.set(this.#path.pop()!.schema, false);
  }

  #close(again: Schema): void {
    const start = this.#path.findLastIndex(({ schema }) => schema === again);
    const path = this.#path.slice(start).map(({ schema }) => schema);
    const edges = path.map((from, at): [Schema, Schema] => [from, path[at + 1] ?? again]);
    const references = edges.filter(
      ([from, to]) => from.ref === to || from.dynamicRefs.includes(to),
    );
    const first = references.reduce((least, reference) =>
      reference[1].pointer < least[1].pointer ? reference : least,
    );
    const at = references.indexOf(first);
    const rotated = [...references.slice(at), ...references.slice(0, at)];
    this.cycles.set(again, { closing: first[0], targets: rotated.map(([, to]) => to) });
  }
}
