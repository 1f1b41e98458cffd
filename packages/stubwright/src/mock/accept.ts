// Which of the declared media types a request would rather have (RFC 9110, section 12.5.1).
import { preferredKey } from '../request/body/mediaKinds.ts';
import { type MediaType, matchMediaType, parseMediaType } from '../request/body/mediaType.ts';

/** A declared media type or range, and the media type to send for it. */
export interface Chosen {
  readonly key: string;
  readonly type: string;
}

/**
 * @param accept the value of `Accept`; where it asks for nothing that is declared, it does not count
 * @param keys the keys of a `content` map, at least one
 * @returns the one that is asked for, else JSON, else the first
 */
export function chooseMediaType(accept: string, keys: readonly string[]): Chosen {
  for (const range of rangesOf(accept)) {
    const key = keys.find((each) => isUnder(parseMediaType(each), range));
    if (key !== undefined) return { key, type: concrete(key) };
    // The contract leaves open what the request names.
    const open = range.type.includes('*') ? undefined : matchMediaType(range, keys);
    if (open !== undefined) return { key: open, type: range.type };
  }
  const key = preferredKey(keys)!;
  return { key, type: concrete(key) };
}

/** What is asked for by name or family, the most wanted first. */
function rangesOf(accept: string): MediaType[] {
  const ranges = accept.split(',').flatMap((text) => {
    const [name = '', ...parameters] = text.split(/;[ \t]*q=/i);
    const range = parseMediaType(name);
    const weight = parameters.length === 0 ? 1 : Number.parseFloat(parameters[0]!);
    return range && range.type !== '*/*' && weight > 0 ? [{ range, weight }] : [];
  });
  return ranges.sort((a, b) => b.weight - a.weight).map(({ range }) => range);
}

function isUnder(declared: MediaType | undefined, range: MediaType): boolean {
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
