// Compares the `encoding` of the parts of forms.
import { type LocatedNode, matchMediaType, parseMediaType } from 'stubwright/contract';
import {
  type ComparedLocation,
  type ContractComparison,
  type LocatedPair,
  pointerTo,
  within,
} from '../contractComparison.ts';
import { directedChange } from '../rules.ts';
import { itemOf } from '../schema/shape.ts';
import { View } from '../schema/view.ts';
import { compareSerialization } from './serialization.ts';

const ANY = '*/*';

/** Compares the encodings of the properties that both contracts declare. */
export function compareEncodings(
  context: ContractComparison,
  location: ComparedLocation,
  pair: LocatedPair,
  { isMultipart }: { readonly isMultipart: boolean },
): void {
  const [was, is] = context.views(location, pair, 'form');
  const written = new Map(context.children(pair, 'encoding').map((each) => [each.name, each]));
  for (const name of was.propertyNames) {
    if (!is.propertyNames.includes(name)) continue;
    const { before, after } = written.get(name) ?? {};
    const absent = ({ pointer }: LocatedNode) => ({ pointer, node: {} });
    const encodings = {
      before: before ?? absent(pair.before),
      after: after ?? absent(pair.after),
    };
    const inside = within(location, `encoding ${name}`);
    if (isMultipart) {
      const properties = [was.property(name), is.property(name)] as const;
      compareContentTypes(context, inside, encodings, properties);
      comparePartHeaders(context, inside, encodings);
    }
    comparePartSerialization(context, inside, encodings, pair, name);
  }
}

function comparePartSerialization(
  context: ContractComparison,
  location: ComparedLocation,
  { before, after }: LocatedPair,
  media: LocatedPair,
  name: string,
): void {
  const schemaOf = ({ node, pointer }: LocatedNode, { pointer: holder }: LocatedNode) => ({
    pointer,
    node: { ...node, in: 'query', schemaPointer: `${holder}/schema/properties/${name}` },
  });
  compareSerialization(context, location, {
    before: schemaOf(before, media.before),
    after: schemaOf(after, media.after),
  });
}

function compareContentTypes(
  context: ContractComparison,
  location: ComparedLocation,
  { before, after }: LocatedPair,
  [was, is]: readonly [View, View],
): void {
  const [old, now] = [contentTypesOf(before, was), contentTypesOf(after, is)];
  const lost = old.filter((type) => !isCovered(type, now));
  const gained = now.filter((type) => !isCovered(type, old));
  if (lost.length === 0 && gained.length === 0) return;
  const { direction } = location;
  const message = directedChange('encoding-changed', {
    direction,
    types: direction === 'request' ? lost : gained,
    was: before.node['contentType'],
    is: after.node['contentType'],
  });
  const at = [pointerTo(before, 'contentType'), pointerTo(after, 'contentType')] as const;
  context.report(location, message, ...at);
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

function comparePartHeaders(
  context: ContractComparison,
  location: ComparedLocation,
  pair: LocatedPair,
): void {
  const { direction } = location;
  const at = [pointerTo(pair.before, 'headers'), pointerTo(pair.after, 'headers')] as const;
  for (const { name, before, after } of context.children(pair, 'headers')) {
    const [was, is] = [before, after].map((each) => each?.node['required'] === true);
    if (before !== undefined && after !== undefined && was === is) continue;
    const isStricter = direction === 'request' ? is && !was : was && !is;
    const presence =
      before === undefined ? 'was added' : is ? 'became required' : 'became optional';
    const change = after === undefined ? 'was removed' : presence;
    const isBreaking = after === undefined || isStricter === true;
    const message = directedChange('encoding-changed', { direction, change, isBreaking });
    context.report(within(location, `header ${name}`), message, ...at);
  }
}
