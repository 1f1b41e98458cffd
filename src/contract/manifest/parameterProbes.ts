// A value of each kind, written in each parameter style (RFC 6570), to be read back by the engine.
import type { ParameterText } from './probes.ts';

export const SCHEMAS = {
  scalar: { type: 'integer' },
  array: { type: 'array', items: { type: 'integer' } },
  object: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
};
const VALUES = { scalar: 1, array: [1, 2], object: { a: 1, b: 2 } };
export const JSON_CONTENT = { 'application/json': { schema: SCHEMAS.object } };

/** A value of a kind, written in a style (RFC 6570). */
export function written(
  where: string,
  style: string,
  explode: boolean,
  kind: keyof typeof VALUES,
): ParameterText {
  const flat = { scalar: ['1'], array: ['1', '2'], object: ['a', '1', 'b', '2'] }[kind];
  const pairs = kind === 'object' ? ['a=1', 'b=2'] : flat;
  const value = VALUES[kind];
  if (where === 'path') {
    const text = {
      simple: (explode ? pairs : flat).join(','),
      label: `.${(explode ? pairs : flat).join(explode ? '.' : ',')}`,
      matrix: matrix(explode, kind, flat, pairs),
    }[style];
    return { value, params: { p: text ?? '' } };
  }
  if (where === 'header') return { value, headers: { p: (explode ? pairs : flat).join(',') } };
  const separator = { spaceDelimited: '%20', pipeDelimited: '|' }[style] ?? ',';
  const query =
    style === 'deepObject'
      ? 'p[a]=1&p[b]=2'
      : explode
        ? kind === 'object'
          ? pairs.join('&')
          : flat.map((each) => `p=${each}`).join('&')
        : `p=${flat.join(separator)}`;
  return where === 'cookie'
    ? { value, headers: { cookie: query.replaceAll('&', '; ') } }
    : { value, query };
}

function matrix(
  explode: boolean,
  kind: string,
  flat: readonly string[],
  pairs: readonly string[],
): string {
  if (!explode || kind === 'scalar') return `;p=${flat.join(',')}`;
  return kind === 'object' ? `;${pairs.join(';')}` : flat.map((each) => `;p=${each}`).join('');
}

/** The same as JSON, for a parameter with `content`. */
export function writtenAsJson(where: string): ParameterText {
  const text = encodeURIComponent('{"a":1,"b":2}');
  const value = VALUES.object;
  if (where === 'path') return { value, params: { p: text } };
  if (where === 'header') return { value, headers: { p: '{"a":1,"b":2}' } };
  return where === 'cookie'
    ? { value, headers: { cookie: `p=${text}` } }
    : { value, query: `p=${text}` };
}
