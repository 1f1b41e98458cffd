// Compares webhooks and callbacks, in which the service sends and clients respond.
import { type Definition, type LocatedNode, operationKeys } from '@stubwright/contract';
import { DOCUMENTATION_KEYWORDS } from '../rules/documentationKeywords.ts';
import { change } from '../rules/rules.ts';
import { ComparedPart, type Sides } from './comparedPart.ts';
import { compareRequestBody } from './content.ts';
import type { LocatedPair } from './contractComparison.ts';
import { compareParameters, parametersAt } from './parameters.ts';
import { compareResponses } from './responses.ts';

export function compareWebhooks(documents: ComparedPart): void {
  for (const { name, ...item } of documents.children('webhooks')) {
    const { context } = documents;
    compareItem(new ComparedPart(context, documents, { operation: `webhook ${name}` }), item);
  }
}

/** A callback maps runtime expressions, which yield its URLs, to path items. */
export function compareCallbacks(operation: ComparedPart): void {
  for (const { name, ...callback } of operation.children('callbacks')) {
    const inside = operation.within(`callback ${name}`);
    if (!areBoth(callback)) reportAddedOrRemoved(inside, callback);
    const isExpression = (name: string) => !name.startsWith('x-');
    for (const item of areBoth(callback) ? operation.entries(callback, isExpression) : []) {
      compareItem(inside, item);
    }
  }
}

function compareItem(holder: ComparedPart, item: Sides): void {
  if (!areBoth(item)) {
    reportAddedOrRemoved(holder, item);
    return;
  }
  const { before, after } = holder.context;
  const all = [item.before, item.after].flatMap(({ node }) => operationKeys(node));
  for (const [, keys] of new Map(all.map(([method, ...keys]) => [method, keys]))) {
    const operation = {
      before: before.descendant(item.before, keys),
      after: after.descendant(item.after, keys),
    };
    if (areBoth(operation)) compareOutgoing(holder.with(operation), item);
    else reportAddedOrRemoved(holder.with(item), operation);
  }
}

function areBoth(sides: Sides): sides is LocatedPair {
  return sides.before !== undefined && sides.after !== undefined;
}

function reportAddedOrRemoved(holder: ComparedPart, entry: Sides): void {
  if (entry.before === entry.after) return;
  const kind = entry.after === undefined ? 'removed' : 'added';
  holder.report(change(`webhook-${kind}`), '', entry);
}

/** Inverts the direction: the service sends the request and the client responds. */
function compareOutgoing(operation: ComparedPart, items: LocatedPair): void {
  const { before, after } = operation.context;
  const inverted = operation.inverted();
  const was = requestPartsOf(before, operation.before, items.before);
  const is = requestPartsOf(after, operation.after, items.after);
  compareParameters(inverted, was, is);
  compareRequestBody(inverted, was, is);
  compareResponses(inverted, was, is);
  operation.documentation(DOCUMENTATION_KEYWORDS.webhook);
}

function requestPartsOf(definition: Definition, location: LocatedNode, item: LocatedNode) {
  const responses = definition.child(location, 'responses');
  const statuses = Object.keys(responses?.node ?? {}).filter((each) => !each.startsWith('x-'));
  return {
    path: '',
    parameters: parametersAt(definition, [location, item]),
    requestBody: definition.child(location, 'requestBody'),
    responses: new Map(statuses.map((each) => [each, definition.child(responses!, each)!])),
  };
}
