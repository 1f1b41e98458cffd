// Compares the `encoding` of the parts of forms.
import { type LocatedNode, matchMediaType, parseMediaType } from 'stubwright/contract';
import {
  type ComparedLocation,
  type ContractComparison,
  type LocatedPair,
  pointerTo,
  within,
} from '../contractComparison.ts';
import { became } from '../formatting.ts';
import { itemOf } from '../schema/shape.ts';
import { View } from '../schema/view.ts';
import { compareSerialization } from './serialization.ts';

const ANY = '*/*';

/** Compares the encodings of the properties that both contracts declare. */
export function compareEncodings(
  context: ContractComparison,
  location: ComparedLocation,
  pair: LocatedPair,
  isMultipart: boolean,
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
  const isSent = location.direction === 'request';
  const isBreaking = (isSent ? lost : gained).length > 0;
  const types = isSent ? lost : gained;
  const effect = isSent
    ? `Clients that send ${types.join(' or ')} are refused.`
    : `Clients may get ${types.join(' or ')}, which the older contract does not allow.`;
  context.report(
    location,
    {
      rule: `${location.direction}-encoding-changed`,
      severity: isBreaking ? 'breaking' : 'compatible',
      what: became('contentType', before.node['contentType'], after.node['contentType']),
      effect: isBreaking ? effect : 'Existing parts keep their media type.',
    },
    pointerTo(before, 'contentType'),
    pointerTo(after, 'contentType'),
  );
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
  const isSent = location.direction === 'request';
  for (const { name, before, after } of context.children(pair, 'headers')) {
    const [was, is] = [before, after].map((each) => each?.node['required'] === true);
    if (before !== undefined && after !== undefined && was === is) continue;
    const isBreaking = isSent
      ? after === undefined || (is && !was)
      : after === undefined || (was && !is);
    const change =
      after === undefined
        ? 'removed'
        : before === undefined
          ? 'added'
          : is
            ? 'required'
            : 'optional';
    context.report(
      within(location, `header ${name}`),
      {
        rule: `${location.direction}-encoding-changed`,
        severity: isBreaking ? 'breaking' : 'compatible',
        what: `the header was ${change}`.replace(/was (required|optional)/, 'became $1'),
        effect: isBreaking
          ? 'Clients that send or read the part in the older form fail.'
          : 'Existing parts stay valid.',
      },
      pointerTo(pair.before, 'headers'),
      pointerTo(pair.after, 'headers'),
    );
  }
}
