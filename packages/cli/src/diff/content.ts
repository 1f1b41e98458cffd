// Bodies: request bodies and the media types under `content`, in two contracts.

import type { Place } from '../../../stubwright/src/document/definition.ts';
import { matchMediaType, parseMediaType } from '../../../stubwright/src/request/body/mediaType.ts';
import { type Child, type Context, type Pair, pointerTo, type Site, within } from './context.ts';
import { canonical } from './words.ts';

const READ = ['example', 'examples'];

/** An operation as far as its request body goes. */
interface Holder {
  readonly place: Place;
  readonly requestBody: Place | undefined;
}

export function compareRequestBody(
  context: Context,
  outer: Site,
  before: Holder,
  after: Holder,
): void {
  const [was, is] = [before.requestBody, after.requestBody];
  const site = within(outer, 'request body');
  if (was === undefined || is === undefined) {
    if (is !== undefined) added(context, site, before.place, is);
    if (was !== undefined) {
      const effect = 'What clients send is ignored or refused.';
      const telling = { verdict: 'breaking', what: 'the body was removed', effect } as const;
      context.tell(site, telling, was.pointer, after.place.pointer);
    }
    return;
  }
  const [wasRequired, isRequired] = [was, is].map(({ node }) => node.required === true);
  if (wasRequired !== isRequired) {
    context.tell(
      site,
      isRequired
        ? {
            verdict: 'breaking',
            what: 'the body became required',
            effect: 'Clients that send none are refused.',
          }
        : {
            verdict: 'compatible',
            what: 'the body became optional',
            effect: 'Clients may leave it out.',
          },
      pointerTo(was, 'required'),
      pointerTo(is, 'required'),
    );
  }
  const pair = { before: was, after: is };
  compareContents(context, site, pair);
  context.documentation(site, pair, ['description']);
}

function added(context: Context, site: Site, holder: Place, body: Place): void {
  const isRequired = body.node.required === true;
  context.tell(
    site,
    {
      verdict: isRequired ? 'breaking' : 'compatible',
      what: isRequired ? 'a required body was added' : 'an optional body was added',
      effect: isRequired ? 'Clients that send none are refused.' : 'Clients may send it.',
    },
    holder.pointer,
    body.pointer,
  );
}

/** Compares the media types of two places; a range on one side meets what falls under it. */
export function compareContents(context: Context, site: Site, holders: Pair): void {
  const children = context.children(holders, 'content');
  for (const { name, before, after } of children) {
    const inside = within(site, name);
    const match = {
      before: before ?? under(name, children, 'before'),
      after: after ?? under(name, children, 'after'),
    };
    if (match.before !== undefined && match.after !== undefined) {
      compareMediaType(context, children.length > 1 ? inside : site, {
        before: match.before,
        after: match.after,
      });
    }
    if (match.after === undefined) gone(context, inside, before!, holders.after);
    else if (match.before === undefined) come(context, inside, holders.before, after!);
  }
}

/** @returns the range that a media type falls under */
function under(
  name: string,
  children: readonly Child[],
  side: 'before' | 'after',
): Place | undefined {
  const sent = parseMediaType(name);
  const declared = children.filter((each) => each[side] !== undefined);
  if (sent === undefined || sent.type.includes('*')) return undefined;
  const key = matchMediaType(
    sent,
    declared.map((each) => each.name),
  );
  return declared.find((each) => each.name === key)?.[side];
}

function gone(context: Context, site: Site, media: Place, holder: Place): void {
  const effect =
    site.direction === 'request'
      ? 'Clients that send it are refused.'
      : 'Clients that ask for it, or read nothing else, get nothing that they can read.';
  const telling = { verdict: 'breaking', what: 'the media type was removed', effect } as const;
  context.tell(site, telling, media.pointer, pointerTo(holder, 'content'));
}

function come(context: Context, site: Site, holder: Place, media: Place): void {
  const isSent = site.direction === 'request';
  context.tell(
    site,
    {
      verdict: isSent ? 'compatible' : 'risky',
      what: 'the media type was added',
      effect: isSent
        ? 'Clients may send it.'
        : 'Clients that do not say which media type they take may get one that they cannot read.',
    },
    pointerTo(holder, 'content'),
    media.pointer,
  );
}

function compareMediaType(context: Context, site: Site, pair: Pair): void {
  context.schemas(site, pair);
  context.documentation(site, pair, READ);
  if (canonical(pair.before.node.encoding) === canonical(pair.after.node.encoding)) return;
  context.tell(
    site,
    {
      verdict: 'breaking',
      what: 'the encoding of the parts changed',
      effect: 'The same value is written another way; what clients send or read is misread.',
    },
    pointerTo(pair.before, 'encoding'),
    pointerTo(pair.after, 'encoding'),
  );
}
