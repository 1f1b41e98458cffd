// Compares one operation.
import type { Operation } from 'stubwright/contract';
import {
  type ComparedLocation,
  type ContractComparison,
  type LocatedPair,
  pointerTo,
} from '../contractComparison.ts';
import { DOCUMENTATION_KEYWORDS } from '../documentation.ts';
import { canonical } from '../formatting.ts';
import { change } from '../rules.ts';
import { compareRequestBody } from './content.ts';
import { compareParameters } from './parameters.ts';
import { compareResponses } from './responses.ts';
import { compareSecurity } from './security.ts';
import { compareOperationServers } from './servers.ts';
import { compareCallbacks } from './webhooks.ts';

/** @returns `POST /toys` */
export function routeTitle({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

export function compareOperation(
  context: ContractComparison,
  before: Operation,
  after: Operation,
): void {
  const location: ComparedLocation = {
    operation: routeTitle(after),
    part: '',
    direction: 'request',
  };
  const pair = { before: before.location, after: after.location };
  compareNames(context, location, pair);
  compareOperationServers(context, location, before, after);
  compareSecurity(context, location, before, after);
  compareParameters(context, location, before, after);
  compareRequestBody(context, location, before, after);
  compareResponses(context, location, before, after);
  compareCallbacks(context, location, pair);
  context.documentation(location, pair, DOCUMENTATION_KEYWORDS.operation);
}

/** Compares the names that SDKs use for methods and classes. */
function compareNames(
  context: ContractComparison,
  location: ComparedLocation,
  { before, after }: LocatedPair,
): void {
  const [was, is] = [before.node.operationId, after.node.operationId];
  const at = [pointerTo(before, 'operationId'), pointerTo(after, 'operationId')] as const;
  if (was !== is) {
    const kind = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    context.report(location, change(`operation-id-${kind}`, { was, is }), ...at);
  }
  if (canonical(before.node.tags) === canonical(after.node.tags)) return;
  const tags = { was: before.node.tags, is: after.node.tags };
  const tagsAt = [pointerTo(before, 'tags'), pointerTo(after, 'tags')] as const;
  context.report(location, change('tags-changed', tags), ...tagsAt);
}
