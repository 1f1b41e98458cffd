// The accepted requests of a release and their responses, whose values replace those of later requests.
import {
  type Contract,
  isObject,
  isPrimitive,
  likeType,
  type Operation,
  parsedJson,
  stringifyJson,
  templateNames,
  unescapeToken,
  unescapeUri,
  valueAt,
} from '@stubwright/contract';
import { messageOf } from '../record/message.ts';
import type { ReleasedRequest, ValueSource } from '../record/record.ts';

interface Exchanged {
  readonly request: ReleasedRequest;
  readonly response: { readonly headers: Headers; readonly text: string };
}

export interface Filled {
  readonly request: ReleasedRequest;
  /** The statuses that are allowed because earlier requests have not created what the request names. */
  readonly allowed: readonly number[];
}

const LACKS_RESOURCE = [404, 410];
/** A value in the body may name no resource. */
const LACKS_VALUE = [...LACKS_RESOURCE, 422];

export class EarlierResponses {
  readonly #definition: Contract;
  /** By operationId, the last one of each. */
  readonly #all = new Map<string, Exchanged>();
  #ofConversation = new Set<string>();

  constructor(definition: Contract) {
    this.#definition = definition;
  }

  /** What earlier conversations have created may still be stored. */
  startConversation(): void {
    this.#ofConversation = new Set();
  }

  add(request: ReleasedRequest, response: Exchanged['response']): void {
    this.#all.set(request.operationId, { request, response });
    this.#ofConversation.add(request.operationId);
  }

  fill(recorded: ReleasedRequest, operation: Operation): Filled {
    let request = recorded;
    const filled = new Set<string>();
    for (const [target, source] of Object.entries(recorded.values ?? {})) {
      const value = this.#valueOf(source);
      if (value === undefined) continue;
      request = withValue(request, target, value);
      if (this.#ofConversation.has(source.operationId)) filled.add(target);
    }
    const names = Object.keys(recorded.values ?? {});
    if (!names.every((target) => filled.has(target))) return { request, allowed: LACKS_VALUE };
    const isCreated = recorded.values === undefined && this.#isCreated(operation);
    const hasResource = isCreated || isIdentified(operation, filled);
    return { request, allowed: hasResource ? [] : LACKS_RESOURCE };
  }

  #valueOf({ operationId, expression }: ValueSource): string | undefined {
    const exchanged = this.#all.get(operationId);
    const value = exchanged && evaluate(expression, exchanged);
    const isValue = isPrimitive(value);
    // Clients remove such segments of a path.
    return isValue && !/^\.{0,2}$/.test(String(value)) ? String(value) : undefined;
  }

  /** For requests that were recorded without sources of their values. */
  #isCreated({ path }: Operation): boolean {
    const collection = path.replace(/\/\{[^{}/]+\}$/, '');
    const creations = this.#definition.operations.filter(
      (each) => each.method === 'post' && each.path === collection && each.path !== path,
    );
    return creations.some(({ operationId }) => this.#ofConversation.has(operationId));
  }
}

/** False for a part of a resource that may be absent, such as its invoice. */
function isIdentified({ method, path }: Operation, filled: ReadonlySet<string>): boolean {
  const areFilled = templateNames(path).every((name) => filled.has(`$request.path.${name}`));
  return areFilled && (method === 'post' || path.endsWith('}'));
}

/** @param expression https://spec.openapis.org/oas/v3.1.1.html#runtime-expressions */
function evaluate(expression: string, { request, response }: Exchanged): unknown {
  const [, of, where, rest = ''] =
    /^\$(request|response)\.(body|header|path|query)[.#]?(.*)$/.exec(expression) ?? [];
  if (where === 'body') {
    const text = of === 'response' ? response.text : (messageOf(request).body ?? '');
    return valueAt(parsedJson(text), rest);
  }
  if (of === 'response') {
    const text = response.headers.get(rest) ?? undefined;
    return /^location$/i.test(rest) ? lastSegment(text) : text;
  }
  if (where === 'path') return request.params?.path[rest];
  return new URLSearchParams(request.path.split('?')[1]).get(rest) ?? undefined;
}

function lastSegment(location: string | undefined): string | undefined {
  const path = location && URL.parse(location, 'http://localhost')?.pathname.replace(/\/$/, '');
  return path && unescapeUri(path.slice(path.lastIndexOf('/') + 1));
}

/** @param target a runtime expression: `$request.path.id` */
function withValue(request: ReleasedRequest, target: string, value: string): ReleasedRequest {
  const [, where, name = ''] = /^\$request\.(body|path|query)[.#](.*)$/.exec(target) ?? [];
  const { params, path } = request;
  if (where === 'path') return { ...request, params: { path: { ...params?.path, [name]: value } } };
  if (where === 'query') {
    const [bare, query = ''] = path.split('?');
    const isOther = (pair: string) => pair !== '' && unescapeUri(pair.split('=')[0]!) !== name;
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    return { ...request, path: `${bare}?${[...query.split('&').filter(isOther), pair].join('&')}` };
  }
  const body = parsedJson(messageOf(request).body ?? '');
  const at = name.lastIndexOf('/');
  const holder = valueAt(body, name.slice(0, at));
  const key = unescapeToken(name.slice(at + 1));
  if (!isObject(holder)) return request;
  holder[key] = likeType(value, holder[key]);
  return { ...request, body: [stringifyJson(body)] };
}
