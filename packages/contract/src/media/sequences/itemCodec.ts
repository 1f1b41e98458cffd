// The items of a sequential media type: how each is written, read and validated by itself.

import { plainData } from '../../json/json.ts';
import { Coercions } from '../../schema/coercion.ts';
import type { Schema } from '../../schema/model.ts';
import type { SchemaError } from '../../schema/schemaErrors.ts';
import type { Validate, Validators } from '../../schema/validator.ts';
import { describeErrors } from '../../schema/validator.ts';

/** The items of one entry of `content`, compiled. */
export interface ItemCodec {
  readonly write: ItemWriter;
  /**
   * @yields the items of a body as soon as they have arrived, before their validation
   * @throws {Problem} 40001 or 40004 for a malformed item, 41300 for one that is longer than MAX_ITEM_BYTES
   */
  read(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void, undefined>;
  /** @returns the errors of an invalid item; none for a valid one */
  errorsOf(item: unknown): readonly SchemaError[];
  /** @returns a valid item for the application: an int64 as a bigint, with defaults */
  coerced(item: unknown): unknown;
  /** Only for formats that can say more than items. */
  readonly signals?: StreamSignals;
}

/**
 * @param isValidated false to send an invalid item unchanged
 * @returns an item with its delimiters
 * @throws {NotSerializable} for an item that is invalid or has no serialization
 */
export type ItemWriter = (item: unknown, isValidated: boolean) => string;

/** What a format sends besides items. */
export interface StreamSignals {
  /** Ignored by clients. */
  readonly keepAlive: string;
  /** @returns the field that asks the client to connect again after so many milliseconds */
  reconnect(ms: number): string;
  /** @returns an item that describes an error; undefined if the contract does not allow it */
  error(problem: { readonly title: string; readonly status: number }): string | undefined;
}

/** Limits the memory for one item of a request. */
export const MAX_ITEM_BYTES = 1024 * 1024;

/** @returns the errors of a value; none for a valid one */
export function errorsIn(validate: Validate, value: unknown): readonly SchemaError[] {
  return validate(value) ? [] : validate.errorsOf(value);
}

/** @returns the part of a codec that validates the items of one schema */
export function validationOf(
  { pointer }: Schema,
  validators: Validators,
): Pick<ItemCodec, 'errorsOf' | 'coerced'> {
  const validate = validators.at(pointer);
  const coercion = new Coercions(validators).at(pointer);
  return { errorsOf: (item) => errorsIn(validate, item), coerced: coercion ?? ((item) => item) };
}

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
