// The interface through which arrays and objects sample their items and properties.
import type { Schema } from '@stubwright/contract';
import type { Random } from './random.ts';

export interface PartSampler {
  readonly random: Random;
  /** True if only required parts are generated: deep inside a value, or in a recursion. */
  readonly isLean: boolean;
  /** True if required parts without a value are omitted. */
  readonly isIncomplete: boolean;
  /** Same as `first`, for an optional property, with a smaller limit. */
  optional(schemas: readonly Schema[], name: string): unknown;
  /** @returns a value that is valid against all schemas; undefined if none is found */
  first(schemas: readonly Schema[], name: string | number): unknown;
  /** @yields values that are valid against all schemas */
  each(schemas: readonly Schema[], name: string | number): Iterable<unknown>;
  /** True for requests, which may contain readOnly properties. */
  readonly ignoresHidden: boolean;
  isValid(value: unknown, schema: Schema): boolean;
  /** True for a readOnly property of a request and a writeOnly property of a response. */
  isHiddenProperty(property: Schema): boolean;
}
