// A request and its response as an entry of HAR 1.2, without secrets.

import {
  type Content,
  type Contents,
  type Contract,
  isJson,
  isJsonMediaType,
  isUtf8,
  type Operation,
  type Parameter,
  type ParameterLocation,
  parseJsonText,
  type Schema,
  stringifyJson,
} from '@stubwright/contract';
import { isBodyExpected } from '@stubwright/contract/values';
import type { ObservedRequest, ObservedResponse } from './observation.ts';
import { type CredentialNames, credentialNames, REDACTED, Secrets } from './secrets.ts';

export interface ObservedExchange {
  readonly request: ObservedRequest;
  /** Undefined if it was not read, or passed on as a stream. */
  readonly bytes: Buffer | undefined;
  readonly caller: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  readonly response: ObservedResponse;
}

interface NameValue {
  readonly name: string;
  readonly value: string;
}

/** The parameters of an operation at one location, by name: true for one with a secret. */
type Marked = ReadonlyMap<string, boolean>;

interface OperationPlan {
  readonly path: Marked;
  readonly query: Marked;
  readonly header: Marked;
  readonly cookie: Marked;
  /** The schemas of each query parameter. */
  readonly querySchemas: ReadonlyMap<
    string,
    { readonly schemas: readonly Schema[]; readonly isJson: boolean }
  >;
  /** The schemas of objects whose properties are query parameters. */
  readonly exploded: readonly (readonly Schema[])[];
  readonly contents: Contents<Content>;
}

const HTTP = 'HTTP/1.1';

export class HarEntries {
  readonly #version: string;
  readonly #secrets: Secrets;
  readonly #credentials: CredentialNames;
  readonly #plans = new Map<Operation, OperationPlan>();
  /** True if the path of a request that no operation has may hold a marked value. */
  readonly #hidesPaths: boolean;

  /** @param version of the requests */
  constructor(definition: Contract, version: string) {
    this.#version = version;
    this.#secrets = new Secrets(definition);
    this.#credentials = credentialNames(definition);
    this.#hidesPaths = definition.operations.some(({ parameters }) =>
      parameters.some((each) => each.in === 'path' && this.#secrets.isMarked(each)),
    );
  }

  /** @returns an entry with `_caller` and `_contract`; without an operation it has only the method, the path and the status */
  entry({ request, bytes, caller, at, durationMs, response }: ObservedExchange): object {
    const { operation, method } = request;
    const plan = operation && this.#planOf(operation);
    const query = plan === undefined ? [] : this.#query(request.queryText, plan);
    const search = query.map(([pair]) => pair).join('&');
    const unknown = this.#hidesPaths ? `/${HIDDEN}` : request.path;
    const path = plan === undefined ? unknown : pathOf(request, operation!, plan);
    const headers = plan === undefined ? [] : this.#headers(request, plan);
    return {
      startedDateTime: new Date(at).toISOString(),
      time: durationMs,
      _caller: caller,
      _contract: this.#version,
      request: {
        method,
        url: `http://localhost${path}${search === '' ? '' : `?${search}`}`,
        httpVersion: HTTP,
        cookies: [],
        headers,
        queryString: query.map(([, pair]) => pair),
        headersSize: -1,
        bodySize: bytes?.length ?? -1,
        ...(plan && this.#postData(request, bytes, plan)),
      },
      response: this.#response(response, operation),
      cache: {},
      timings: { send: 0, wait: durationMs, receive: 0 },
    };
  }

  #planOf(operation: Operation): OperationPlan {
    const known = this.#plans.get(operation);
    if (known !== undefined) return known;
    const { parameters, request } = operation;
    const located = Map.groupBy(parameters, (each) => each.in);
    const marked = (where: ParameterLocation): Marked =>
      new Map(
        located.get(where)?.map((each) => {
          const key = where === 'header' ? each.name.toLowerCase() : each.name;
          return [key, this.#secrets.isMarked(each)];
        }),
      );
    const plan = {
      ...{ path: marked('path'), query: marked('query'), header: marked('header') },
      cookie: marked('cookie'),
      querySchemas: new Map(
        located.get('query')?.map(({ name, schemas, contents }) => {
          return [name, { schemas, isJson: contents.keys.some(isJsonMediaType) }];
        }),
      ),
      exploded: parameters
        .filter((each) => isExploded(each) && !each.isSensitive)
        .map(({ schemas }) => schemas),
      contents: request,
    };
    this.#plans.set(operation, plan);
    return plan;
  }

  /** @returns each pair as it was sent, and decoded */
  #query(text: string, plan: OperationPlan): (readonly [string, NameValue])[] {
    return text.split('&').flatMap((pair) => {
      const [[name, value] = ['', '']] = new URLSearchParams(pair);
      const [parameter = ''] = pathOfKey(name);
      if (name === '' || this.#credentials.query.has(parameter)) return [];
      if (this.#isShownInQuery(name, value, plan)) return [[pair, { name, value }] as const];
      return [[`${encodeURIComponent(name)}=${HIDDEN}`, { name, value: REDACTED }] as const];
    });
  }

  #isShownInQuery(name: string, value: string, plan: OperationPlan): boolean {
    const [parameter = '', ...path] = pathOfKey(name);
    const key = plan.query.has(name) ? name : parameter;
    const isMarked = plan.query.get(key);
    if (isMarked === undefined) {
      return plan.exploded.some((each) => this.#secrets.declaredAt(pathOfKey(name), each));
    }
    const { schemas, isJson } = plan.querySchemas.get(key)!;
    if (isMarked) return false;
    if (key !== name) return this.#secrets.declaredAt(path, schemas) !== undefined;
    return !isJson || this.#json(value, schemas) === value;
  }

  /** Declared headers, the media type, and declared cookies. */
  #headers({ headers }: ObservedRequest, { header, cookie }: OperationPlan): NameValue[] {
    const declared = [...header].filter(([name]) => !this.#credentials.header.has(name));
    const own = [...declared, ['content-type', false] as const].flatMap(([name, isMarked]) => {
      const value = headers[name];
      if (value === undefined) return [];
      return [{ name, value: isMarked ? REDACTED : String(value) }];
    });
    const cookies = (headers.cookie ?? '').split(';').flatMap((pair) => {
      const [name = ''] = pair.trim().split('=');
      const isMarked = cookie.get(name);
      if (isMarked === undefined || this.#credentials.cookie.has(name)) return [];
      return [isMarked ? `${name}=${REDACTED}` : pair.trim()];
    });
    return cookies.length === 0 ? own : [...own, { name: 'cookie', value: cookies.join('; ') }];
  }

  #postData(
    { headers }: ObservedRequest,
    bytes: Buffer | undefined,
    { contents }: OperationPlan,
  ): object {
    const mimeType = headers['content-type'];
    if (bytes === undefined) return isBodyExpected(headers) ? { _bodyOmitted: true } : {};
    if (bytes.length === 0) return {};
    const text = this.#text(bytes, mimeType, contents);
    if (text === undefined) return { _bodyOmitted: true };
    return { postData: { mimeType: mimeType ?? '', text } };
  }

  #response({ status, headers, body }: ObservedResponse, operation: Operation | undefined): object {
    const { headers: fields = [], contents } = operation?.responses.for(status) ?? {};
    const byName = new Map(Array.from(fields, ([name, each]) => [name.toLowerCase(), each]));
    const sent = Object.entries(headers).map(
      ([name, value]) => [name.toLowerCase(), value] as const,
    );
    const mimeType = sent.find(([name]) => name === 'content-type')?.[1] ?? '';
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const text =
      bytes instanceof Uint8Array
        ? this.#text(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), mimeType, contents)
        : undefined;
    return {
      status,
      statusText: '',
      httpVersion: HTTP,
      cookies: [],
      headers: sent.flatMap(([name, value]) => {
        if (name === 'content-type') return [{ name, value }];
        const field = byName.get(name);
        if (field === undefined) return [];
        const isHidden = this.#credentials.header.has(name) || this.#secrets.isMarked(field);
        return [{ name, value: isHidden ? REDACTED : String(value) }];
      }),
      content: { size: bytes instanceof Uint8Array ? bytes.length : -1, mimeType, text },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    };
  }

  /** @returns undefined for a body that is not text, not declared, or has secrets that cannot be found */
  #text(
    bytes: Buffer,
    contentType: string | undefined,
    contents: Contents<Content> | undefined,
  ): string | undefined {
    const { sent, content } = contents?.select(contentType) ?? {};
    if (sent === undefined || content === undefined || !isUtf8(sent)) return undefined;
    if (sent.type.startsWith('multipart/')) return undefined;
    const text = utf8(bytes);
    if (text === undefined || content.isSensitive) return undefined;
    const { schemas } = content;
    if (isJson(sent.type)) return this.#json(text, schemas);
    if (sent.type === FORM) return this.#form(text, schemas);
    return this.#secrets.mayHave(schemas) ? undefined : text;
  }

  #json(text: string, schemas: readonly Schema[]): string | undefined {
    try {
      const { value, isWhole } = this.#secrets.kept(parseJsonText(text), schemas);
      return isWhole ? text : stringifyJson(value);
    } catch {
      return undefined;
    }
  }

  #form(text: string, schemas: readonly Schema[]): string {
    const pairs = text.split('&').flatMap((pair) => {
      const [[name, value] = ['', '']] = new URLSearchParams(pair);
      const path = pathOfKey(name);
      if (this.#credentials.query.has(path[0]!)) return [];
      const declared = this.#secrets.declaredAt(path, schemas);
      if (declared !== undefined && this.#isText(value, declared)) return [pair];
      return [`${encodeURIComponent(name)}=${HIDDEN}`];
    });
    return pairs.join('&');
  }

  /** True for a text without undeclared parts: objects in forms are JSON. */
  #isText(text: string, schemas: readonly Schema[]): boolean {
    return !/^\s*[[{]/.test(text) || this.#json(text, schemas) === text;
  }
}

const HIDDEN = encodeURIComponent(REDACTED);
const FORM = 'application/x-www-form-urlencoded';

/** `a[b][]` -> `a`, `b`, `` */
function pathOfKey(name: string): string[] {
  const [first = '', ...rest] = name.split('[');
  return [first, ...rest.map((each) => each.replace(/\]$/, ''))];
}

/** True for a parameter whose names in the query are not its own (`style: form` of an object, `querystring`). */
function isExploded({ in: where, serialization, schema }: Parameter): boolean {
  if (where === 'querystring') return true;
  const { style, explode } = serialization;
  if (where !== 'query' || !explode || style !== 'form') return false;
  return schema?.types === undefined || schema.types.has('object');
}

/** The path with the base path of the contract, which BASE_URL may replace. */
function pathOf(
  { path }: ObservedRequest,
  { path: template, basePaths }: Operation,
  plan: OperationPlan,
): string {
  const names = template.split('/');
  const segments = path.split('/');
  const own = segments.slice(segments.length - names.length + 1);
  const shown = names.slice(1).map((name, at) => {
    const isMarked = [...plan.path].some(([key, marked]) => marked && name.includes(`{${key}}`));
    return isMarked ? name.replace(/\{[^{}]*\}/g, HIDDEN) : own[at];
  });
  const prefix = segments.slice(0, segments.length - names.length + 1).join('/');
  const isContracts = basePaths.some((each) => each === prefix || each.includes('{'));
  const base = isContracts ? prefix : (basePaths[0] ?? '');
  return `${base}/${shown.join('/')}`;
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
