// Reads and validates the response to a replayed request, of a stream the first items.
import { type Operation, stringifyJson } from '@stubwright/contract';
import type { Violation } from '@stubwright/contract/values';

/** A stream may never end: its first items are validated, as many as arrive in this time. */
const MAX_ITEMS = 10;
const STREAM_MS = 5_000;

/** Validates responses; the ResponseCheck of stubwright. */
export interface ResponseValidator {
  check(
    operation: Operation,
    method: string,
    response: ResponseHead & { readonly bytes: Buffer | undefined },
  ): Promise<{ readonly violations: readonly Violation[] }>;
  /** @returns a reader of items; undefined for a body that is not a sequence */
  sequence(
    operation: Operation,
    head: ResponseHead,
  ): ((body: AsyncIterable<Uint8Array>) => Items) | undefined;
}

interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
}

type Items = AsyncGenerator<{ readonly value: unknown; readonly violations: readonly Violation[] }>;

/** What a client has of a response. */
export interface Received {
  readonly violations: readonly Violation[];
  readonly text: string;
}

/** @param method of the request */
export async function receive(
  response: Response,
  operation: Operation,
  method: string,
  responses: ResponseValidator,
): Promise<Received> {
  const { status, headers, body } = response;
  const read = responses.sequence(operation, { status, headers });
  const items = body === null ? undefined : read?.(body);
  const bytes = items === undefined ? Buffer.from(await response.arrayBuffer()) : undefined;
  const { violations } = await responses.check(operation, method, { status, headers, bytes });
  if (items === undefined || violations.length > 0)
    return { violations, text: bytes?.toString() ?? '' };
  return firstItems(items);
}

/** @returns the violations of the first invalid item, and the items until then as JSON Lines */
async function firstItems(items: Items): Promise<Received> {
  const ended = AbortSignal.timeout(STREAM_MS);
  const late = new Promise<undefined>((resolve) => {
    ended.addEventListener('abort', () => resolve(undefined));
  });
  const lines: string[] = [];
  while (lines.length < MAX_ITEMS) {
    const next = await Promise.race([items.next(), late]);
    if (next === undefined || next.done) break;
    const { value, violations } = next.value;
    lines.push(stringifyJson(value ?? null));
    if (violations.length > 0) return { violations, text: lines.join('\n') };
  }
  return { violations: [], text: lines.join('\n') };
}
