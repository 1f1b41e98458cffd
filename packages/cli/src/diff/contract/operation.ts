// Compares one operation.
import type { Operation } from 'stubwright/contract';
import {
  type ComparedLocation,
  type ContractComparison,
  type LocatedPair,
  pointerTo,
} from '../contractComparison.ts';
import { became, canonical } from '../formatting.ts';
import { compareRequestBody } from './content.ts';
import { compareParameters } from './parameters.ts';
import { compareResponses } from './responses.ts';
import { compareSecurity } from './security.ts';
import { compareOperationServers } from './servers.ts';
import { compareCallbacks } from './webhooks.ts';

const DOCUMENTATION_KEYWORDS = ['summary', 'description', 'externalDocs', 'deprecated'];

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
  context.documentation(location, pair, DOCUMENTATION_KEYWORDS);
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
    const what = became('operationId', was, is);
    context.report(
      location,
      was === undefined
        ? {
            rule: 'operation-id-added',
            severity: 'risky',
            what,
            effect: 'SDKs that generated a method name now use this one.',
          }
        : {
            rule: is === undefined ? 'operation-id-removed' : 'operation-id-changed',
            severity: 'breaking',
            what,
            effect: `SDKs lose their method ${was}.`,
          },
      ...at,
    );
  }
  if (canonical(before.node.tags) === canonical(after.node.tags)) return;
  const what = became('tags', before.node.tags, after.node.tags);
  const effect = 'SDKs that group methods by tag move the method to another class.';
  const tags = [pointerTo(before, 'tags'), pointerTo(after, 'tags')] as const;
  context.report(location, { rule: 'tags-changed', severity: 'risky', what, effect }, ...tags);
}
