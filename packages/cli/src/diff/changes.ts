// Two contracts -> what changed for their clients: the one function that everything else is behind.
import type { Definition, Operation } from '../../../stubwright/src/document/definition.ts';
import { escapeToken } from '../../../stubwright/src/document/pointer.ts';
import type { LoadedContract } from '../../../stubwright/src/loading/load.ts';
import type { Change } from './change.ts';
import { Context, type Pair, type Site } from './context.ts';
import { compareOperation, titleOf } from './operation.ts';
import { compareSchemes } from './security.ts';
import { compareWebhooks } from './webhooks.ts';
import { became, canonical, without } from './words.ts';

const WHOLE: Site = { operation: undefined, part: '', direction: 'request' };

/**
 * Lists what changed between two contracts, for clients that were made for the first.
 *
 * @param before the released contract
 * @param after the contract that is to take its place
 * @returns every change once, the breaking ones first; places are JSON pointers into the documents
 */
export function changesBetween(
  { definition: before }: Pick<LoadedContract, 'definition'>,
  { definition: after }: Pick<LoadedContract, 'definition'>,
): Change[] {
  const context = new Context(before, after);
  compareDocuments(context);
  compareOperations(context);
  return context.changes.sorted();
}

function compareOperations(context: Context): void {
  const { before, after } = context;
  const was = byRoute(before);
  const is = byRoute(after);
  const added = new Map([...is].filter(([route]) => !was.has(route)));
  for (const [route, operation] of was) {
    const same = is.get(route);
    if (same !== undefined) {
      compareOperation(context, operation, same);
      continue;
    }
    const [newRoute, moved] =
      [...added].find(([, each]) => hasIdOf(each, operation)) ?? ([undefined, undefined] as const);
    if (newRoute !== undefined) added.delete(newRoute);
    gone(context, operation, moved);
    if (moved !== undefined) compareOperation(context, operation, moved);
  }
  for (const operation of added.values()) {
    context.tell(
      { ...WHOLE, operation: titleOf(operation) },
      { verdict: 'compatible', what: 'the operation was added', effect: 'Clients may call it.' },
      before.document.paths === undefined ? '' : '/paths',
      operation.place.pointer,
    );
  }
}

/** Operations by method and path; what a path calls its parameters is not sent. */
function byRoute({ operations }: Definition): Map<string, Operation> {
  return new Map(operations.map((each) => [`${each.method} ${routeOf(each)}`, each]));
}

function routeOf({ path }: Operation): string {
  return path.replace(/\{[^{}]*\}/g, '{}');
}

function hasIdOf(operation: Operation, other: Operation): boolean {
  const id: unknown = other.place.node.operationId;
  return id !== undefined && operation.place.node.operationId === id;
}

function gone(context: Context, operation: Operation, moved?: Operation): void {
  const { after } = context;
  const isPathGone = !after.operations.some((each) => routeOf(each) === routeOf(operation));
  const what =
    moved !== undefined
      ? `the operation moved to ${titleOf(moved)}`
      : `the ${isPathGone ? 'path' : 'method'} was removed`;
  const path = `/paths/${escapeToken(operation.path)}`;
  context.tell(
    { ...WHOLE, operation: titleOf(operation) },
    {
      verdict: 'breaking',
      what,
      effect: `Clients that call it get ${isPathGone ? 404 : 405}.`,
    },
    operation.place.pointer,
    moved?.place.pointer ?? (after.at(path) === undefined ? '/paths' : path),
  );
}

function compareDocuments(context: Context): void {
  const { before, after } = context;
  const documents: Pair = {
    before: { pointer: '', node: before.document },
    after: { pointer: '', node: after.document },
  };
  compareVersions(context);
  compareServers(context);
  compareSchemes(context, WHOLE);
  compareSchemaNames(context);
  compareWebhooks(context, WHOLE, documents);
  context.documentation(WHOLE, documents, ['tags', 'externalDocs']);
  const infos = { before: before.at('/info'), after: after.at('/info') };
  if (infos.before === undefined || infos.after === undefined) return;
  context.documentation(WHOLE, infos as Pair, [
    ...['title', 'summary', 'description', 'contact', 'license', 'termsOfService'],
  ]);
}

function compareVersions(context: Context): void {
  const [was, is] = [context.before, context.after].map(({ document }) => document);
  if (was!.info?.version !== is!.info?.version) {
    const what = became('info.version', was!.info?.version, is!.info?.version);
    const effect = 'Clients are told which contract they meet.';
    const at = '/info/version';
    context.tell(WHOLE, { verdict: 'compatible', what, effect }, at, at);
  }
  const [old, now] = [was, is].map((each) => String(each!.openapi).split('.', 2).join('.'));
  if (old === now) return;
  const what = became('openapi', old, now);
  const effect = 'A generator that cannot read the other version of OpenAPI fails.';
  context.tell(WHOLE, { verdict: 'risky', what, effect }, '/openapi', '/openapi');
}

/** Paths of servers are the operations' business; here it is the hosts. */
function compareServers(context: Context): void {
  const urls = ({ document }: Definition): string[] =>
    (document.servers ?? [{ url: '/' }]).map(({ url }: { url: unknown }) => String(url));
  const [was, is] = [urls(context.before), urls(context.after)];
  if (canonical(was) === canonical(is)) {
    const documents = [context.before, context.after].map(({ document }) => ({
      pointer: '',
      node: document,
    }));
    context.documentation(WHOLE, { before: documents[0]!, after: documents[1]! }, ['servers']);
  }
  for (const url of without(was, is)) {
    const what = `the server ${url} was removed`;
    const effect = 'Clients that have its address in them reach nobody.';
    context.tell(WHOLE, { verdict: 'breaking', what, effect }, '/servers', '/servers');
  }
  for (const url of without(is, was)) {
    const what = `the server ${url} was added`;
    const effect = 'Clients may call it there.';
    context.tell(WHOLE, { verdict: 'compatible', what, effect }, '/servers', '/servers');
  }
}

/** SDKs name their types after the schemas of the components. */
function compareSchemaNames(context: Context): void {
  const was = context.before.at('/components/schemas')?.node ?? {};
  const is = context.after.at('/components/schemas')?.node ?? {};
  const place = (name: string) => `/components/schemas/${escapeToken(name)}`;
  const [gone, come] = [
    without(Object.keys(was), Object.keys(is)),
    without(Object.keys(is), Object.keys(was)),
  ];
  for (const name of gone) {
    const renamed = come.find((each) => canonical(is[each]) === canonical(was[name]));
    const what =
      renamed === undefined
        ? `the schema ${name} was removed`
        : `the schema ${name} became ${renamed}`;
    const effect = `The request stays; SDKs lose their type ${name}.`;
    const after = renamed === undefined ? '/components/schemas' : place(renamed);
    context.tell(WHOLE, { verdict: 'risky', what, effect }, place(name), after);
  }
  for (const name of come) {
    if (gone.some((each) => canonical(was[each]) === canonical(is[name]))) continue;
    const telling = {
      verdict: 'compatible',
      what: `the schema ${name} was added`,
      effect: 'SDKs gain a type.',
    } as const;
    context.tell(WHOLE, telling, '/components/schemas', place(name));
  }
}
