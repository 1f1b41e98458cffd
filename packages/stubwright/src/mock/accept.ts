// Negotiates the media type of a mocked response (RFC 9110, section 12.5.1).
import { preferredKey } from '../request/body/mediaKinds.ts';
import { type MediaType, matchMediaType, parseMediaType } from '../request/body/mediaType.ts';

/** A key of `content`, and the media type to send. */
export interface Selection {
  readonly key: string;
  readonly type: string;
}

/**
 * @param accept the value of `Accept`; ignored if no declared media type matches
 * @param keys the keys of a `content` map, at least one
 * @returns the preferred match, else JSON, else the first
 */
export function selectMediaType(accept: string, keys: readonly string[]): Selection {
  for (const range of rangesOf(accept)) {
    const key = keys.find((each) => matches(parseMediaType(each), range));
    if (key !== undefined) return { key, type: concrete(key) };
    // A declared range matches a concrete type of the request.
    const match = range.type.includes('*') ? undefined : matchMediaType(range, keys);
    if (match !== undefined) return { key: match, type: range.type };
  }
  const key = preferredKey(keys)!;
  return { key, type: concrete(key) };
}

/** @returns the media ranges except for any type, by descending weight */
function rangesOf(accept: string): MediaType[] {
  const ranges = accept.split(',').flatMap((text) => {
    const [name = '', ...parameters] = text.split(/;[ \t]*q=/i);
    const range = parseMediaType(name);
    const weight = parameters.length === 0 ? 1 : Number.parseFloat(parameters[0]!);
    return range && range.type !== '*/*' && weight > 0 ? [{ range, weight }] : [];
  });
  return ranges.sort((a, b) => b.weight - a.weight).map(({ range }) => range);
}

function matches(declared: MediaType | undefined, range: MediaType): boolean {
  if (declared === undefined) return false;
  if (declared.type === range.type) {
    return [...range.parameters].every(([name, value]) => declared.parameters.get(name) === value);
  }
  return range.type.endsWith('/*') && declared.type.startsWith(range.type.slice(0, -1));
}

const OF_FAMILY: Readonly<Record<string, string>> = {
  '*': 'application/json',
  application: 'application/json',
  text: 'text/plain',
  image: 'image/png',
};

function concrete(key: string): string {
  if (!key.includes('*')) return key;
  const family = key.slice(0, key.indexOf('/'));
  return OF_FAMILY[family] ?? `${family}/octet-stream`;
}
