// Parameter values of each kind, serialized in each style.
import { type Serialization, writeParameter } from '@stubwright/contract/values';

export const SCHEMAS = {
  scalar: { type: 'integer' },
  array: { type: 'array', items: { type: 'integer' } },
  object: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
};
const VALUES = { scalar: 1, array: [1, 2], object: { a: 1, b: 2 } };
export interface SerializedParameter {
  readonly value: unknown;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly params?: Record<string, string>;
}
export const JSON_CONTENT = { 'application/json': { schema: SCHEMAS.object } };

/** Serializes the sample value of a kind. */
export function serialized(
  where: string,
  serialization: Serialization,
  kind: keyof typeof VALUES,
): SerializedParameter {
  const value = VALUES[kind];
  const texts = writeParameter(where, 'p', serialization, value);
  if (where === 'path') return { value, params: { p: texts.join() } };
  if (where === 'header') return { value, headers: { p: texts.join() } };
  return where === 'cookie'
    ? { value, headers: { cookie: texts.join('; ') } }
    : { value, query: texts.join('&') };
}

/** Serializes the sample object as JSON, for a parameter with `content`. */
export function serializedAsJson(where: string): SerializedParameter {
  const text = encodeURIComponent('{"a":1,"b":2}');
  const value = VALUES.object;
  if (where === 'path') return { value, params: { p: text } };
  if (where === 'header') return { value, headers: { p: '{"a":1,"b":2}' } };
  if (where === 'querystring') return { value, query: text };
  return where === 'cookie'
    ? { value, headers: { cookie: `p=${text}` } }
    : { value, query: `p=${text}` };
}
