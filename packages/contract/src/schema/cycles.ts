// Finds schemas that apply themselves to the same value. Their meaning is undefined (JSON Schema 2020-12, core, 9.4.1).

import type { ContractDocument } from '../document/contractDocument.ts';
import { ContractErrors } from '../document/finding.ts';
import { schemaLocations } from '../document/schemaLocations.ts';
import { COMPOSITIONS, SAME_VALUE } from '../document/vocabulary.ts';
import { type Schema, SchemaModel } from './model.ts';

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
    // Most schemas of a contract have only properties, or are references to the same components.
    const isFirst = node.$ref !== undefined && !refs.has(node.$ref);
    if (isFirst) refs.add(node.$ref);
    if (isFirst || APPLICATORS.some((keyword) => node[keyword] !== undefined)) {
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
const APPLICATORS = [
  ...['$dynamicRef', '$recursiveRef', ...SAME_VALUE, ...COMPOSITIONS],
  ...['dependentSchemas', 'dependencies'],
];

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
