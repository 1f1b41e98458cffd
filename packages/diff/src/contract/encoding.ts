// Compares the `encoding` of the parts of forms.
import { type LocatedNode, matchMediaType, parseMediaType } from '@stubwright/contract';
import { directedChange } from '../rules/rules.ts';
import { itemOf } from '../schema/memberTerms.ts';
import { View } from '../schema/view.ts';
import type { ComparedPart } from './comparedPart.ts';
import { compareSerialization } from './serialization.ts';

const ANY = '*/*';

/** Compares the encodings of the properties that both contracts declare. */
export function compareEncodings(
  media: ComparedPart,
  { isMultipart }: { readonly isMultipart: boolean },
): void {
  const [was, is] = media.views('form');
  const written = new Map(media.children('encoding').map((each) => [each.name, each]));
  for (const name of was.propertyNames) {
    if (!is.propertyNames.includes(name)) continue;
    const own = written.get(name);
    const before = own?.before ?? { pointer: media.before.pointer, node: {} };
    const after = own?.after ?? { pointer: media.after.pointer, node: {} };
    const encoding = media.within(`encoding ${name}`, { before, after });
    if (isMultipart) {
      compareContentTypes(encoding, was.property(name), is.property(name));
      comparePartHeaders(encoding);
    }
    const asParameter = ({ pointer, node }: LocatedNode, { pointer: holder }: LocatedNode) => ({
      pointer,
      node: { ...node, in: 'query', schemaPointer: `${holder}/schema/properties/${name}` },
    });
    const parameter = {
      before: asParameter(before, media.before),
      after: asParameter(after, media.after),
    };
    compareSerialization(encoding.with(parameter));
  }
}

/** Compares the encodings of parts by position (OpenAPI 3.2). */
export function comparePositions(media: ComparedPart): void {
  const { before, after, direction } = media;
  const [was, is] = media.views('form');
  const lengths = [before, after].map(({ node }) => node['prefixEncoding']?.length ?? 0);
  const count = Math.max(...lengths);
  const isOpen = [before, after].some(({ node }) => node['itemEncoding'] !== undefined);
  for (let at = 0; at < count + (isOpen ? 1 : 0); at++) {
    const [own, other] = [before, after].map((each) => encodingAt(each, at));
    const parts = [was, is].map((view) => new View(direction, itemOf(view, at), view.wire));
    const name = at < count ? `part ${at + 1}` : 'further parts';
    const encoding = media.within(name, { before: own!, after: other! });
    compareContentTypes(encoding, parts[0]!, parts[1]!);
    comparePartHeaders(encoding);
  }
}

function encodingAt({ pointer, node }: LocatedNode, at: number): LocatedNode {
  const own = node['prefixEncoding']?.[at];
  if (own !== undefined) return { pointer: `${pointer}/prefixEncoding/${at}`, node: own };
  const { itemEncoding } = node;
  return itemEncoding === undefined
    ? { pointer, node: {} }
    : { pointer: `${pointer}/itemEncoding`, node: itemEncoding };
}

function compareContentTypes(encoding: ComparedPart, was: View, is: View): void {
  const { before, after, direction } = encoding;
  const [old, now] = [contentTypesOf(before, was), contentTypesOf(after, is)];
  const lost = old.filter((type) => !isCovered(type, now));
  const gained = now.filter((type) => !isCovered(type, old));
  if (lost.length === 0 && gained.length === 0) return;
  const message = directedChange('encoding-changed', {
    direction,
    types: direction === 'request' ? lost : gained,
    was: before.node['contentType'],
    is: after.node['contentType'],
  });
  encoding.report(message, 'contentType');
}

function contentTypesOf({ node }: LocatedNode, part: View): string[] {
  const written: unknown = node['contentType'];
  if (typeof written !== 'string') return [defaultTypeOf(part)];
  return written.split(',').map((type) => type.trim().toLowerCase());
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

function isCovered(type: string, ranges: readonly string[]): boolean {
  if (ranges.includes(type) || ranges.includes(ANY)) return true;
  const sent = parseMediaType(type);
  return sent !== undefined && matchMediaType(sent, ranges) !== undefined;
}

function comparePartHeaders(encoding: ComparedPart): void {
  const { direction } = encoding;
  for (const { name, before, after } of encoding.children('headers')) {
    const [was, is] = [before, after].map((each) => each?.node['required'] === true);
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
