// The items of a sequential media type: how each is written, read and validated by itself.
import { Coercions } from '../../schema/coercion.ts';
import type { Schema } from '../../schema/model.ts';
import type { SchemaError } from '../../schema/schemaErrors.ts';
import type { Validate, Validators } from '../../schema/validator.ts';

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
