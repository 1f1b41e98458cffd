// The alternatives of a schema, with the values that select each.
import { type Discriminator, discriminatorsOf, isObject, type Schema } from '@stubwright/contract';
import { selectingSchema } from '../types/discriminators.ts';

/** Schemas of the same value: one of these lists applies too. */
export type Alternatives = readonly (readonly Schema[])[];

export function choiceOf(part: Schema, value: unknown): Alternatives {
  const [list] = [part.list('oneOf'), part.list('anyOf')].filter((each) => each.length > 0);
  if (list !== undefined) {
    const own = discriminatorsOf(part).find(({ holder }) => holder === part);
    return list.map((each) => [each, ...selecting(part, own, each.ref)]);
  }
  if (!isObject(value)) return [];
  return discriminatorsOf(part).flatMap((each) => {
    const { holder, schemas } = each;
    if (holder.has('oneOf') || holder.has('anyOf')) return [];
    return [...new Set(schemas.values())].map((target) => [
      target,
      ...selecting(part, each, target),
    ]);
  });
}

/** @returns the schema of the values that select an alternative, if its type has one */
function selecting(
  { model }: Schema,
  discriminator: Discriminator | undefined,
  target: Schema | undefined,
): Schema[] {
  const values = discriminator && target && selectingSchema(target, discriminator);
  return values === undefined ? [] : [model.synthetic(values)];
}
