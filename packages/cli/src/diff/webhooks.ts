// What the service sends to its clients: webhooks and callbacks. Who sends and who reads are turned
// around, and so is what each change means.
import {
  type Definition,
  METHODS,
  type Place,
} from '../../../stubwright/src/document/definition.ts';
import { compareRequestBody } from './content.ts';
import { type Child, type Context, opposite, type Pair, type Site, within } from './context.ts';
import { compareParameters, parametersAt } from './parameters.ts';
import { compareResponses } from './responses.ts';

const READ = ['summary', 'description', 'operationId', 'tags', 'deprecated'];

/** @param site whose direction is that of the requests that clients send */
export function compareWebhooks(context: Context, site: Site, documents: Pair): void {
  for (const item of context.children(documents, 'webhooks')) {
    compareItem(context, within(site, `webhook ${item.name}`), item, documents);
  }
}

/** A callback maps the URLs that it goes to, each an expression, to path items. */
export function compareCallbacks(context: Context, site: Site, operations: Pair): void {
  for (const callback of context.children(operations, 'callbacks')) {
    const inside = within(site, `callback ${callback.name}`);
    if (isGoneOrNew(context, inside, callback, operations)) continue;
    for (const item of context.entries(callback.before, callback.after)) {
      if (!item.name.startsWith('x-')) compareItem(context, inside, item, operations);
    }
  }
}

function compareItem(context: Context, site: Site, { before, after }: Sides, holders: Pair): void {
  if (before === undefined || after === undefined) {
    isGoneOrNew(context, site, { before, after }, holders);
    return;
  }
  for (const method of METHODS) {
    const was = context.before.child(before, method);
    const is = context.after.child(after, method);
    if (was !== undefined && is !== undefined) {
      compareOutgoing(context, site, { before: was, after: is }, { before, after });
    } else isGoneOrNew(context, site, { before: was, after: is }, { before, after });
  }
}

type Sides = Pick<Child, 'before' | 'after'>;

function isGoneOrNew(
  context: Context,
  site: Site,
  { before, after }: Sides,
  holders: Pair,
): boolean {
  if ((before === undefined) === (after === undefined)) return false;
  const isGone = after === undefined;
  context.tell(
    site,
    {
      verdict: isGone ? 'breaking' : 'compatible',
      what: isGone ? 'it was removed' : 'it was added',
      effect: isGone ? 'Clients that wait for it wait for ever.' : 'Clients may take it.',
    },
    (before ?? holders.before).pointer,
    (after ?? holders.after).pointer,
  );
  return true;
}

/** The service sends the request, and the client answers. */
function compareOutgoing(context: Context, site: Site, operations: Pair, items: Pair): void {
  const turned = { ...site, direction: opposite(site.direction) };
  const was = partsOf(context.before, operations.before, items.before);
  const is = partsOf(context.after, operations.after, items.after);
  compareParameters(context, turned, was, is);
  compareRequestBody(context, turned, was, is);
  compareResponses(context, turned, was, is);
  context.documentation(site, operations, READ);
}

function partsOf(definition: Definition, place: Place, item: Place) {
  const responses = definition.child(place, 'responses');
  const statuses = Object.keys(responses?.node ?? {}).filter((each) => !each.startsWith('x-'));
  return {
    path: '',
    place,
    parameters: parametersAt(definition, [place, item]),
    requestBody: definition.child(place, 'requestBody'),
    responses: new Map(statuses.map((each) => [each, definition.child(responses!, each)!])),
  };
}
