// Replies of mocks with dates and integers of 64 bits that have other types than in the contract.
import { isBytes } from './bodies.ts';
import { exactIn, writtenPart } from './conversion.ts';
import type { ConversionSpec } from './conversions.ts';
import { specOf } from './replies.ts';

interface MockedReply {
  readonly status: number;
  readonly headers?: object;
  readonly body?: unknown;
}

/** A function from `withConversions`, or another export of its module. */
type Exported = { readonly operationId?: string; readonly conversions?: ConversionSpec };

/**
 * @param functions the exports of a generated module
 * @returns a function that writes a reply of an operation, as its client reads it
 */
export function replyWriter(
  functions: Readonly<Record<string, unknown>>,
): (id: string, reply: MockedReply, type: string) => MockedReply {
  const specs = new Map(
    Object.values(functions as Record<string, Exported>).map((exported) => [
      exported.operationId,
      exported.conversions,
    ]),
  );
  return (id, reply, type) => {
    const { headers, content } = specOf(specs.get(id)?.replies ?? {}, reply.status) ?? {};
    const exact = content && exactIn(content, type);
    return {
      ...reply,
      headers: writtenPart(id, headers, reply.headers, 'headers') as object,
      body: isBytes(reply.body) ? reply.body : writtenPart(id, exact, reply.body, 'body'),
    };
  };
}
