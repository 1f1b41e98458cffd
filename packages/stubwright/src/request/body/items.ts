// The items of a request body that is a sequence, validated while they arrive.
import { Problem } from '@stubwright/contract';
import {
  type BodySource,
  type ItemCodec,
  type ItemReader,
  violationsOf,
} from '@stubwright/contract/values';
import type { ParsedBody } from '../exchange.ts';
import { violationProblem } from '../violations.ts';

/**
 * @param read the reader of this message
 * @yields each item for the handler, an int64 as a bigint
 * @throws {Problem} 40000 or 40001 for the first item that is invalid, 41300 for a body that is too large
 */
export async function* receivedItems(
  body: BodySource,
  codec: ItemCodec,
  read: ItemReader,
): AsyncGenerator<unknown, void, undefined> {
  const items = read(body.stream());
  try {
    for (let at = 0; ; at++) {
      const { done, value } = await items.next().catch((error: unknown) => {
        throw located(error, at);
      });
      if (done) return;
      const errors = codec.errorsOf(value);
      if (errors.length > 0) {
        const inBody = errors.map((each) => ({ ...each, pointer: `/${at}${each.pointer}` }));
        throw violationProblem(violationsOf(inBody, ''));
      }
      yield codec.coerced(value);
    }
  } finally {
    await items.return();
  }
}

/** @returns the error of an item that is malformed, with its number */
function located(error: unknown, at: number): unknown {
  if (!(error instanceof Problem) || error.status !== 400) return error;
  const { status, number, cause } = error;
  return new Problem(status, `item ${at}: ${error.message}`, { number, cause });
}

/**
 * Reads a body that is a sequence, where no handler does.
 *
 * @throws {Problem} as receivedItems
 */
export async function readItems({ isSequence, coerced }: ParsedBody): Promise<void> {
  if (!isSequence) return;
  for await (const _ of coerced() as AsyncIterable<unknown>);
}
