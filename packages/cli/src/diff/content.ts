// Compares request bodies and the media types under `content`.
import type { LocatedNode } from 'stubwright/internal/document/definition';
import { matchMediaType, parseMediaType } from 'stubwright/internal/request/body/mediaType';
import {
  type Child,
  type Context,
  type Location,
  type Pair,
  pointerTo,
  within,
} from './context.ts';
import { canonical } from './formatting.ts';

const DOCUMENTATION_KEYWORDS = ['example', 'examples'];

/** An operation or webhook with its request body. */
interface BodyHolder {
  readonly location: LocatedNode;
  readonly requestBody: LocatedNode | undefined;
}

export function compareRequestBody(
  context: Context,
  outer: Location,
  before: BodyHolder,
  after: BodyHolder,
): void {
  const [was, is] = [before.requestBody, after.requestBody];
  const location = within(outer, 'request body');
  if (was === undefined || is === undefined) {
    if (is !== undefined) reportBodyAdded(context, location, before.location, is);
    if (was !== undefined) {
      const effect = 'A body that clients send is ignored or refused.';
      const rule = `${location.direction}-body-removed`;
      const message = { rule, severity: 'breaking', what: 'the body was removed', effect } as const;
      context.report(location, message, was.pointer, after.location.pointer);
    }
    return;
  }
  const [wasRequired, isRequired] = [was, is].map(({ node }) => node.required === true);
  if (wasRequired !== isRequired) {
    context.report(
      location,
      isRequired
        ? {
            rule: `${location.direction}-body-became-required`,
            severity: 'breaking',
            what: 'the body became required',
            effect: 'Clients that send no body are refused.',
          }
        : {
            rule: `${location.direction}-body-became-optional`,
            severity: 'compatible',
            what: 'the body became optional',
            effect: 'Clients may omit it.',
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
  context: Context,
  location: Location,
  holder: LocatedNode,
  body: LocatedNode,
): void {
  const isRequired = body.node.required === true;
  context.report(
    location,
    {
      rule: `${location.direction}-${isRequired ? 'required' : 'optional'}-body-added`,
      severity: isRequired ? 'breaking' : 'compatible',
      what: isRequired ? 'a required body was added' : 'an optional body was added',
      effect: isRequired ? 'Clients that send no body are refused.' : 'Clients may send it.',
    },
    holder.pointer,
    body.pointer,
  );
}

/** Compares the `content` of two nodes; a media type range matches the types that it covers. */
export function compareContents(context: Context, location: Location, holders: Pair): void {
  const children = context.children(holders, 'content');
  for (const { name, before, after } of children) {
    const inside = within(location, name);
    const match = {
      before: before ?? rangeOf(name, children, 'before'),
      after: after ?? rangeOf(name, children, 'after'),
    };
    if (match.before !== undefined && match.after !== undefined) {
      compareMediaType(context, children.length > 1 ? inside : location, {
        before: match.before,
        after: match.after,
      });
    }
    if (match.after === undefined) reportRemoved(context, inside, before!, holders.after);
    else if (match.before === undefined) reportAdded(context, inside, holders.before, after!);
  }
}

/** @returns the media type range that covers a media type */
function rangeOf(
  name: string,
  children: readonly Child[],
  side: 'before' | 'after',
): LocatedNode | undefined {
  const sent = parseMediaType(name);
  const declared = children.filter((each) => each[side] !== undefined);
  if (sent === undefined || sent.type.includes('*')) return undefined;
  const key = matchMediaType(
    sent,
    declared.map((each) => each.name),
  );
  return declared.find((each) => each.name === key)?.[side];
}

function reportRemoved(
  context: Context,
  location: Location,
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
  context: Context,
  location: Location,
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

function compareMediaType(context: Context, location: Location, pair: Pair): void {
  context.schemas(location, pair);
  context.documentation(location, pair, DOCUMENTATION_KEYWORDS);
  if (canonical(pair.before.node.encoding) === canonical(pair.after.node.encoding)) return;
  context.report(
    location,
    {
      rule: `${location.direction}-encoding-changed`,
      severity: 'breaking',
      what: 'the encoding of the parts changed',
      effect: 'The same value is serialized differently, so the receiver misreads it.',
    },
    pointerTo(pair.before, 'encoding'),
    pointerTo(pair.after, 'encoding'),
  );
}
