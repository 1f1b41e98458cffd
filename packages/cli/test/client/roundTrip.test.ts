// A generated client and the engine, on generated contracts: the handler receives the values of the call, and
// the call returns the values of the handler.

import { expect, it } from '@jest/globals';
import {
  type Content,
  type Contents,
  Contract,
  type DescribedValue,
  type Node,
  type Operation,
  parseJsonText,
  type Schema,
  stringifyJson,
} from '@stubwright/contract';
import {
  Coercions,
  dataContentsOf,
  declaredPart,
  mediaContentOf,
  mediaKindOf,
  Validators,
} from '@stubwright/contract/values';
import { NoSample, Samples } from '@stubwright/mock/samples';
import { generatedContract } from '@stubwright/test-support/generatedContract';
import { mediaContract } from '@stubwright/test-support/mediaContract';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { fetchOf, generatedClient } from '../support/generatedClient.ts';

type Values = Record<string, unknown>;

/** Samples of one direction, as the types of the contract have them. */
class TypedSamples {
  readonly #direction: 'request' | 'response';
  readonly #validators: Validators;
  readonly #samples: Samples;
  readonly #coercions: Coercions;

  constructor(definition: Contract, direction: 'request' | 'response') {
    this.#direction = direction;
    this.#validators = new Validators(definition, direction);
    this.#samples = new Samples(this.#validators);
    this.#coercions = new Coercions(this.#validators);
  }

  of(value: DescribedValue | undefined, content: Content | undefined, seed: string): unknown {
    const { schema } = content ?? value ?? {};
    const item = content && isSequence(content) ? content.item : undefined;
    if (item !== undefined) {
      return ['1', '2'].slice(seed.length % 3).map((each) => this.#item(item, seed + each));
    }
    return schema === undefined ? 'text' : this.#at(schema.pointer, seed);
  }

  /** The data of an event is the value of its `contentSchema`. */
  #item(item: Schema, seed: string): unknown {
    const value = this.#at(item.pointer, seed);
    const [content] = dataContentsOf(item);
    if (content?.schema === undefined || content.isValue) return value;
    return { ...(value as object), data: this.#at(content.schema.pointer, seed) };
  }

  #at(schema: string, seed: string): unknown {
    const value = this.#samples.at(schema, seed, { isDynamic: true });
    // A handler's undeclared properties are not sent.
    const { model } = this.#validators;
    const options = { keepsHidden: this.#direction === 'request' };
    const part = declaredPart(this.#validators, model.at(schema)!, options);
    const declared = part(value);
    // Contradicting alternatives: without a hidden property another one is valid.
    if (stringifyJson(part(structuredClone(declared))) !== stringifyJson(declared)) {
      throw new NoSample('the declared part has another one');
    }
    return this.#coercions.at(schema)?.(declared) ?? declared;
  }
}

/** `itemSchema` is of OpenAPI 3.2. */
function isSequence({ declaresItems }: Content): boolean {
  return declaresItems;
}

interface Call {
  readonly request: Record<string, Values> & { body?: unknown };
  readonly reply: { status: number; headers: Values; body: unknown; type?: string };
  /** The bodies in the client, where XML is text. */
  readonly sentBody: unknown;
  readonly returnedBody: unknown;
}

/** @returns the text of a value in XML, else the value */
function inClient(contents: Contents<Content>, value: unknown, validators: Validators): unknown {
  const [entry] = contents.entries;
  if (entry === undefined) return value;
  const own = mediaContentOf(entry.content, validators);
  const kind = mediaKindOf(entry.key, own);
  return kind.name === 'xml' ? kind.encode(value, own) : value;
}

function callOf(operation: Operation, definition: Contract, seed: string): Call {
  const requests = new TypedSamples(definition, 'request');
  const replies = new TypedSamples(definition, 'response');
  const request: Call['request'] = { path: {}, query: {}, header: {}, cookie: {} };
  for (const parameter of operation.parameters) {
    const { name, in: where } = parameter;
    request[where === 'querystring' ? 'query' : where]![name] = requests.of(
      parameter,
      parameter.content?.content,
      seed,
    );
  }
  const { request: bodies, responses } = operation;
  if (bodies.size > 0) request.body = requests.of(undefined, bodies.values()[0], seed);
  const [[status, response] = []] = responses;
  const headers = [...response!.headers].map(
    ([name, header]) => [name, replies.of(header, header.content?.content, seed)] as const,
  );
  const codes: Readonly<Record<string, number>> = { '2XX': 299, default: 500 };
  const body = replies.of(undefined, response!.contents.values()[0], seed);
  const validators = new Validators(definition, 'response');
  return {
    request,
    reply: {
      status: codes[status!] ?? Number(status),
      headers: Object.fromEntries(headers),
      body,
    },
    sentBody: inClient(bodies, request.body, validators),
    returnedBody: inClient(response!.contents, body, validators),
  };
}

/** Bytes and streams as text, which the client and the engine represent differently; sequences as arrays. */
async function comparable(value: unknown): Promise<unknown> {
  if (!(value instanceof ReadableStream) && typeof value === 'object' && value !== null) {
    if (Symbol.asyncIterator in value) {
      const items: unknown[] = [];
      for await (const item of value as AsyncIterable<unknown>) items.push(item);
      return items;
    }
  }
  if (value instanceof ReadableStream || value instanceof Blob) return new Response(value).text();
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return value;
}

async function roundTrip(document: Node, seed: string): Promise<number> {
  const definition = new Contract(structuredClone(document));
  const { createClient } = await generatedClient(structuredClone(document));
  let calls = 0;
  for (const operation of definition.operations) {
    let call: Call;
    try {
      call = callOf(operation, definition, seed);
    } catch (error) {
      if (error instanceof NoSample) continue;
      throw error;
    }
    const { request, reply, sentBody, returnedBody } = call;
    let received: Values = {};
    const handler = async ({ path, query, header, cookie, body }: Values) => {
      received = { path, query, header, cookie, body: await comparable(body) };
      return reply;
    };
    const others = definition.operations.map(({ operationId }) => [operationId, handler]);
    const handlers = Object.fromEntries(others);
    const fetch = await fetchOf(document, { handlers, verifiers: { s: () => ({ name: 'any' }) } });
    const s = SCHEME_VALUES[definition.securitySchemes.get('s')?.scheme ?? ''] ?? 'key';
    const client = createClient({ baseUrl: 'http://localhost', fetch }, { s });
    const [id = ''] = Object.keys(client).filter((name) => name === operation.operationId);
    const returned = await client[id]!(structuredClone({ ...request, body: sentBody }));
    expect({ seed, ...received }).toEqual({ seed, body: undefined, ...request });
    const { status, headers, body } = returned;
    const expected = { ...reply, body: await comparable(returnedBody) };
    expect({ status, headers, body: await comparable(body) }).toEqual(expected);
    calls++;
  }
  return calls;
}

const SCHEME_VALUES: Readonly<Record<string, { username: string; password: string }>> = {
  basic: { username: 'u', password: 'p' },
};

it('sends what the engine reads, and returns what the engine answers', async () => {
  await expectRoundTrips(generatedContract, isTestAll ? 60 : 12);
});

it('does so with XML, sequences, exploded cookies, querystrings and other methods', async () => {
  await expectRoundTrips(mediaContract, isTestAll ? 100 : 6);
});

it('reads the same JSON as the engine, whatever the schema says of its integers', async () => {
  const content = { 'application/json': {} };
  const { createClient } = await generatedClient({
    openapi: '3.1.0',
    info: { title: 'a', version: '1' },
    paths: {
      '/': { get: { operationId: 'read', responses: { 200: { description: 'ok', content } } } },
    },
  });
  let text = '';
  const fetch = async () => new Response(text, { headers: { 'Content-Type': 'application/json' } });
  const { read } = createClient({ baseUrl: 'http://localhost', fetch });
  const digits = fc.oneof(
    fc.bigInt({ min: 1n, max: 2n ** 70n }).map(String),
    fc.integer({ min: 2 ** 31 - 1 }).map((each) => String(2n ** 53n + BigInt(each))),
    fc.constantFrom('9007199254740993', '18446744073709551615', '-9223372036854775808'),
  );
  const number = fc.oneof(
    digits,
    fc.tuple(digits, fc.nat({ max: 8 })).map(([each, zeros]) => `${each}e${zeros}`),
    fc.tuple(digits, fc.nat({ max: 8 })).map(([each, zeros]) => `${each}.${'0'.repeat(zeros + 1)}`),
    fc
      .tuple(digits, fc.nat({ max: 9 }))
      .map(([each, zeros]) => `${each}${'0'.repeat(zeros)}E-${zeros}`),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  );
  const string = fc.oneof(fc.string(), number).map((each) => JSON.stringify(each));
  const json = fc.oneof(
    number,
    fc.array(fc.oneof(number, string)).map((all) => `[${all.join(' , ')}]`),
    fc.array(fc.tuple(fc.nat(), fc.oneof(number, string))).map((all) => {
      const members = all.map(([name, value], at) => `"${name}-${at}":${value}`);
      return `{${members.join(',\n')}}`;
    }),
  );
  await fc.assert(
    fc.asyncProperty(json, async (each) => {
      text = each;
      expect((await read!()).body).toEqual(parseJsonText(each));
    }),
    { numRuns: isTestAll ? 20_000 : 2_000 },
  );
});

async function expectRoundTrips(contracts: fc.Arbitrary<Node>, numRuns: number): Promise<void> {
  let calls = 0;
  await fc.assert(
    fc.asyncProperty(contracts, fc.string({ minLength: 1 }), async (document, seed) => {
      calls += await roundTrip(document, seed);
    }),
    { numRuns },
  );
  expect(calls).toBeGreaterThan(2 * numRuns);
}
