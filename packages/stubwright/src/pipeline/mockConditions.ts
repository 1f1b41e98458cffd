// Conditional requests to mocked operations: compared with the mocked GET of the same path.
import { type MaybePromise, Problem } from '@stubwright/contract';
import type { Mocks } from '@stubwright/mock';
import { InvalidMock } from '@stubwright/mock/mocked';
import { readOf } from '../conditional/conditionalOperation.ts';
import { preconditionsOf, type RequestPreconditions } from '../conditional/preconditions.ts';
import type { Exchange } from '../request/exchange.ts';
import type { StepParts } from './step.ts';

type MockedExchange = Parameters<Mocks['reply']>[0];

/** Compares and replies to one conditional request at a time. `Prefer` selects a reply without conditions. */
export function withConditions(
  mocks: Mocks,
  { definition, isMocked }: Pick<StepParts, 'definition' | 'isMocked'>,
): Mocks {
  let latest: Promise<unknown> = Promise.resolve();
  const compared = async (exchange: Exchange, preconditions: RequestPreconditions) => {
    const read = readOf(definition, exchange.operation!);
    if (read !== undefined && isMocked(read)) {
      const current = await found(() => mocks.reply({ ...readingOf(exchange), operation: read }));
      if (!(current instanceof InvalidMock)) {
        preconditions.checkRepresentation(current?.body);
      }
    }
    return mocks.reply(exchange);
  };
  return {
    ...mocks,
    reply(mocked) {
      const exchange = mocked as Exchange;
      const preconditions = preconditionsOf(exchange);
      const isCompared =
        preconditions?.isChecked === false && exchange.headers['prefer'] === undefined;
      if (!isCompared) return mocks.reply(exchange);
      const reply = latest.then(() => compared(exchange, preconditions));
      latest = reply.catch(() => {});
      return reply;
    },
  };
}

/** @returns the same path without query, headers and body */
function readingOf({ path, parameters, body }: Exchange): MockedExchange {
  return {
    ...{ operation: undefined, path, queryText: '', headers: {}, body, violation: undefined },
    parameters: { path: parameters.path, query: {}, header: {}, cookie: {} },
    parsedBody: { mediaType: undefined, coerced: () => undefined },
  };
}

/** @returns undefined for a resource that does not exist */
async function found<T>(reply: () => MaybePromise<T>): Promise<T | undefined> {
  try {
    return await reply();
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}
