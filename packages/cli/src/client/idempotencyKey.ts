// The idempotency keys that a generated client makes.
import type { Operation, Schema } from '@stubwright/contract';

/** As @stubwright/client makes them, and as the draft of the IETF quotes strings. */
const KEY = '8e03978e-40d5-43e8-bc93-6894a57f9324';
const QUOTES = ['', '"'];

/** The argument of `withIdempotencyKey`. */
export interface KeySpec {
  readonly header: string;
  readonly quote?: string;
}

/** @returns undefined for an operation without such a header, or with another kind of key */
export function keySpecOf(
  { idempotencyKey: parameter }: Operation,
  isValid: (schema: Schema, value: unknown) => boolean,
): KeySpec | undefined {
  if (parameter === undefined || parameter.content !== undefined) return undefined;
  const { name: header, schema } = parameter;
  const quote = QUOTES.find((quotation) => !schema || isValid(schema, quotation + KEY + quotation));
  if (quote === undefined) return undefined;
  return quote === '' ? { header } : { header, quote };
}
