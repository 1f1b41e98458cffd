// Creates the handler of mocked operations.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Contract,
  type DescribedValue,
  isSequential,
  type Operation,
  Problem,
  parseMediaType,
  stringifyJson,
  valueKey,
} from '@stubwright/contract';
import { sentValue, type Validators } from '@stubwright/contract/values';
import type { InvalidMock, MockedExchange, MockOptions, SelectPage, ValidMock } from './mocked.ts';
import {
  isDynamic,
  isSelected,
  MockReplies,
  type MockRequest,
  mockedStatus,
  parsePrefer,
} from './replies/mockReplies.ts';
import { Random } from './sampling/random.ts';
import { Samples } from './sampling/sample.ts';
import type { StatefulMocks } from './state/statefulMocks.ts';

/** The mocked replies of one contract. */
export interface Mocks {
  reply(exchange: MockedExchange): Promise<ValidMock | InvalidMock>;
  /** False if requests that violate the contract get a reply too. */
  readonly validatesRequests: boolean;
  /** @param status a declared status @throws the errors of MockReplies.reply */
  replyWith(operation: Operation, status: number): Promise<ValidMock | InvalidMock>;
  /** @returns the status of replies to requests that prefer none */
  statusOf(operation: Operation): number;
}

/** @param selectPage for stateful mocks of operations with `x-pagination`; by default by the usual names */
export async function createMocks(
  definition: Contract,
  validators: Validators,
  options: MockOptions = {},
  selectPage?: SelectPage,
): Promise<Mocks> {
  const samples = new Samples(validators);
  const mocks = new MockReplies(validators, samples);
  const { seed = randomUUID() } = options;
  const counts = new Map<Operation, number>();
  /** @returns a seed for each generated body of an operation */
  const nextSeed = (operation: Operation, requestSeed: string) => {
    const count = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, count);
    return `${seed} ${count} ${requestSeed}`;
  };
  let stateful: StatefulMocks | undefined;
  if (options.isStateful) {
    // Loaded on demand: most mocks have no state.
    const state = await import('./state/statefulMocks.ts');
    const items = state.itemsOf(options);
    stateful = new state.StatefulMocks(definition, validators, items, selectPage);
  }
  const matching = (exchange: MockedExchange, request: MockRequest) => {
    const found = matchingExample(exchange);
    if (found === undefined) return undefined;
    const prefer = `code=${found.status}, example="${found.name.replace(/["\\]/g, '\\$&')}"`;
    try {
      return mocks.reply(exchange.operation!, { ...request, prefer });
    } catch {
      // An invalid example, or one in a media type that is not acceptable.
      return undefined;
    }
  };
  const { itemIntervalMs: intervalMs = 0, validatesRequests = true } = options;
  const disturbance = new Disturbance(options, seed);
  return {
    validatesRequests,
    async reply(exchange) {
      const operation = exchange.operation!;
      const request = mockRequestOf(exchange, options.isDynamic);
      const prefer = parsePrefer(request.prefer);
      await disturbance.delay(exchange, prefer);
      const status = disturbance.errorOf(operation, prefer);
      if (status !== undefined) throw new Problem(status, 'an error that the mock simulates');
      const mock = async (code?: number) =>
        mocks.reply(operation, {
          ...request,
          items: options.items,
          ...(code !== undefined && { prefer: `code=${code}, ${request.prefer}` }),
          ...(isDynamic(prefer) && { seed: nextSeed(operation, request.seed) }),
        });
      const mocked = isSelected(prefer)
        ? mock()
        : (stateful?.reply(exchange, mock) ??
          (isDynamic(prefer) ? undefined : matching(exchange, request)) ??
          mock());
      return intervalMs > 0 ? spaced(await mocked, intervalMs) : mocked;
    },
    replyWith: async (operation, status) =>
      mocks.reply(operation, { prefer: `code=${status}`, accept: '', seed: '' }),
    statusOf: (operation) => mockedStatus(operation, undefined),
  };
}

/** @returns the reply with a pause after each item of a sequence */
function spaced(reply: ValidMock | InvalidMock, intervalMs: number): ValidMock | InvalidMock {
  const { type, body } = reply;
  if (!Array.isArray(body) || !isSequential(parseMediaType(type)?.type ?? '')) return reply;
  const items = async function* () {
    for (const [at, item] of body.entries()) {
      if (at > 0) await sleep(intervalMs, undefined, { ref: false });
      yield item;
    }
  };
  return { ...(reply as ValidMock), body: items() };
}

/** Uses the method of the operation: HEAD gets the same reply as GET. */
function mockRequestOf(exchange: MockedExchange, prefersDynamic = false): MockRequest {
  const { operation, path, queryText, headers, parsedBody, parameters } = exchange;
  const body = parsedBody.isStream ? undefined : parsedBody.coerced();
  const isPlain = body === undefined || parsedBody.mediaType?.includes('json');
  const seed = `${operation!.method} ${path}?${queryText} ${isPlain ? stringifyJson(body) : ''}`;
  const text = (name: string) => [headers[name] ?? []].flat().join();
  // The first preference of a name applies.
  const prefer = prefersDynamic ? `${text('prefer')}, dynamic` : text('prefer');
  return { prefer, accept: text('accept'), seed, path: { ...parameters.path } };
}

/** Maximum wait that a request can select. */
const MAX_WAIT_SECONDS = 60;
const RESOLUTION = 2 ** 30;

export class Disturbance {
  readonly #options: MockOptions;
  readonly #random: Random;

  /** @param seed of the sequence of delays and errors */
  constructor(options: MockOptions, seed: string) {
    this.#options = options;
    this.#random = new Random(`${seed} disturbance`);
  }

  /** Waits as long as `Prefer: wait` or the options select; until the client is gone at most. */
  async delay({ body }: MockedExchange, prefer: ReadonlyMap<string, string>): Promise<void> {
    const delayMs = waitOf(prefer) ?? this.#delayMs();
    if (delayMs === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      body.onClose?.(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** A selected reply does not fail. @returns the status of a failing request: a declared 5xx, else 503; undefined for a reply */
  errorOf({ responses }: Operation, prefer: ReadonlyMap<string, string>): number | undefined {
    const { errorRate = 0 } = this.#options;
    if (errorRate === 0 || isSelected(prefer)) return undefined;
    if (this.#random.below(RESOLUTION) >= errorRate * RESOLUTION) return undefined;
    const declared = [...responses.keys()].filter((key) => /^5\d\d$/.test(key)).map(Number);
    return declared.length > 0 ? this.#random.pick(declared) : 503;
  }

  #delayMs(): number {
    const [min, max] = this.#options.delayMs ?? [0, 0];
    return min + this.#random.below(max - min + 1);
  }
}

/** @returns milliseconds; undefined without a valid `wait` (RFC 7240, section 4.3) */
function waitOf(prefer: ReadonlyMap<string, string>): number | undefined {
  const text = prefer.get('wait');
  if (text === undefined || !/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return undefined;
  return Math.round(Math.min(Number(text), MAX_WAIT_SECONDS) * 1000);
}

/**
 * @returns the response with an example whose name is that of an example of the request, and the sent
 *   values are those of all request examples with this name; the status without preference comes first
 */
function matchingExample({
  operation,
  parameters,
  parsedBody,
}: MockedExchange): { readonly status: number; readonly name: string } | undefined {
  const { responses } = operation!;
  const named = [...responses].flatMap(([key, { contents }]) =>
    contents
      .values()
      .flatMap(({ examples }) =>
        examples.flatMap(({ name }) => (name === undefined ? [] : [{ key, name }])),
      ),
  );
  if (named.length === 0) return undefined;
  const sent = sentParts(operation!, parameters, parsedBody);
  const isMatch = (name: string) => {
    const having = sent.flatMap(({ described, value, type }) => {
      const example = described.example(name)?.read(type);
      return example === undefined
        ? []
        : [value !== undefined && valueKey(value) === valueKey(example.value)];
    });
    return having.length > 0 && having.every(Boolean);
  };
  const usual = mockedStatus(operation!, undefined);
  const usualKey = responses.keyFor(usual);
  const rank = ({ key }: { readonly key: string }) => (key === usualKey ? 0 : 1);
  const found = named
    .sort((one, other) => rank(one) - rank(other))
    .find(({ name }) => isMatch(name));
  if (found === undefined) return undefined;
  const status = found.key === usualKey ? usual : statusOf(found.key, responses);
  return status === undefined ? undefined : { status, name: found.name };
}

/** @returns the least status with the response of a key, an error of the server for `default`; undefined for none */
function statusOf(key: string, responses: Operation['responses']): number | undefined {
  const families = key === 'default' ? [5, 4, 3, 2] : [Number(key.charAt(0))];
  return families
    .flatMap((family) => Array.from({ length: 100 }, (_, at) => family * 100 + at))
    .find((status) => responses.keyFor(status) === key);
}

interface SentPart {
  readonly described: DescribedValue;
  readonly value: unknown;
  /** The media type of a body. */
  readonly type?: string | undefined;
}

function sentParts(
  operation: Operation,
  parameters: MockedExchange['parameters'],
  parsedBody: MockedExchange['parsedBody'],
): SentPart[] {
  const ofParameters = operation.parameters.map(({ in: where, name, described }): SentPart => {
    const value = where === 'querystring' ? undefined : sentValue(parameters, where, name);
    return { described, value };
  });
  const { mediaType: type, isStream } = parsedBody;
  const body = isStream ? undefined : operation.request.select(type);
  if (body === undefined) return ofParameters;
  return [...ofParameters, { described: body.content, value: parsedBody.coerced(), type }];
}
