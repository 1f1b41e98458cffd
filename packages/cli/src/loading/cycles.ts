// Errors of schemas that apply themselves to the same value: a validation of them does not end.
import {
  type Definition,
  describeCycle,
  type LocatedNode,
  type Operation,
  type Schema,
  SchemaModel,
  schemaCycles,
  selectableBy,
} from 'stubwright/contract';
import { requestSchemaLocations, responseSchemaLocations } from './operationSchemas.ts';

export interface CycleError {
  /** JSON pointer in the bundled document. */
  readonly pointer: string;
  /** `error  expectation` */
  readonly text: string;
  /** Each as `get /toys`. */
  readonly operations: readonly string[];
}

export function cycleErrors(definition: Definition): CycleError[] {
  const cycles = schemaCycles(definition);
  if (cycles.length === 0) return [];
  const reached = definition.operations.map(
    (each) => [`${each.method} ${each.path}`, reachedBy(each, definition)] as const,
  );
  return cycles.map((cycle) => ({
    pointer: cycle.closing.pointer,
    text: `a schema applies itself to the same value: ${describeCycle(cycle)}  expected a property or an item in between`,
    operations: reached.filter(([, all]) => all.has(cycle.closing)).map(([name]) => name),
  }));
}

function reachedBy(operation: Operation, definition: Definition): ReadonlySet<Schema> {
  const model = SchemaModel.of(definition);
  const responses = [...operation.responses.values()];
  const locations: LocatedNode[] = [
    ...requestSchemaLocations(definition, operation),
    ...responses.flatMap((each) => [...responseSchemaLocations(definition, each)]),
  ];
  const reached = new Set(locations.flatMap(({ pointer }) => model.at(pointer) ?? []));
  for (const each of reached) {
    for (const inner of [...each.inner, ...selectableBy(each)]) reached.add(inner);
  }
  return reached;
}
