// Schemas that apply to the same value again, or require a value of their own schema without end.
import {
  type Contract,
  describeCycle,
  isHidden,
  reachableSchemas,
  type Schema,
  SchemaModel,
  schemaCycles,
  schemaLocations,
} from '@stubwright/contract';

interface CycleError {
  /** JSON pointer in the bundled document. */
  readonly pointer: string;
  /** `error  expectation` */
  readonly text: string;
  /** Each as `get /toys`. */
  readonly operations: readonly string[];
}

export function cycleErrors(definition: Contract): CycleError[] {
  const cycles = schemaCycles(definition);
  if (cycles.length === 0) return [];
  const reached = definition.operations.map(({ route, requestSchemas, responseSchemas }) => {
    return [route, reachableSchemas([...requestSchemas, ...responseSchemas])] as const;
  });
  return cycles.map((cycle) => ({
    pointer: cycle.closing.pointer,
    text: `a schema applies itself to the same value: ${describeCycle(cycle)}  expected a property or an item in between`,
    operations: reached.filter(([, all]) => all.has(cycle.closing)).map(([name]) => name),
  }));
}

/** @returns the pointers of schemas whose values contain a value of the same schema, without end */
export function endlessSchemas(definition: Contract): string[] {
  const model = SchemaModel.of(definition);
  const schemas = new Set(
    [...schemaLocations(definition.document)].flatMap(({ pointer }) => model.at(pointer) ?? []),
  );
  const contents = new Map([...schemas].map((schema) => [schema, requiredIn(schema)]));
  const holders = new Map<Schema, Schema[]>();
  for (const schema of schemas) holders.set(schema, []);
  for (const [each, inner] of contents) {
    for (const one of inner) holders.get(one)?.push(each);
  }
  // A schema that contains none of these has a finite value; one that is in none of these is on no cycle.
  removeEnds(schemas, contents, holders);
  removeEnds(schemas, holders, contents);
  return [...schemas].filter(({ types }) => types !== undefined).map(({ pointer }) => pointer);
}

type Edges = ReadonlyMap<Schema, readonly Schema[]>;

/** Removes each schema without an edge to the remaining ones. */
function removeEnds(schemas: Set<Schema>, edges: Edges, reverse: Edges): void {
  const pending = [...schemas];
  for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
    if (!schemas.has(each) || edges.get(each)?.some((other) => schemas.has(other))) continue;
    schemas.delete(each);
    pending.push(...(reverse.get(each) ?? []));
  }
}

/** @returns the schemas of the value itself and of values that it must contain */
function requiredIn(schema: Schema): Schema[] {
  const [type, ...others] = schema.types ?? [];
  const inner: Schema[] = schema.conjuncts.filter((conjunct) => conjunct !== schema);
  if (others.length > 0) return inner;
  const { required, minItems } = schema.keywords;
  if (type === 'object' && Array.isArray(required)) {
    const properties = schema.conjuncts.flatMap((conjunct) => [...conjunct.map('properties')]);
    const isHiddenIn = (schema: Schema) =>
      isHidden(schema, 'request') || isHidden(schema, 'response');
    inner.push(
      ...properties.flatMap(([name, property]) =>
        required.includes(name) && !isHiddenIn(property) ? [property] : [],
      ),
    );
  }
  const items = schema.child('items');
  if (type === 'array' && minItems > 0 && items !== undefined && !schema.has('prefixItems')) {
    inner.push(items);
  }
  return inner;
}
