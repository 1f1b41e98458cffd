// Lists the changes between two contracts.

import { escapeToken, type LoadedContract, type Operation } from 'stubwright/contract';
import type { Change } from './change.ts';
import { type MatchedOperations, matchOperations } from './contract/matching.ts';
import { withMeaning } from './contract/nullable.ts';
import { compareOperation, routeTitle } from './contract/operation.ts';
import { hiddenOperation, routeOf } from './contract/paths.ts';
import { compareSchemes } from './contract/security.ts';
import { compareServers } from './contract/servers.ts';
import { announcedRemoval } from './contract/sunset.ts';
import { compareWebhooks } from './contract/webhooks.ts';
import {
  type ComparedLocation,
  ContractComparison,
  type LocatedPair,
} from './contractComparison.ts';
import type { CounterexampleLimits } from './counterexample/counterexamples.ts';
import { DOCUMENTATION_KEYWORDS } from './documentation.ts';
import { canonical, without } from './formatting.ts';
import { change } from './rules.ts';

const WHOLE: ComparedLocation = { operation: undefined, part: '', direction: 'request' };

/**
 * Lists the changes between two contracts, as they affect clients of the first.
 *
 * @param before the released contract
 * @param after the contract that replaces it
 * @param limits of the search for values that prove a change breaking
 * @returns every change once, breaking changes first; locations are JSON pointers into the documents
 */
export function changesBetween(
  { definition: before }: Pick<LoadedContract, 'definition'>,
  { definition: after }: Pick<LoadedContract, 'definition'>,
  limits?: CounterexampleLimits,
): Change[] {
  const context = new ContractComparison(withMeaning(before), withMeaning(after), limits);
  const matched = matchOperations(context.before, context.after);
  compareDocuments(context, matched);
  compareOperations(context, matched);
  return context.changes.sorted();
}

function compareOperations(
  context: ContractComparison,
  { pairs, removed, added }: MatchedOperations,
): void {
  const { before } = context;
  for (const [was, is] of pairs) compareOperation(context, was, is);
  for (const operation of removed) {
    const moved = [...added].find((each) => haveSameId(each, operation));
    if (moved !== undefined) added.delete(moved);
    reportRemoved(context, operation, moved);
    if (moved !== undefined) compareOperation(context, operation, moved);
  }
  for (const operation of added) {
    // The older contract has it, with an error.
    if (before.disabled.includes(`${operation.method} ${operation.path}`)) continue;
    const hidden = hiddenOperation(before, operation);
    const summary = summaryOf(operation);
    context.report(
      { ...WHOLE, operation: routeTitle(operation) },
      hidden === undefined
        ? change('operation-added', { summary })
        : change('operation-hides-another', { summary, hidden: routeTitle(hidden) }),
      before.document.paths === undefined ? '' : '/paths',
      operation.location.pointer,
    );
  }
}

function haveSameId(operation: Operation, other: Operation): boolean {
  const id: unknown = other.location.node.operationId;
  return id !== undefined && operation.location.node.operationId === id;
}

function summaryOf({ location: { node } }: Operation): string {
  return typeof node.summary === 'string' ? `: ${node.summary.replace(/\.\s*$/, '')}` : '';
}

function reportRemoved(context: ContractComparison, operation: Operation, moved?: Operation): void {
  const { after } = context;
  const isPathGone = !after.operations.some(
    ({ path }) => routeOf(path) === routeOf(operation.path),
  );
  const path = `/paths/${escapeToken(operation.path)}`;
  const facts = { isPathGone, announced: announcedRemoval(operation.location.node) };
  context.report(
    { ...WHOLE, operation: routeTitle(operation) },
    moved === undefined
      ? change('operation-removed', facts)
      : change('operation-moved', { ...facts, to: routeTitle(moved) }),
    operation.location.pointer,
    moved?.location.pointer ?? (after.at(path) === undefined ? '/paths' : path),
  );
}

function compareDocuments(context: ContractComparison, { pairs }: MatchedOperations): void {
  const { before, after } = context;
  const documents: LocatedPair = {
    before: { pointer: '', node: before.document },
    after: { pointer: '', node: after.document },
  };
  compareVersions(context);
  compareServers(context, WHOLE, pairs);
  compareSchemes(context, WHOLE);
  compareSchemaNames(context);
  compareWebhooks(context, WHOLE, documents);
  context.documentation(WHOLE, documents, DOCUMENTATION_KEYWORDS.document);
  const infos = { before: before.at('/info'), after: after.at('/info') };
  if (infos.before === undefined || infos.after === undefined) return;
  context.documentation(WHOLE, infos as LocatedPair, DOCUMENTATION_KEYWORDS.info);
}

function compareVersions(context: ContractComparison): void {
  const [was, is] = [context.before, context.after].map(({ document }) => document);
  if (was!.info?.version !== is!.info?.version) {
    const facts = { was: was!.info?.version, is: is!.info?.version };
    const at = '/info/version';
    context.report(WHOLE, change('info-version-changed', facts), at, at);
  }
  const [old, now] = [was, is].map((each) => String(each!.openapi).split('.', 2).join('.'));
  if (old === now) return;
  const message = change('openapi-version-changed', { was: old, is: now });
  context.report(WHOLE, message, '/openapi', '/openapi');
}

/** SDKs name their types after the component schemas. */
function compareSchemaNames(context: ContractComparison): void {
  const was = context.before.at('/components/schemas')?.node ?? {};
  const is = context.after.at('/components/schemas')?.node ?? {};
  const pointerOf = (name: string) => `/components/schemas/${escapeToken(name)}`;
  const [removed, added] = [
    without(Object.keys(was), Object.keys(is)),
    without(Object.keys(is), Object.keys(was)),
  ];
  for (const name of removed) {
    const renamed = added.find((each) => canonical(is[each]) === canonical(was[name]));
    context.report(
      WHOLE,
      renamed === undefined
        ? change('schema-removed', { name })
        : change('schema-renamed', { name, newName: renamed }),
      pointerOf(name),
      renamed === undefined ? '/components/schemas' : pointerOf(renamed),
    );
  }
  for (const name of added) {
    if (removed.some((each) => canonical(was[each]) === canonical(is[name]))) continue;
    context.report(WHOLE, change('schema-added', { name }), '/components/schemas', pointerOf(name));
  }
}
