// Runtime expressions of OpenAPI, which yield the URL of a callback.

import { expectNumbers, isObject, isPrimitive, tokensOf } from '@stubwright/contract';

/** The request that an operation was called with, and its response. */
export interface CallbackSource {
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  readonly status?: number | undefined;
  readonly request?: SourceMessage | undefined;
  readonly response?: SourceMessage | undefined;
}

interface SourceMessage {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Names in lower case. */
  readonly header?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/**
 * @param text such as `{$request.body#/callbackUrl}?id={$response.body#/id}`
 * @throws {TypeError} for an expression without a value
 * @throws {RangeError | TypeError} for a status that is no integer from 100 to 599
 */
export function evaluated(text: string, source: CallbackSource): string {
  expectNumbers(source, { status: { min: 100, max: 599 } });
  if (text.startsWith('$')) return valueAsText(text, source);
  return text.replace(/\{(\$[^{}]*)\}/g, (_, expression: string) =>
    valueAsText(expression, source),
  );
}

function valueAsText(expression: string, source: CallbackSource): string {
  const value = valueIn(expression, source);
  if (isPrimitive(value)) return String(value);
  throw new TypeError(`${expression}: expected a string or a number, got ${typeof value}`);
}

function valueIn(expression: string, source: CallbackSource): unknown {
  if (expression === '$url') return source.url;
  if (expression === '$method') return source.method;
  if (expression === '$statusCode') return source.status;
  const [, side, where, rest = ''] =
    /^\$(request|response)\.(path|query|header|body)(.*)$/s.exec(expression) ?? [];
  const message = side === 'response' ? source.response : source.request;
  if (where === 'body' && (rest === '' || rest.startsWith('#'))) {
    return at(message?.body, rest.slice(1));
  }
  if (where === undefined || where === 'body' || !rest.startsWith('.')) {
    throw new TypeError(`${expression}: expected a runtime expression of OpenAPI`);
  }
  const name = rest.slice(1);
  const values = message?.[where as 'path' | 'query' | 'header'] ?? {};
  const key = where === 'header' ? name.toLowerCase() : name;
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function at(body: unknown, pointer: string): unknown {
  let value = body;
  for (const key of tokensOf(pointer)) {
    const isIn = (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, key);
    value = isIn ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}
