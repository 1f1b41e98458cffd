// Negotiates the media type of a mocked response (RFC 9110, section 12.5.1).

import { acceptedRanges, Contents, type MediaType, parseMediaType } from '@stubwright/contract';

/** A key of `content`, and the media type to send. */
export interface SelectedType {
  readonly key: string;
  readonly type: string;
}

/**
 * @param accept the value of `Accept`; empty, or without a media range, for any media type
 * @param contents at least one
 * @returns the acceptable media type with the highest weight; JSON, else the first, for any media type; undefined
 *   if none is acceptable
 */
export function selectMediaType(
  accept: string,
  contents: Contents<unknown>,
): SelectedType | undefined {
  const ranges = acceptedRanges(accept);
  if (ranges.length === 0) return preferred(contents);
  const refused = ranges.filter(({ weight }) => weight === 0).map(({ range }) => range);
  const isRefused = (type: string) => refused.some((each) => matches(parseMediaType(type), each));
  const acceptable = new Contents([...contents].filter(([key]) => !isRefused(key)));
  for (const { range, weight } of ranges) {
    if (weight === 0) continue;
    const selection = range.type === '*/*' ? preferred(acceptable) : selectIn(acceptable, range);
    if (selection !== undefined && !isRefused(selection.type)) return selection;
  }
  return undefined;
}

function selectIn(contents: Contents<unknown>, range: MediaType): SelectedType | undefined {
  const key = contents.keys.find((each) => matches(parseMediaType(each), range));
  if (key !== undefined) return { key, type: concrete(key) };
  // A declared range matches a concrete type of the request.
  const match = range.type.includes('*') ? undefined : contents.select(range)?.key;
  return match === undefined
    ? undefined
    : { key: match, type: match.includes('*') ? range.type : match };
}

function preferred(contents: Contents<unknown>): SelectedType | undefined {
  const key = contents.preferred?.key;
  return key === undefined ? undefined : { key, type: concrete(key) };
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
