// Creates the handler of mocked operations.
import type { Definition, Operation } from '../document/definition.ts';
import { stringifyJson } from '../json/json.ts';
import type { Exchange } from '../request/exchange.ts';
import type { HandlerReply } from '../response/reply.ts';
import type { Preparation } from '../schema/preparation.ts';
import type { Validators } from '../schema/validator.ts';
import type { BestEffort } from './mocked.ts';
import { MockReplies, type MockRequest } from './mockReplies.ts';
import { Samples, SlowSample } from './sample.ts';
import { SlowMocks } from './slowMocks.ts';

/** Maximum search time on the event loop; longer searches run in a worker thread. */
const SEARCH_MS = 25;

/** @returns the handler of all mocked operations of a contract */
export function createMockHandler(
  definition: Definition,
  validators: Validators,
  preparation: Preparation,
): (exchange: Exchange) => Promise<HandlerReply | BestEffort> {
  const samples = new Samples(validators);
  const mocks = new MockReplies(definition, validators, samples, SEARCH_MS);
  const slowMocks = new SlowMocks(definition);
  const slow = new Set<Operation>();
  return async (exchange) => {
    const operation = exchange.operation!;
    const request = mockRequestOf(exchange);
    await preparation.response(operation, mocks.statusOf(operation, request));
    if (slow.has(operation)) return slowMocks.reply(operation, request);
    try {
      return mocks.reply(operation, request);
    } catch (error) {
      if (!(error instanceof SlowSample)) throw error;
      slow.add(operation);
      return slowMocks.reply(operation, request);
    }
  };
}

/** Uses the method of the operation: HEAD gets the same reply as GET. */
function mockRequestOf(exchange: Exchange): MockRequest {
  const { operation, path, queryText, headers, parsedBody } = exchange;
  const body = parsedBody.coerced();
  const isPlain = body === undefined || parsedBody.mediaType?.includes('json');
  const seed = `${operation!.method} ${path}?${queryText} ${isPlain ? stringifyJson(body) : ''}`;
  const text = (name: string) => [headers[name] ?? []].flat().join();
  return { prefer: text('prefer'), accept: text('accept'), seed };
}
