// Compares webhooks and callbacks, in which the service sends and clients respond.
import {
  type Operation,
  type OutgoingItem,
  type OutgoingOperation,
  Responses,
} from '@stubwright/contract';
import { DOCUMENTATION_KEYWORDS } from '../rules/documentationKeywords.ts';
import { change } from '../rules/rules.ts';
import { ComparedPart } from './comparedPart.ts';
import { compareRequestBody } from './content.ts';
import { compareParameters } from './parameters.ts';
import { compareResponses } from './responses.ts';
import { areBoth, joined, type Sides } from './sides.ts';

export function compareWebhooks(documents: ComparedPart): void {
  const { context } = documents;
  for (const { name, ...item } of joined(context.before.webhookItems, context.after.webhookItems)) {
    compareItem(new ComparedPart(context, documents, { operation: `webhook ${name}` }), item);
  }
}

/** A callback maps runtime expressions, which yield its URLs, to path items. */
export function compareCallbacks(operation: ComparedPart<Operation>): void {
  const { before, after, context } = operation;
  const was = context.before.callbackObjectsOf(before);
  const is = context.after.callbackObjectsOf(after);
  for (const { name, ...callback } of joined(was, is)) {
    const inside = operation.within(`callback ${name}`);
    if (!areBoth(callback)) reportAddedOrRemoved(inside, callback);
    else {
      const items = joined(callback.before.items, callback.after.items);
      for (const item of items) compareItem(inside, item);
    }
  }
}

function compareItem(holder: ComparedPart, item: Sides<OutgoingItem>): void {
  if (!areBoth(item)) {
    reportAddedOrRemoved(holder, item);
    return;
  }
  for (const operation of joined(item.before.operations, item.after.operations)) {
    if (areBoth(operation)) compareOutgoing(holder.with(operation));
    else reportAddedOrRemoved(holder.with(item), operation);
  }
}

function reportAddedOrRemoved(
  holder: ComparedPart,
  entry: Sides<{ readonly pointer: string }>,
): void {
  const kind = entry.after === undefined ? 'removed' : 'added';
  holder.report(change(`webhook-${kind}`), '', entry);
}

/** Inverts the direction: the service sends the request and the client responds. */
function compareOutgoing(operation: ComparedPart<OutgoingOperation>): void {
  const inverted = operation.inverted();
  const [was, is] = [partsOf(operation.before), partsOf(operation.after)];
  compareParameters(inverted, was, is);
  compareRequestBody(inverted, was, is);
  compareResponses(inverted, was, is);
  operation.documentation(DOCUMENTATION_KEYWORDS.webhook);
}

function partsOf(operation: OutgoingOperation) {
  const { parameters, requestBody, responses } = operation;
  const isAny = operation.field('responses') === undefined;
  return { path: '', parameters, requestBody, responses: isAny ? new Responses([]) : responses };
}
