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
import type { Wire } from '../schema/wire.ts';
import { compareEncodings } from './encoding.ts';
import { mediaTypeKey } from './serialization.ts';

const DOCUMENTATION_KEYWORDS = ['example', 'examples'];

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
  if (was === undefined || is === undefined) {
    if (is !== undefined) reportBodyAdded(context, location, before.location, is);
    if (was !== undefined) {
      const effect =
        location.direction === 'request'
          ? 'A body that clients send is ignored or refused.'
          : 'Clients that read it no longer receive it.';
      const rule = `${location.direction}-body-removed`;
      const message = { rule, severity: 'breaking', what: 'the body was removed', effect } as const;
      context.report(location, message, was.pointer, after.location.pointer);
    }
    return;
  }
  const [wasRequired, isRequired] = [was, is].map(({ node }) => node.required === true);
  if (wasRequired !== isRequired) {
    const isSent = location.direction === 'request';
    const [refused, allowed] = isSent
      ? ['Clients that send no body are refused.', 'Clients may omit it.']
      : ['Clients that rely on a body may receive none.', 'Clients can rely on it.'];
    const isBreaking = isRequired === isSent;
    context.report(
      location,
      {
        rule: `${location.direction}-body-became-${isRequired ? 'required' : 'optional'}`,
        severity: isBreaking ? 'breaking' : 'compatible',
        what: `the body became ${isRequired ? 'required' : 'optional'}`,
        effect: isBreaking ? refused : allowed,
      },
      pointerTo(was, 'required'),
      pointerTo(is, 'required'),
    );
  }
  const pair = { before: was, after: is };
  compareContents(context, location, pair);
  context.documentation(location, pair, ['description']);
}

function reportBodyAdded(
  context: ContractComparison,
  location: ComparedLocation,
  holder: LocatedNode,
  body: LocatedNode,
): void {
  const isRequired = body.node.required === true;
  const isSent = location.direction === 'request';
  context.report(
    location,
    {
      rule: `${location.direction}-${isRequired ? 'required' : 'optional'}-body-added`,
      severity: isRequired && isSent ? 'breaking' : 'compatible',
      what: isRequired ? 'a required body was added' : 'an optional body was added',
      effect: !isSent
        ? 'Clients may read it.'
        : isRequired
          ? 'Clients that send no body are refused.'
          : 'Clients may send it.',
    },
    holder.pointer,
    body.pointer,
  );
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
      const effect = 'Clients that read every media type of the range read the remaining ones.';
      const message = {
        rule: 'response-media-range-narrowed',
        severity: 'compatible',
        what: 'the range was narrowed',
        effect,
      } as const;
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
  const effect =
    location.direction === 'request'
      ? 'Clients that send it are refused.'
      : 'Clients that accept only this media type can no longer read the body.';
  const rule = `${location.direction}-media-type-removed`;
  const what = 'the media type was removed';
  const message = { rule, severity: 'breaking', what, effect } as const;
  context.report(location, message, media.pointer, pointerTo(holder, 'content'));
}

function reportAdded(
  context: ContractComparison,
  location: ComparedLocation,
  holder: LocatedNode,
  media: LocatedNode,
): void {
  const isSent = location.direction === 'request';
  context.report(
    location,
    {
      rule: `${location.direction}-media-type-added`,
      severity: isSent ? 'compatible' : 'risky',
      what: 'the media type was added',
      effect: isSent
        ? 'Clients may send it.'
        : 'Clients that do not restrict the media type may get one that they cannot read.',
    },
    pointerTo(holder, 'content'),
    media.pointer,
  );
}

function compareMediaType(
  context: ContractComparison,
  location: ComparedLocation,
  pair: LocatedPair,
  name: string,
): void {
  const type = parseMediaType(name)?.type ?? name;
  const isForm = isMultipart(type) || type === 'application/x-www-form-urlencoded';
  if (!(isRaw(type) && context.views(location, pair, 'text').every(({ isFile }) => isFile))) {
    context.schemas(location, pair, wireOf(type));
  }
  // Each item of a stream is JSON, with any delimiter.
  context.schemas(within(location, 'item'), pair, 'json', { keyword: 'itemSchema' });
  context.documentation(location, pair, DOCUMENTATION_KEYWORDS);
  if (isForm) compareEncodings(context, location, pair, isMultipart(type));
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
