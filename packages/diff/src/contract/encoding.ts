// Compares the `encoding` of the parts of forms.
import type { Content, Encoding } from '@stubwright/contract';
import { directedChange } from '../rules/rules.ts';
import { itemOf } from '../schema/memberTerms.ts';
import { View } from '../schema/view.ts';
import { charsetsOf, uncovered } from './charset.ts';
import type { ComparedPart } from './comparedPart.ts';
import { compareSerialization, isCovered, mediaTypeKey } from './serialization.ts';
import { joined } from './sides.ts';

const ANY = '*/*';

/** Compares the encodings of the properties that both contracts declare. */
export function compareEncodings(
  media: ComparedPart<Content>,
  { isMultipart }: { readonly isMultipart: boolean },
): void {
  const [was, is] = media.views('form');
  for (const name of was.propertyNames) {
    if (!is.propertyNames.includes(name)) continue;
    const before = media.before.encodingOf(name);
    const after = media.after.encodingOf(name);
    const encoding = media.within(`encoding ${name}`).with({ before, after });
    const properties = [was.property(name), is.property(name)] as const;
    if (isMultipart) {
      compareContentTypes(encoding, ...properties);
      comparePartHeaders(encoding);
    }
    const written = {
      before: { in: 'query', serialization: before.styled },
      after: { in: 'query', serialization: after.styled },
    } as const;
    compareSerialization(encoding, written, properties);
  }
}

/** Compares the encodings of parts by position (OpenAPI 3.2). */
export function comparePositions(media: ComparedPart<Content>): void {
  const { before, after, direction } = media;
  const [was, is] = media.views('form');
  const count = Math.max(before.prefixEncodings.length, after.prefixEncodings.length);
  const isOpen = [before, after].some(({ itemEncoding }) => itemEncoding !== undefined);
  for (let at = 0; at < count + (isOpen ? 1 : 0); at++) {
    const parts = [was, is].map((view) => new View(direction, itemOf(view, at), view.wire));
    const name = at < count ? `part ${at + 1}` : 'further parts';
    const encodings = { before: before.encodingAt(at), after: after.encodingAt(at) };
    const encoding = media.within(name).with(encodings);
    compareContentTypes(encoding, parts[0]!, parts[1]!);
    comparePartHeaders(encoding);
  }
}

function compareContentTypes(encoding: ComparedPart<Encoding>, was: View, is: View): void {
  const { before, after, direction } = encoding;
  const [old, now] = [contentTypesOf(before, was), contentTypesOf(after, is)];
  const lost = typesOrCharsets(old, now);
  const gained = typesOrCharsets(now, old);
  if (lost.length === 0 && gained.length === 0) return;
  const message = directedChange('encoding-changed', {
    direction,
    types: direction === 'request' ? lost : gained,
    was: before.field('contentType'),
    is: after.field('contentType'),
  });
  encoding.report(message, 'contentType');
}

/** @returns the media types that others do not cover, or only with another character encoding */
function typesOrCharsets(some: readonly string[], others: readonly string[]): string[] {
  return some.filter((type) => {
    if (!isSent(type, others)) return true;
    const sameType = others.filter((each) => mediaTypeKey(each) === mediaTypeKey(type));
    return sameType.length > 0 && uncovered(charsetsOf([type]), charsetsOf(sameType)).length > 0;
  });
}

function contentTypesOf({ contentTypes }: Encoding, part: View): string[] {
  if (contentTypes.length === 0) return [defaultTypeOf(part)];
  return contentTypes.map((type) => type.toLowerCase());
}

/** OpenAPI 3.0.4, section 4.8.15.1.1. */
function defaultTypeOf(part: View): string {
  if (part.isFile) return String(part.all('contentMediaType')[0] ?? 'application/octet-stream');
  const types = [...part.types].filter((type) => type !== 'null');
  if (types.every((type) => type === 'object')) return 'application/json';
  if (types.every((type) => type === 'array')) {
    return defaultTypeOf(new View(part.direction, itemOf(part, 0), part.wire));
  }
  return types.includes('object') || types.includes('array') ? ANY : 'text/plain';
}

/** True for a type or a range that another contract declares, or that a range of it covers. */
function isSent(type: string, ranges: readonly string[]): boolean {
  return ranges.includes(type) || ranges.includes(ANY) || isCovered(type, ranges);
}

function comparePartHeaders(encoding: ComparedPart<Encoding>): void {
  const { direction } = encoding;
  const headers = joined(encoding.before.headers, encoding.after.headers);
  for (const { name, before, after } of headers) {
    const [was, is] = [before, after].map((each) => each?.isRequired === true);
    if (before !== undefined && after !== undefined && was === is) continue;
    const isStricter = direction === 'request' ? is && !was : was && !is;
    const presence =
      before === undefined ? 'was added' : is ? 'became required' : 'became optional';
    const change = after === undefined ? 'was removed' : presence;
    const isBreaking = after === undefined || isStricter === true;
    const message = directedChange('encoding-changed', { direction, change, isBreaking });
    encoding.within(`header ${name}`).report(message, 'headers');
  }
}
