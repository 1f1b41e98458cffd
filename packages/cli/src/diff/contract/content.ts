// Compares request bodies and the media types under `content`.
import {
  type Definition,
  isJson,
  isXml,
  type LocatedNode,
  matchMediaType,
  parseMediaType,
} from 'stubwright/contract';
import {
  type ComparedLocation,
  type ContractComparison,
  type LocatedPair,
  pointerTo,
  within,
} from '../contractComparison.ts';
import { DOCUMENTATION_KEYWORDS } from '../documentation.ts';
import { change, directedChange } from '../rules.ts';
import type { Wire } from '../schema/wire.ts';
import { compareEncodings } from './encoding.ts';
import { mediaTypeKey } from './serialization.ts';

/** An operation or webhook with its request body. */
interface BodyHolder {
  readonly location: LocatedNode;
  readonly requestBody: LocatedNode | undefined;
}

export function compareRequestBody(
  context: ContractComparison,
  outer: ComparedLocation,
  before: BodyHolder,
  after: BodyHolder,
): void {
  const [was, is] = [before.requestBody, after.requestBody];
  const location = within(outer, 'request body');
  const { direction } = location;
  if (was === undefined || is === undefined) {
    if (is !== undefined) reportBodyAdded(context, location, before.location, is);
    if (was !== undefined) {
      const message = directedChange('body-removed', { direction });
      context.report(location, message, was.pointer, after.location.pointer);
    }
    return;
  }
  if (context.isUnchanged({ before: was, after: is })) return;
  const [wasRequired, isRequired] = [was, is].map(({ node }) => node.required === true);
  if (wasRequired !== isRequired) {
    context.report(
      location,
      directedChange(`body-became-${isRequired ? 'required' : 'optional'}`, { direction }),
      pointerTo(was, 'required'),
      pointerTo(is, 'required'),
    );
  }
  const pair = { before: was, after: is };
  compareContents(context, location, pair);
  context.documentation(location, pair, DOCUMENTATION_KEYWORDS.requestBody);
}

function reportBodyAdded(
  context: ContractComparison,
  location: ComparedLocation,
  holder: LocatedNode,
  body: LocatedNode,
): void {
  const { direction } = location;
  const rule = body.node.required === true ? 'required-body-added' : 'optional-body-added';
  context.report(location, directedChange(rule, { direction }), holder.pointer, body.pointer);
}

/** Compares the `content` of two nodes; a media type range matches the types that it covers. */
export function compareContents(
  context: ContractComparison,
  location: ComparedLocation,
  holders: LocatedPair,
): void {
  const [was, is] = [
    byMediaType(context.before, holders.before),
    byMediaType(context.after, holders.after),
  ];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  for (const name of names) {
    const inside = within(location, name);
    const before = was.get(name) ?? rangeOf(name, was);
    const after = is.get(name) ?? rangeOf(name, is);
    if (before !== undefined && after !== undefined) {
      compareMediaType(context, names.length > 1 ? inside : location, { before, after }, name);
    } else if (before === undefined) reportAdded(context, inside, holders.before, after!);
    else if (inside.direction === 'response' && isNarrowed(name, is)) {
      const message = change('response-media-range-narrowed');
      context.report(inside, message, before.pointer, pointerTo(holders.after, 'content'));
    } else reportRemoved(context, inside, before, holders.after);
  }
}

type MediaTypes = ReadonlyMap<string, LocatedNode>;

function byMediaType(definition: Definition, holder: LocatedNode): MediaTypes {
  const entries = [...definition.children(holder, 'content')];
  return new Map(entries.map(([name, media]) => [mediaTypeKey(name), media]));
}

/** @returns the media type range that covers a media type */
function rangeOf(name: string, declared: MediaTypes): LocatedNode | undefined {
  const sent = parseMediaType(name);
  if (sent === undefined || sent.type.includes('*')) return undefined;
  return declared.get(matchMediaType(sent, [...declared.keys()]) ?? '');
}

/** True if a range covers one of the media types. */
function isNarrowed(range: string, declared: MediaTypes): boolean {
  const covers = (name: string) => {
    const media = parseMediaType(name);
    return media !== undefined && matchMediaType(media, [range]) !== undefined;
  };
  return range.includes('*') && [...declared.keys()].some(covers);
}

function reportRemoved(
  context: ContractComparison,
  location: ComparedLocation,
  media: LocatedNode,
  holder: LocatedNode,
): void {
  const message = directedChange('media-type-removed', location);
  context.report(location, message, media.pointer, pointerTo(holder, 'content'));
}

function reportAdded(
  context: ContractComparison,
  location: ComparedLocation,
  holder: LocatedNode,
  media: LocatedNode,
): void {
  const message = directedChange('media-type-added', location);
  context.report(location, message, pointerTo(holder, 'content'), media.pointer);
}

function compareMediaType(
  context: ContractComparison,
  location: ComparedLocation,
  pair: LocatedPair,
  name: string,
): void {
  if (context.isUnchanged(pair)) return;
  const type = parseMediaType(name)?.type ?? name;
  const isForm = isMultipart(type) || type === 'application/x-www-form-urlencoded';
  if (!(isRaw(type) && context.views(location, pair, 'text').every(({ isFile }) => isFile))) {
    context.schemas(location, pair, wireOf(type));
  }
  // Each item of a stream is JSON, with any delimiter.
  context.schemas(within(location, 'item'), pair, 'json', { keyword: 'itemSchema' });
  context.documentation(location, pair, DOCUMENTATION_KEYWORDS.mediaType);
  if (isForm) compareEncodings(context, location, pair, { isMultipart: isMultipart(type) });
  else context.documentation(location, pair, ['encoding']);
}

function isMultipart(type: string): boolean {
  return type.startsWith('multipart/');
}

function isRaw(type: string): boolean {
  return !isJson(type) && !isXml(type) && wireOf(type) === 'json';
}

function wireOf(type: string): Wire {
  if (isXml(type)) return 'xml';
  if (isMultipart(type) || type === 'application/x-www-form-urlencoded') return 'form';
  return type.startsWith('text/') && !isJson(type) ? 'text' : 'json';
}
