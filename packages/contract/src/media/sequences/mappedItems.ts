// The items of a sequence, each mapped when it is read.
import { plainData } from '../../json/json.ts';
import { describeErrors } from '../../schema/validator.ts';
import type { ItemCodec } from './itemCodec.ts';

/** The items of a body; a string is not one. */
export type ItemSource = Iterable<unknown> | AsyncIterable<unknown>;

/** @returns the mapped item; undefined leaves it out */
type MapItem = (item: unknown, at: number) => unknown;

/**
 * Not a generator: a generator passes `return` on after its pending item, which may never arrive.
 *
 * @returns an iterable whose end reaches the source at once
 */
export function mappedItems(items: ItemSource, map: MapItem): AsyncIterableIterator<unknown> {
  const source =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let at = 0;
  const end = async (value?: unknown): Promise<IteratorResult<unknown>> => {
    await source.return?.(value);
    return { done: true, value: undefined };
  };
  const next = async (): Promise<IteratorResult<unknown>> => {
    for (;;) {
      const read = await source.next();
      if (read.done) return read;
      try {
        const value = await map(read.value, at++);
        if (value !== undefined) return { done: false, value };
      } catch (error) {
        await end();
        throw error;
      }
    }
  };
  return {
    next,
    return: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** @returns the items @throws the error that `fail` returns, for the first item that is invalid */
export function checkedItems(
  items: ItemSource,
  codec: ItemCodec,
  fail: (violation: string) => Error,
): AsyncIterableIterator<unknown> {
  return mappedItems(items, (item, at) => {
    const value = plainData(item);
    const errors = codec.errorsOf(value);
    if (errors.length > 0) throw fail(`item ${at}: ${describeErrors(errors, '')}`);
    return value;
  });
}
