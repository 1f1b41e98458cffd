// What samples of arrays and objects need of the sampler that makes their items and properties.
import type { Schema } from '../../schema/model.ts';
import type { Random } from './random.ts';

export interface PartSampler {
  readonly random: Random;
  /** True where only what is required may be made: deep inside a value, or in a recursion. */
  readonly isLean: boolean;
  /** True where a required part without a value is left out. */
  readonly isIncomplete: boolean;
  /** As `first`, for a property that may be left out: it gives up early. */
  optional(schemas: readonly Schema[], name: string): unknown;
  /** @returns a value of schemas that hold together; undefined where none was found */
  first(schemas: readonly Schema[], name: string | number): unknown;
  /** @yields values of schemas that hold together */
  each(schemas: readonly Schema[], name: string | number): Iterable<unknown>;
  /** True where a readOnly property may be there, since it is ignored. */
  readonly ignoresHidden: boolean;
  isValid(value: unknown, schema: Schema): boolean;
  /** True for a property that does not travel this way: `readOnly` or `writeOnly`. */
  isForTheOtherDirection(property: Schema): boolean;
}
