// Lists the changes between two contracts.

import {
  type Contract,
  escapeToken,
  type LoadedContract,
  type Operation,
  type Schema,
} from '@stubwright/contract';
import { type Change, change } from '../rules/rules.ts';
import { DOCUMENTATION_KEYWORDS } from '../rules/severity.ts';
import { announcedRemoval, announcementOf } from '../rules/sunset.ts';
import { canonical, without } from '../values/formatting.ts';
import {
  areBoth,
  ComparedPart,
  type ComparisonOptions,
  ContractComparison,
} from './comparedPart.ts';
import { compareOperation, compareWebhooks, routeTitle } from './operation.ts';
import { compareSchemes } from './security.ts';
import { compareServers, hiddenOperation, operationUrls, routeOf } from './servers.ts';

/** The options of {@link changesBetween}. */
export interface DiffOptions extends ComparisonOptions {
  /** Called before each operation, with the number of compared ones and of all. */
  readonly onOperation?: OnOperation | undefined;
}

export type OnOperation = (done: number, total: number) => void;

/**
 * Lists the changes between two contracts, as they affect clients of the first.
 *
 * @param before the released contract
 * @param after the contract that replaces it
 * @returns every change once, breaking changes first; locations are JSON pointers into the documents
 */
export function changesBetween(
  before: Pick<LoadedContract, 'definition'>,
  after: Pick<LoadedContract, 'definition'>,
  options: DiffOptions = {},
): Change[] {
  const { onOperation } = options;
  const context = new ContractComparison(before.definition, after.definition, options);
  const documents = new ComparedPart(context, {
    before: context.before.root,
    after: context.after.root,
  });
  const matched = matchOperations(context.before, context.after);
  compareDocuments(documents, matched);
  compareOperations(documents, matched, onOperation);
  return context.changes.sorted();
}

function compareOperations(
  documents: ComparedPart,
  { pairs, removed, added }: MatchedOperations,
  onOperation?: OnOperation,
): void {
  const { context } = documents;
  const { before, after } = context;
  for (const [at, [was, is]] of pairs.entries()) {
    onOperation?.(at, pairs.length);
    if (areComparable(documents, was, is)) compareOperation(context, was, is);
  }
  for (const operation of removed) {
    const moved = [...added].find((candidate) => haveSameId(candidate, operation));
    if (moved !== undefined) added.delete(moved);
    reportRemoved(documents, operation, moved);
    if (moved !== undefined && areComparable(documents, operation, moved)) {
      compareOperation(context, operation, moved);
    }
  }
  for (const operation of added) {
    const hidden = hiddenOperation(before, operation);
    const summary = summaryOf(operation);
    const message =
      hidden === undefined
        ? change('operation-added', { summary })
        : change('operation-hides-another', { summary, hidden: routeTitle(hidden) });
    const part = new ComparedPart(context, documents, { operation: routeTitle(operation) });
    part.report(message, 'paths', { after: operation });
    if (!isDisabledIn(after, operation)) continue;
    part.report(change('operation-not-compared', { side: 'newer' }), '', { after: operation });
  }
}

/** Reports a pair of which one has an error, unless both are equal. */
function areComparable(documents: ComparedPart, before: Operation, after: Operation): boolean {
  const { context } = documents;
  const [wasDisabled, isDisabled] = [
    isDisabledIn(context.before, before),
    isDisabledIn(context.after, after),
  ];
  if (!wasDisabled && !isDisabled) return true;
  if (wasDisabled && isDisabled && context.unchanged.has(before, after)) return false;
  const part = new ComparedPart(context, { before, after }, { operation: routeTitle(after) });
  part.report(change('operation-not-compared', { side: wasDisabled ? 'older' : 'newer' }));
  return false;
}

function isDisabledIn({ disabled }: Contract, { method, path }: Operation): boolean {
  return disabled.includes(`${method} ${path}`);
}

function haveSameId(operation: Operation, other: Operation): boolean {
  const id = other.field('operationId');
  return id !== undefined && operation.field('operationId') === id;
}

function summaryOf(operation: Operation): string {
  const summary = operation.field('summary');
  return typeof summary === 'string' ? `: ${summary.replace(/\.\s*$/, '')}` : '';
}

function reportRemoved(documents: ComparedPart, operation: Operation, moved?: Operation): void {
  const { after } = documents.context;
  const isPathGone = !after.operations.some(
    ({ path }) => routeOf(path) === routeOf(operation.path),
  );
  const facts = { isPathGone, announced: announcedRemoval(announcementOf(operation)) };
  const message =
    moved === undefined
      ? change('operation-removed', facts)
      : change('operation-moved', { ...facts, to: routeTitle(moved) });
  const isPath = after.paths.includes(operation.path);
  const path = { pointer: isPath ? `/paths/${escapeToken(operation.path)}` : '/paths' };
  const part = new ComparedPart(documents.context, documents, { operation: routeTitle(operation) });
  part.report(message, '', { before: operation, after: moved ?? path });
}

function compareDocuments(documents: ComparedPart, { pairs }: MatchedOperations): void {
  compareVersions(documents);
  compareServers(documents, pairs);
  compareSchemes(documents);
  compareSchemaNames(documents);
  compareWebhooks(documents);
  documents.documentation(DOCUMENTATION_KEYWORDS.document);
  const { before, after } = documents.context;
  const infos = { before: before.info, after: after.info };
  if (areBoth(infos)) documents.with(infos).documentation(DOCUMENTATION_KEYWORDS.info);
}

function compareVersions(documents: ComparedPart): void {
  const { before, after } = documents.context;
  const [was, is] = [before.version, after.version];
  if (was !== is) {
    const at = { pointer: '/info/version' };
    documents.report(change('info-version-changed', { was, is }), '', { before: at, after: at });
  }
  compareDialects(documents);
  const [old, now] = [before, after].map(({ openapi }) => openapi.split('.', 2).join('.'));
  if (old === now) return;
  documents.report(change('openapi-version-changed', { was: old, is: now }), 'openapi');
}

/** The dialects of JSON Schema in which the keywords of OpenAPI have the same meaning. */
const USUAL_DIALECTS =
  /^(?:https:\/\/spec\.openapis\.org\/oas\/3\.\d\/dialect\/.+|https:\/\/json-schema\.org\/draft\/2020-12\/schema#?)$/;

function compareDialects(documents: ComparedPart): void {
  const keyword = 'jsonSchemaDialect';
  const [was, is] = [documents.before, documents.after].map((contractObject) =>
    contractObject.field(keyword),
  );
  const [old, now] = [was, is].map((value) =>
    value === undefined || USUAL_DIALECTS.test(String(value)) ? 'usual' : value,
  );
  if (old !== now) documents.report(change('dialect-changed', { was, is }), keyword);
  else if (was !== is) documents.report(change('documentation-changed', { keyword }), keyword);
}

/** SDKs name their types after the component schemas. */
function compareSchemaNames(documents: ComparedPart): void {
  const { before, after } = documents.context;
  const { schemas: was } = before;
  const { schemas: is } = after;
  const at = (name = '') => ({
    pointer: `/components/schemas${name === '' ? '' : `/${escapeToken(name)}`}`,
  });
  const removed = without(was.keys(), is.keys());
  const added = without(is.keys(), was.keys());
  const textOf = (schema: Schema | undefined) => canonical(schema?.written);
  const removedTexts = new Set(removed.map((name) => textOf(was.get(name))));
  const addedByText = new Map(added.toReversed().map((name) => [textOf(is.get(name)), name]));
  for (const name of removed) {
    const newName = addedByText.get(textOf(was.get(name)));
    const message =
      newName === undefined
        ? change('schema-removed', { name })
        : change('schema-renamed', { name, newName });
    documents.report(message, '', { before: at(name), after: at(newName) });
  }
  for (const name of added) {
    if (removedTexts.has(textOf(is.get(name)))) continue;
    documents.report(change('schema-added', { name }), '', { before: at(), after: at(name) });
  }
}

interface MatchedOperations {
  readonly pairs: readonly (readonly [Operation, Operation])[];
  readonly removed: readonly Operation[];
  readonly added: Set<Operation>;
}

/**
 * Matches by method and path, else without the names of path parameters, else by method and URL: a base path may
 * move between servers and paths.
 */
function matchOperations(before: Contract, after: Contract): MatchedOperations {
  const [was, is] = [operationsOf(before), operationsOf(after)];
  const added = new Set(is);
  const counterparts = new Map<Operation, Operation>();
  const match = (operation: Operation, other: Operation | undefined) => {
    if (other === undefined || !added.delete(other)) return;
    counterparts.set(operation, other);
  };
  const byPath = new Map(is.map((operation) => [routeTitle(operation), operation]));
  for (const each of was) match(each, byPath.get(routeTitle(each)));
  const byRoute = new Map(
    [...added].map((operation) => [routeOf(routeTitle(operation)), operation]),
  );
  for (const each of was) {
    if (!counterparts.has(each)) match(each, byRoute.get(routeOf(routeTitle(each))));
  }
  const byUrl = new Map(
    [...added].flatMap((operation) =>
      urlKeys(after, operation).map((key) => [key, operation] as const),
    ),
  );
  for (const each of byUrl.size === 0 ? [] : was) {
    if (counterparts.has(each)) continue;
    const key = urlKeys(before, each).find((url) => added.has(byUrl.get(url)!));
    if (key !== undefined) match(each, byUrl.get(key));
  }
  return {
    pairs: [...counterparts],
    removed: was.filter((operation) => !counterparts.has(operation)),
    added,
  };
}

/** A removal needs no comparison: operations with errors are matched as well. */
function operationsOf(contract: Contract): readonly Operation[] {
  const { operations, unservedOperations, disabledOperations } = contract;
  return [...operations, ...unservedOperations, ...disabledOperations];
}

function urlKeys(definition: Contract, operation: Operation): string[] {
  return [...operationUrls(definition, operation)].map(
    (url) => `${operation.requestMethod} ${url}`,
  );
}
