// The items of a generated sequence.

import { isObject, type Schema } from '@stubwright/contract';
import { dataContentsOf, type ItemCodec } from '@stubwright/contract/values';

/** @param sample generates a value of the schema at a pointer for the item of an index */
export function sampleItems(
  item: Schema,
  codec: ItemCodec,
  count: number,
  sample: (pointer: string, at: number) => unknown,
): unknown[] {
  return Array.from({ length: count }, (_, at) => {
    const made = sample(item.pointer, at);
    const ofData = isObject(made) ? dataContentsOf(item) : [];
    // The text of JSON data would be any string.
    for (const { schema } of ofData) {
      const value = schema === undefined ? {} : sample(schema.pointer, at);
      const event = { ...(made as object), data: value };
      if (codec.errorsOf(event).length === 0) return event;
    }
    return made;
  });
}

/** @returns the first example that is an array of valid items */
export function exampleItems(
  codec: ItemCodec,
  examples: readonly unknown[],
): readonly unknown[] | undefined {
  const isValid = (value: unknown) => codec.errorsOf(value).length === 0;
  return examples.filter(Array.isArray).find((example) => example.every(isValid));
}
