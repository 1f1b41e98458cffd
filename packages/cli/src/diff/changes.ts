// Lists the changes between two contracts.

import {
  type Definition,
  escapeToken,
  type LoadedContract,
  type Operation,
} from 'stubwright/contract';
import type { Change } from './change.ts';
import { withMeaning } from './contract/nullable.ts';
import { compareOperation, routeTitle } from './contract/operation.ts';
import { hiddenOperation } from './contract/paths.ts';
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
import { became, canonical, without } from './formatting.ts';

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
  compareDocuments(context);
  compareOperations(context);
  return context.changes.sorted();
}

function compareOperations(context: ContractComparison): void {
  const { before, after } = context;
  const was = byRoute(before);
  const is = byRoute(after);
  const added = new Map([...is].filter(([route]) => !was.has(route)));
  for (const [route, operation] of was) {
    const counterpart = is.get(route);
    if (counterpart !== undefined) {
      compareOperation(context, operation, counterpart);
      continue;
    }
    const [newRoute, moved] =
      [...added].find(([, each]) => haveSameId(each, operation)) ??
      ([undefined, undefined] as const);
    if (newRoute !== undefined) added.delete(newRoute);
    reportRemoved(context, operation, moved);
    if (moved !== undefined) compareOperation(context, operation, moved);
  }
  for (const operation of added.values()) {
    // The older contract has it, with an error.
    if (before.disabled.includes(`${operation.method} ${operation.path}`)) continue;
    const hidden = hiddenOperation(before, operation);
    const what = 'the operation was added';
    context.report(
      { ...WHOLE, operation: routeTitle(operation) },
      hidden === undefined
        ? {
            rule: 'operation-added',
            severity: 'compatible',
            what: `${what}${summaryOf(operation)}`,
            effect: 'Clients may call it.',
          }
        : {
            rule: 'operation-hides-another',
            severity: 'risky',
            what: `${what}${summaryOf(operation)}`,
            effect: `Requests to this path reached ${routeTitle(hidden)} before.`,
          },
      before.document.paths === undefined ? '' : '/paths',
      operation.location.pointer,
    );
  }
}

/** Keys operations by method and path. Names of path parameters are ignored: they are not sent. */
function byRoute({ operations, additionalOperations }: Definition): Map<string, Operation> {
  const all = [...operations, ...additionalOperations];
  return new Map(all.map((each) => [`${each.method} ${routeOf(each)}`, each]));
}

function routeOf({ path }: Operation): string {
  return path.replace(/\{[^{}]*\}/g, '{}');
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
  const isPathGone = !after.operations.some((each) => routeOf(each) === routeOf(operation));
  const what =
    moved !== undefined
      ? `the operation moved to ${routeTitle(moved)}`
      : `the ${isPathGone ? 'path' : 'method'} was removed`;
  const path = `/paths/${escapeToken(operation.path)}`;
  const [severity, effect] = announcedRemoval(operation.location.node) ?? [
    'breaking',
    `Clients that call it get ${isPathGone ? 404 : 405}.`,
  ];
  const rule = moved === undefined ? 'operation-removed' : 'operation-moved';
  context.report(
    { ...WHOLE, operation: routeTitle(operation) },
    { rule, severity, what, effect },
    operation.location.pointer,
    moved?.location.pointer ?? (after.at(path) === undefined ? '/paths' : path),
  );
}

function compareDocuments(context: ContractComparison): void {
  const { before, after } = context;
  const documents: LocatedPair = {
    before: { pointer: '', node: before.document },
    after: { pointer: '', node: after.document },
  };
  compareVersions(context);
  compareServers(context, WHOLE);
  compareSchemes(context, WHOLE);
  compareSchemaNames(context);
  compareWebhooks(context, WHOLE, documents);
  context.documentation(WHOLE, documents, ['tags', 'externalDocs']);
  const infos = { before: before.at('/info'), after: after.at('/info') };
  if (infos.before === undefined || infos.after === undefined) return;
  context.documentation(WHOLE, infos as LocatedPair, [
    ...['title', 'summary', 'description', 'contact', 'license', 'termsOfService'],
  ]);
}

function compareVersions(context: ContractComparison): void {
  const [was, is] = [context.before, context.after].map(({ document }) => document);
  if (was!.info?.version !== is!.info?.version) {
    const what = became('info.version', was!.info?.version, is!.info?.version);
    const effect = 'Clients that read the version get the new one.';
    const at = '/info/version';
    const rule = 'info-version-changed';
    context.report(WHOLE, { rule, severity: 'compatible', what, effect }, at, at);
  }
  const [old, now] = [was, is].map((each) => String(each!.openapi).split('.', 2).join('.'));
  if (old === now) return;
  const what = became('openapi', old, now);
  const effect = 'Requests and responses are the same; generators must support the new version.';
  const rule = 'openapi-version-changed';
  context.report(WHOLE, { rule, severity: 'compatible', what, effect }, '/openapi', '/openapi');
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
    const what =
      renamed === undefined
        ? `the schema ${name} was removed`
        : `the schema ${name} became ${renamed}`;
    const effect = `Requests are unchanged; SDKs lose the type ${name}.`;
    const after = renamed === undefined ? '/components/schemas' : pointerOf(renamed);
    const rule = renamed === undefined ? 'schema-removed' : 'schema-renamed';
    context.report(WHOLE, { rule, severity: 'risky', what, effect }, pointerOf(name), after);
  }
  for (const name of added) {
    if (removed.some((each) => canonical(was[each]) === canonical(is[name]))) continue;
    const message = {
      rule: 'schema-added',
      severity: 'compatible',
      what: `the schema ${name} was added`,
      effect: 'SDKs gain a type.',
    } as const;
    context.report(WHOLE, message, '/components/schemas', pointerOf(name));
  }
}
