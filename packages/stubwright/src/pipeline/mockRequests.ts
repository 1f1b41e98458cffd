// What requests for mocked operations may do in addition: choose a response in their query.

import { type MaybePromise, Problem } from '@stubwright/contract';
import type { Mocks } from '@stubwright/mock';
import { InvalidMock } from '@stubwright/mock/mocked';
import { readOf } from '../conditional/conditions.ts';
import { preconditionsOf, type RequestPreconditions } from '../conditional/preconditions.ts';
import { Exchange } from '../request/exchange.ts';
import type { Engine } from './engineResponse.ts';
import type { Router } from './router.ts';
import type { ServedOperation, StepParts } from './step.ts';

type Handle = Engine['handle'];

/** The query parameters of Prism: `__code=404`, `__example=name`, `__dynamic=true`; and `__wait=2`. */
const IN_QUERY = /^__(code|example|dynamic|wait)=(.*)$/s;

/** Reads the preferences in the query of requests for mocked operations. */
export function withPreferences(handle: Handle, router: Router<ServedOperation>): Handle {
  return (exchange) => {
    if (!exchange.queryText.includes('__')) return handle(exchange);
    const served = router.match(exchange.method, exchange.path)?.operation;
    if (served === undefined || !served.isMocked) return handle(exchange);
    const declared = served.operation.parameters.filter((parameter) => parameter.in === 'query');
    const names = new Set(declared.map(({ name }) => name));
    return handle(withQueryPreferences(exchange, names));
  };
}

/**
 * Moves the preferences of the query to the `Prefer` header, whose own preferences take precedence.
 *
 * @param declared names of the query parameters of the operation, which are no preferences
 */
function withQueryPreferences<Native>(
  exchange: Exchange<Native>,
  declared: ReadonlySet<string>,
): Exchange<Native> {
  const preferences: string[] = [];
  const kept = exchange.queryText.split('&').filter((pair) => {
    const [, name, value] = IN_QUERY.exec(pair) ?? [];
    if (name === undefined || declared.has(`__${name}`)) return true;
    preferences.push(`${name}=${quoted(value!)}`);
    return false;
  });
  if (preferences.length === 0) return exchange;
  const query = kept.length === 0 ? '' : `?${kept.join('&')}`;
  const prefer = [exchange.headers['prefer'] ?? [], preferences].flat().join(', ');
  const { method, path, headers, address, body, native } = exchange;
  const head = { method, url: path + query, headers: { ...headers, prefer }, address };
  return new Exchange(head, body, native);
}

function quoted(encoded: string): string {
  const [[, value] = ['', '']] = new URLSearchParams(`value=${encoded}`);
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

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
