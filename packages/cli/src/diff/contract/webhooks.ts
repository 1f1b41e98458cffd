// Compares webhooks and callbacks, in which the service sends and clients respond.
import { type Definition, type LocatedNode, METHODS } from 'stubwright/contract';
import {
  type Child,
  type ComparedLocation,
  type ContractComparison,
  type LocatedPair,
  opposite,
  within,
} from '../contractComparison.ts';
import { DOCUMENTATION_KEYWORDS } from '../documentation.ts';
import { change } from '../rules.ts';
import { compareRequestBody } from './content.ts';
import { compareParameters, parametersAt } from './parameters.ts';
import { compareResponses } from './responses.ts';

/** @param location with the direction of requests that clients send */
export function compareWebhooks(
  context: ContractComparison,
  location: ComparedLocation,
  documents: LocatedPair,
): void {
  for (const item of context.children(documents, 'webhooks')) {
    compareItem(context, within(location, `webhook ${item.name}`), item, documents);
  }
}

/** A callback maps runtime expressions, which yield its URLs, to path items. */
export function compareCallbacks(
  context: ContractComparison,
  location: ComparedLocation,
  operations: LocatedPair,
): void {
  for (const callback of context.children(operations, 'callbacks')) {
    const inside = within(location, `callback ${callback.name}`);
    if (reportAddedOrRemoved(context, inside, callback, operations)) continue;
    for (const item of context.entries(callback.before, callback.after)) {
      if (!item.name.startsWith('x-')) compareItem(context, inside, item, operations);
    }
  }
}

function compareItem(
  context: ContractComparison,
  location: ComparedLocation,
  { before, after }: Sides,
  holders: LocatedPair,
): void {
  if (before === undefined || after === undefined) {
    reportAddedOrRemoved(context, location, { before, after }, holders);
    return;
  }
  for (const method of METHODS) {
    const was = context.before.child(before, method);
    const is = context.after.child(after, method);
    if (was !== undefined && is !== undefined) {
      compareOutgoing(context, location, { before: was, after: is }, { before, after });
    } else reportAddedOrRemoved(context, location, { before: was, after: is }, { before, after });
  }
}

type Sides = Pick<Child, 'before' | 'after'>;

function reportAddedOrRemoved(
  context: ContractComparison,
  location: ComparedLocation,
  { before, after }: Sides,
  holders: LocatedPair,
): boolean {
  if ((before === undefined) === (after === undefined)) return false;
  context.report(
    location,
    change(after === undefined ? 'webhook-removed' : 'webhook-added'),
    (before ?? holders.before).pointer,
    (after ?? holders.after).pointer,
  );
  return true;
}

/** Inverts the direction: the service sends the request and the client responds. */
function compareOutgoing(
  context: ContractComparison,
  location: ComparedLocation,
  operations: LocatedPair,
  items: LocatedPair,
): void {
  const inverted = { ...location, direction: opposite(location.direction) };
  const was = requestPartsOf(context.before, operations.before, items.before);
  const is = requestPartsOf(context.after, operations.after, items.after);
  compareParameters(context, inverted, was, is);
  compareRequestBody(context, inverted, was, is);
  compareResponses(context, inverted, was, is);
  context.documentation(location, operations, DOCUMENTATION_KEYWORDS.webhook);
}

function requestPartsOf(definition: Definition, location: LocatedNode, item: LocatedNode) {
  const responses = definition.child(location, 'responses');
  const statuses = Object.keys(responses?.node ?? {}).filter((each) => !each.startsWith('x-'));
  return {
    path: '',
    location,
    parameters: parametersAt(definition, [location, item]),
    requestBody: definition.child(location, 'requestBody'),
    responses: new Map(statuses.map((each) => [each, definition.child(responses!, each)!])),
  };
}
