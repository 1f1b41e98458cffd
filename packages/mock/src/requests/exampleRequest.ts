// Creates valid requests of operations from examples and schemas, for curl commands and tests.

import type { Content, Contract, DescribedValue, Operation, Parameter } from '@stubwright/contract';
import { shellWord } from '@stubwright/contract/printable';
import {
  contentMedia,
  credentialsFor,
  RequestHead,
  RequestWriter,
  Validators,
  type WrittenCredential,
} from '@stubwright/contract/values';
import { exampleItems, sampleItems } from '../sampling/itemSamples.ts';
import { Samples } from '../sampling/sample.ts';

/** A valid request for an operation. */
export interface ExampleRequest {
  /** In upper case. */
  readonly method: string;
  /** Path and query, without the base path. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
  /** The values of the path parameters, by name. */
  readonly pathValues: Readonly<Record<string, unknown>>;
}

/** The number of generated items in a sequence. */
const ITEMS = 2;

interface SentBody {
  /** By default the one that a client prefers. */
  readonly mediaType?: string;
  readonly value: unknown;
}

/** Values of a request. */
export interface GivenValues {
  /** Instead of examples, also of optional parameters. */
  readonly parameters?: ReadonlyMap<Parameter, unknown>;
  /** Instead of an example; `undefined` for a request without body. */
  readonly body?: SentBody | undefined;
  /** Besides those of the operation. */
  readonly credentials?: readonly WrittenCredential[];
}

/** Conditions that an existing resource meets (RFC 9110, 13.1): other texts of their schemas are no conditions. */
const CONDITIONS: ReadonlyMap<string, string> = new Map([
  ['if-match', '*'],
  ['if-none-match', '"none"'],
  ['if-modified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['if-unmodified-since', 'Fri, 31 Dec 9999 23:59:59 GMT'],
]);

/** Creates requests for the operations of one contract. */
export class ExampleRequests {
  readonly #definition: Contract;
  readonly #validators: Validators;
  readonly #writer: RequestWriter;
  readonly #samples: Samples;

  /** @param validators for requests @param samples for requests */
  constructor(definition: Contract, validators: Validators, samples: Samples) {
    this.#definition = definition;
    this.#validators = validators;
    this.#writer = new RequestWriter(validators);
    this.#samples = samples;
  }

  /**
   * @param token the credentials for all security schemes
   * @param given values; other required parts have examples
   * @throws {NoSample} if no valid value is found for a required part
   * @throws {Error} for a value that its part cannot carry
   */
  of(operation: Operation, token: string, given: GivenValues = {}): ExampleRequest {
    const { parameters = new Map<Parameter, unknown>(), credentials = [] } = given;
    const head = new RequestHead(operation.path);
    const pathValues: Record<string, unknown> = {};
    for (const parameter of operation.parameters) {
      const { name, in: where } = parameter;
      const isGiven = parameters.has(parameter);
      const isSent = parameter.isRequired && !parameter.isReserved;
      if (!isSent && !isGiven) continue;
      const usual = where === 'header' ? CONDITIONS.get(name.toLowerCase()) : undefined;
      const value = isGiven ? parameters.get(parameter) : this.#value(parameter.described, usual);
      if (where === 'path') pathValues[name] = value;
      head.add(where, name, this.#writer.parameter(parameter, value));
    }
    const own = credentialsFor(operation, this.#definition, token);
    const isOwn = (name: string) =>
      own.some((writtenCredential) => writtenCredential.name === name);
    for (const writtenCredential of [...own, ...credentials.filter(({ name }) => !isOwn(name))]) {
      head.add(writtenCredential.in, writtenCredential.name, writtenCredential.texts);
    }
    const body = this.#body(operation, head.headers, given);
    const { target, headers } = head;
    return { method: operation.method.toUpperCase(), target, headers, body, pathValues };
  }

  /** @returns a valid example, else `usual` if it is valid, else a sample of the schema */
  #value(described: DescribedValue, usual?: string): unknown {
    const { schema } = described;
    const candidates = [...examplesOf(described), ...(usual === undefined ? [] : [usual])];
    if (schema === undefined) return candidates[0] ?? 'x';
    const { pointer } = schema;
    const isValid = this.#validators.at(pointer);
    return (
      candidates.find((candidate) => isValid(candidate)) ?? this.#samples.at(pointer, 'example')
    );
  }

  /**
   * @param content also of a response if the validators are for responses
   * @returns its first valid example, or the valid items of it, else a sample
   * @throws {NoSample}
   */
  valueOf(content: Content, type: string): unknown {
    return this.#items(content, type) ?? this.#value(content);
  }

  /** @returns the items of a sequence; undefined for another media type */
  #items(content: Content, type: string): readonly unknown[] | undefined {
    const { codec } = contentMedia(content, type, this.#validators);
    if (codec === undefined) return undefined;
    return (
      exampleItems(codec, examplesOf(content)) ??
      sampleItems(content.item!, codec, ITEMS, (pointer, at) =>
        this.#samples.at(pointer, `example ${at}`),
      )
    );
  }

  #body(
    operation: Operation,
    headers: Record<string, string>,
    given: GivenValues,
  ): ExampleRequest['body'] {
    const sent = 'body' in given ? given.body : this.#ownBody(operation);
    const written = sent && this.#writer.body(operation, sent.value, sent.mediaType);
    // fetch adds the Content-Type of a FormData, with the boundary.
    if (typeof written?.body === 'string') headers['Content-Type'] = written.type;
    return written?.body;
  }

  #ownBody({ requestBody, request, method }: Operation): SentBody | undefined {
    // RFC 9110, section 9.3.1: a body of GET and HEAD has no semantics, and clients reject it.
    const isSent = !['get', 'head'].includes(method) || requestBody?.isRequired === true;
    const { preferred } = request;
    return isSent && preferred
      ? { value: this.valueOf(preferred.content, preferred.key) }
      : undefined;
  }
}

function examplesOf({ examples }: DescribedValue): unknown[] {
  return examples.map((example) => example.read()?.value).filter((value) => value !== undefined);
}

interface CurlOptions {
  /** `http://127.0.0.1:3000` */
  readonly origin: string;
  /** Replaces the paths of the contract's servers; undefined to use them. */
  readonly basePath: string | undefined;
  /** The credentials for all security schemes. */
  readonly token: string;
}

/**
 * Prefers an operation that needs the token, which is shown nowhere else, then one that succeeds on an
 * empty store: a GET, without path parameters.
 *
 * @returns undefined if no operation has a valid request that curl can send
 */
export function exampleCurl(
  definition: Contract,
  { origin, basePath, token }: CurlOptions,
): string | undefined {
  const validators = new Validators(definition, 'request');
  const requests = new ExampleRequests(definition, validators, new Samples(validators));
  for (const operation of definition.operations.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const url = origin + (basePath ?? operation.basePaths[0]);
    try {
      const command = curlCommand(url, requests.of(operation, token));
      if (command !== undefined) return command;
    } catch {
      // No valid sample was found: the next operation may have one.
    }
  }
  return undefined;
}

/** The lower rank is the better example. */
function rankOf({ method, path, responses, security }: Operation): number {
  const needsToken = security.length > 0;
  const hasSuccess = [...responses.keys()].some((status) => /^(?:2|default)/.test(status));
  const own = (hasSuccess ? 0 : 4) + (path.includes('{') ? 2 : 0) + (method === 'get' ? 0 : 1);
  return (needsToken ? 0 : 8) + own;
}

/** @returns undefined for a request that curl cannot send */
function curlCommand(
  url: string,
  { method, target, headers, body }: ExampleRequest,
): string | undefined {
  const data = dataOf(body);
  const isHead = method === 'HEAD';
  if (data === undefined || (isHead && data.length > 0)) return undefined;
  const usual = data.length > 0 ? 'POST' : 'GET';
  const verb = method === usual ? [] : isHead ? ['--head'] : ['-X', method];
  // curl expands brackets and braces of a URL.
  const globbing = /[[\]{}]/.test(target) ? ['--globoff'] : [];
  const fields = Object.entries(headers).flatMap(([name, value]) => [
    '-H',
    value === '' ? `${name};` : `${name}: ${value}`,
  ]);
  const words = ['curl', ...verb, ...globbing, url + target, ...fields, ...data];
  return words.some((word) => word.includes('\0')) ? undefined : words.map(shellWord).join(' ');
}

/** @returns undefined for an empty form, which curl cannot send */
function dataOf(body: ExampleRequest['body']): string[] | undefined {
  if (body === undefined) return [];
  // `-d` reads a file if the data starts with `@`.
  if (typeof body === 'string') return [body.startsWith('@') ? '--data-raw' : '-d', body];
  const parts = [...body].map(([name, value]) => `${name}=${value}`);
  return parts.length === 0 ? undefined : parts.flatMap((part) => ['--form-string', part]);
}
