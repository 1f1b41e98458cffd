// The answers of one operation in two contracts: statuses, headers, bodies.
import type { Place } from '../../../stubwright/src/document/definition.ts';
import { responseFor } from '../../../stubwright/src/document/responses.ts';
import { compareContents } from './content.ts';
import { type Context, opposite, type Pair, pointerTo, type Site, within } from './context.ts';
import { compareWriting } from './parameters.ts';

/** An operation as far as its answers go. */
interface Holder {
  readonly place: Place;
  readonly responses: ReadonlyMap<string, Place>;
}

export function compareResponses(
  context: Context,
  { direction, ...outer }: Site,
  before: Holder,
  after: Holder,
): void {
  const read = { ...outer, direction: opposite(direction) };
  const { responses: was } = before;
  const { responses: is } = after;
  for (const status of new Set([...was.keys(), ...is.keys()])) {
    const site = within(read, `response ${status}`);
    const pair = { before: responseFor(was, status), after: responseFor(is, status) };
    if (pair.before !== undefined && pair.after !== undefined) {
      compareResponse(context, site, { before: pair.before, after: pair.after });
    } else if (pair.after === undefined) {
      gone(context, site, `${before.place.pointer}/responses/${status}`, after.place);
    } else come(context, site, status, before.place, `${after.place.pointer}/responses/${status}`);
  }
}

function gone(context: Context, site: Site, response: string, holder: Place): void {
  const effect = 'Clients that act on it never meet it; what they get instead they do not know.';
  const telling = { verdict: 'breaking', what: 'the status was removed', effect } as const;
  context.tell(site, telling, response, pointerTo(holder, 'responses'));
}

function come(context: Context, site: Site, status: string, holder: Place, response: string): void {
  const isFailure = /^[45]/.test(status);
  context.tell(
    site,
    {
      verdict: 'risky',
      what: 'the status was added',
      effect: isFailure
        ? 'Clients meet a failure that they do not know by its number.'
        : 'Clients that look for another status take it for a failure.',
    },
    pointerTo(holder, 'responses'),
    response,
  );
}

function compareResponse(context: Context, site: Site, pair: Pair): void {
  compareHeaders(context, site, pair);
  compareContents(context, site, pair);
  context.documentation(site, pair, ['description', 'links']);
}

function compareHeaders(context: Context, outer: Site, pair: Pair): void {
  const children = context.children(pair, 'headers');
  for (const child of children) {
    const { name } = child;
    // Names of headers have no case.
    const same = children.filter((each) => each.name.toLowerCase() === name.toLowerCase());
    if (/^content-type$/i.test(name) || same[0] !== child) continue;
    const before = same.find((each) => each.before !== undefined)?.before;
    const after = same.find((each) => each.after !== undefined)?.after;
    const site = within(outer, `header ${name}`);
    if (before !== undefined && after !== undefined) {
      compareHeader(context, site, { before, after });
    } else if (before !== undefined) {
      const effect = 'Clients that read it find nothing.';
      const telling = { verdict: 'breaking', what: 'the header was removed', effect } as const;
      context.tell(
        site,
        telling,
        `${pair.before.pointer}/headers/${name}`,
        pointerTo(pair.after, 'headers'),
      );
    } else if (after !== undefined) {
      const effect = 'Clients may read it.';
      const telling = { verdict: 'compatible', what: 'the header was added', effect } as const;
      context.tell(
        site,
        telling,
        pointerTo(pair.before, 'headers'),
        `${pair.after.pointer}/headers/${name}`,
      );
    }
  }
}

function compareHeader(context: Context, site: Site, pair: Pair): void {
  const [was, is] = [pair.before, pair.after].map(({ node }) => node.required === true);
  if (was !== is) {
    context.tell(
      site,
      is
        ? {
            verdict: 'compatible',
            what: 'the header became required',
            effect: 'Clients can rely on it.',
          }
        : {
            verdict: 'breaking',
            what: 'the header became optional',
            effect: 'Clients that rely on it may find nothing.',
          },
      pointerTo(pair.before, 'required'),
      pointerTo(pair.after, 'required'),
    );
  }
  compareWriting(context, site, pair);
  context.schemas(site, pair);
  compareContents(context, site, pair);
  context.documentation(site, pair, ['description', 'example', 'examples', 'deprecated']);
}
