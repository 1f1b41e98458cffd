// An answer for an operation that has no handler yet: from the contract's examples, else samples of
// its schemas. Keeps no state: the same request gets the same answer.
import { isJson, parseMediaType } from '../body/mediaType.ts';
import type { Definition, Operation, Place } from '../definition/definition.ts';
import type { Exchange } from '../exchange.ts';
import { stringifyJson } from '../json.ts';
import { breaksContract } from '../problem.ts';
import { type HandlerReply, ReplyFault } from '../reply/reply.ts';
import { declaredResponse } from '../reply/response.ts';
import type { Validators } from '../schema/validator.ts';
import { type Chosen, chooseMediaType } from './accept.ts';
import { parsePrefer } from './prefer.ts';
import { NoSample, Samples } from './sample.ts';

/** Headers that the server itself writes, and that no sample may contradict. */
const OF_THE_SERVER = new Set([
  ...['connection', 'content-encoding', 'content-length', 'content-type', 'date', 'keep-alive'],
  ...['trailer', 'transfer-encoding', 'upgrade'],
]);
/** RFC 9110, section 5.5. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export interface MockRequest {
  /** The `Prefer` header (RFC 7240): `code=404` and `example=name` choose the answer. */
  readonly prefer: string;
  /** The `Accept` header: it chooses among the answer's media types. */
  readonly accept: string;
  /** Chooses among the values of a schema. */
  readonly seed: string;
}

/** @returns what answers any operation of the contract in place of its handler */
export function createMock(definition: Definition, validators: Validators) {
  const mocks = new Mocks(definition, validators, new Samples(validators));
  return (exchange: Exchange): HandlerReply =>
    mocks.reply(exchange.operation!, mockRequestOf(exchange));
}

/** What of a request counts; HEAD is answered as GET, so the operation's method does. */
function mockRequestOf(exchange: Exchange): MockRequest {
  const { operation, path, queryText, headers, received } = exchange;
  const body = received.typed();
  const isPlain = body === undefined || received.mediaType?.includes('json');
  const seed = `${operation!.method} ${path}?${queryText} ${isPlain ? stringifyJson(body) : ''}`;
  const text = (name: string) => [headers[name] ?? []].flat().join();
  return { prefer: text('prefer'), accept: text('accept'), seed };
}

/** The mocks of one contract. */
export class Mocks {
  readonly #definition: Definition;
  readonly #validators: Validators;
  readonly #samples: Samples;

  /** @param validators and samples of the response direction */
  constructor(definition: Definition, validators: Validators, samples: Samples) {
    this.#definition = definition;
    this.#validators = validators;
    this.#samples = samples;
  }

  /**
   * Answers as Prism does, with the lowest declared 2xx, its first example, else a sample of its
   * schema; an example that breaks the schema is passed over. A `2XX` or a `default` stands for 200,
   * and an operation that declares no success answers with its lowest status.
   *
   * `Prefer: code=404` asks for a declared status, be it by range or `default`;
   * `Prefer: example=name` for an example of that name in the answer's status. What is not declared
   * is a 400 that names what is (Prism's answer is a 500 or a 404). `Accept` chooses among media
   * types. Headers that are required or have an example are sent. A body that is neither JSON nor
   * text nor has an example (XML of an object's schema) is empty.
   *
   * @throws {Problem} 40000 for a preference that cannot be met
   * @throws {ReplyFault} where the contract admits no answer that was found, or the example that
   *   was asked for breaks its schema
   */
  reply(operation: Operation, { prefer: header, accept, seed }: MockRequest): HandlerReply {
    const prefer = parsePrefer(header);
    const status = statusOf(operation, prefer.get('code'));
    const response = declaredResponse(operation, status)!;
    const fixed = { status, headers: this.#headers(response, seed) };
    const contents = this.#contents(response, prefer.get('example'));
    if (contents.size === 0) return fixed;
    const chosen = chooseMediaType(accept, [...contents.keys()]);
    const content = contents.get(chosen.key)!;
    return {
      ...fixed,
      type: chosen.type,
      body: this.#body(content, chosen, seed, prefer.get('example')),
    };
  }

  /** The response's contents by media type; where an example is asked for, those that have it. */
  #contents(response: Place, example: string | undefined): Map<string, Place> {
    const contents = this.#children(response, 'content');
    if (example === undefined) return contents;
    const having = [...contents].filter(([, each]) =>
      this.#children(each, 'examples').has(example),
    );
    if (having.length > 0) return new Map(having);
    const names = [...contents.values()].flatMap((each) => [
      ...this.#children(each, 'examples').keys(),
    ]);
    throw notDeclared('example', example, names);
  }

  #body(content: Place, { type }: Chosen, seed: string, example: string | undefined): unknown {
    const isText = !isJson(parseMediaType(type)?.type ?? '');
    const fits = (value: unknown) => !isText || isScalar(value);
    const shown = this.#examples(content, example);
    for (const value of shown) {
      if (fits(value) && this.#isValid(value, content)) return value;
    }
    if (example !== undefined) {
      throw new ReplyFault(`${content.pointer}  example ${example} breaks its schema`);
    }
    if (content.node.schema === undefined) return isText ? NO_BYTES : {};
    const value = this.#sample(content, seed);
    return fits(value) ? value : NO_BYTES;
  }

  #headers(response: Place, seed: string): Record<string, unknown> {
    const headers: Record<string, unknown> = {};
    for (const [name, header] of this.#children(response, 'headers')) {
      if (OF_THE_SERVER.has(name.toLowerCase())) continue;
      const [content] = this.#children(header, 'content').values();
      const shown = [header, ...(content ? [content] : [])].flatMap((each) => this.#examples(each));
      const isSent = (value: unknown) =>
        HEADER_VALUE.test(String(value)) && this.#isValid(value, header);
      const value = shown.find(isSent);
      if (value !== undefined) headers[name] = value;
      else if (header.node.required === true)
        headers[name] = this.#headerSample(header, content, seed);
    }
    return headers;
  }

  #headerSample(header: Place, content: Place | undefined, seed: string): unknown {
    if (content === undefined) return this.#sample(header, seed);
    const value = this.#sample(content, seed);
    return isScalar(value) ? value : stringifyJson(value);
  }

  /** The values of `example` and `examples`, those that stand elsewhere (`externalValue`) left out. */
  #examples(holder: Place, name?: string): unknown[] {
    const named = this.#children(holder, 'examples');
    const chosen = name === undefined ? [...named.values()] : [named.get(name)!];
    const values = chosen.filter(({ node }) => 'value' in node).map(({ node }) => node.value);
    return name === undefined && 'example' in holder.node
      ? [holder.node.example, ...values]
      : values;
  }

  #isValid(value: unknown, { node, pointer }: Place): boolean {
    return node.schema === undefined || this.#validators.at(`${pointer}/schema`)(value);
  }

  #sample({ node, pointer }: Place, seed: string): unknown {
    if (node.schema === undefined) return '';
    try {
      return this.#samples.at(`${pointer}/schema`, seed);
    } catch (error) {
      throw error instanceof NoSample ? new ReplyFault(error.message) : error;
    }
  }

  #children(place: Place, word: string): Map<string, Place> {
    const map = this.#definition.child(place, word);
    const names = Object.keys(map?.node ?? {});
    return new Map(names.map((name) => [name, this.#definition.child(map!, name)!]));
  }
}

const NO_BYTES = Buffer.alloc(0);

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' && value !== undefined;
}

function statusOf(operation: Operation, code: string | undefined): number {
  if (code === undefined) return usualStatus([...operation.responses.keys()]);
  const status = /^[2-5]\d\d$/.test(code) ? Number(code) : 0;
  if (status > 0 && declaredResponse(operation, status) !== undefined) return status;
  throw notDeclared('code', code, [...operation.responses.keys()]);
}

/** The lowest success, else the lowest redirection, else `default` as 200, else the lowest of all. */
function usualStatus(keys: readonly string[]): number {
  const statuses = keys
    .filter((key) => /^[2-5](?:\d\d|XX)$/i.test(key))
    // A status of its own before its range.
    .sort((a, b) => (a.toUpperCase() < b.toUpperCase() ? -1 : 1))
    .map((key) => Number(key.replace(/X/gi, '0')));
  const [first] = statuses;
  const isUsual = first !== undefined && first < 400;
  return isUsual || !keys.includes('default') ? (first ?? 200) : 200;
}

function notDeclared(name: string, value: string, declared: readonly string[]) {
  const expected = [...new Set(declared)].join(', ') || 'none';
  return breaksContract(`Prefer: ${name}=${value} is not declared, expected one of ${expected}`);
}
