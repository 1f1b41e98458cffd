// Errors of schemas that apply themselves to the same value: a validation of them does not end.
import type { Definition, LocatedNode, Operation } from 'stubwright/internal/document/definition';
import { requestSchemas, responseSchemas } from 'stubwright/internal/document/schemas';
import { describeCycle, schemaCycles } from 'stubwright/internal/schema/cycles';
import { selectableBy } from 'stubwright/internal/schema/discriminator';
import { type Schema, SchemaModel } from 'stubwright/internal/schema/model';

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
    ...requestSchemas(definition, operation),
    ...responses.flatMap((each) => [...responseSchemas(definition, each)]),
  ];
  const reached = new Set(locations.flatMap(({ pointer }) => model.at(pointer) ?? []));
  for (const each of reached) {
    for (const inner of [...each.inner, ...selectableBy(each)]) reached.add(inner);
  }
  return reached;
}
