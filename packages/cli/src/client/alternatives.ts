// The alternatives of a schema, with the values that select each.
import {
  type Contract,
  discriminatorsOf,
  isObject,
  type Schema,
  SchemaModel,
  schemaLocations,
} from '@stubwright/contract';

/** The schemas of values that select a schema, which its type requires too. */
export type Selected = ReadonlyMap<Schema, Schema>;

/** Schemas of the same value: one of these lists applies too. */
export type Alternatives = readonly (readonly Schema[])[];

/** openapi-typescript adds the property to the alternatives of `oneOf` and `anyOf` that are compositions. */
export function selectedIn(definition: Contract): Selected {
  const model = SchemaModel.of(definition);
  const found = new Map<Schema, Schema>();
  for (const { pointer, node } of schemaLocations(definition.document)) {
    if (node.discriminator === undefined || (node.oneOf ?? node.anyOf) === undefined) continue;
    const holder = model.at(pointer)!;
    for (const { propertyName, schemas } of discriminatorsOf(holder)) {
      for (const target of schemas.values()) {
        if (!target.has('allOf') && !target.has('anyOf')) continue;
        found.set(target, selecting(holder, propertyName, valuesOf(schemas, target)));
      }
    }
  }
  return found;
}

export function choiceOf(part: Schema, value: unknown): Alternatives {
  const [list] = [part.list('oneOf'), part.list('anyOf')].filter((each) => each.length > 0);
  if (list !== undefined) {
    const own = discriminatorsOf(part).find(({ holder }) => holder === part);
    return list.map((each) => {
      const values = own === undefined ? [] : valuesOf(own.schemas, each.ref);
      return values.length === 0 ? [each] : [each, selecting(part, own!.propertyName, values)];
    });
  }
  if (!isObject(value)) return [];
  return discriminatorsOf(part).flatMap(({ holder, schemas, propertyName }) => {
    if (holder.has('oneOf') || holder.has('anyOf')) return [];
    return [...new Set(schemas.values())].map((each) => [
      each,
      selecting(part, propertyName, valuesOf(schemas, each)),
    ]);
  });
}

function valuesOf(schemas: ReadonlyMap<string, Schema>, target: Schema | undefined): string[] {
  return [...schemas].flatMap(([value, each]) => (each === target ? [value] : []));
}

function selecting({ model }: Schema, name: string, values: readonly string[]): Schema {
  return model.synthetic({ required: [name], properties: { [name]: { enum: values } } });
}
