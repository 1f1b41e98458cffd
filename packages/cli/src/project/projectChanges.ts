// What a changed contract adds to the handlers and tests of a project.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Bundle, contractFromBundle } from '@stubwright/contract';
import { type Entry, HEADER, indexEntriesOf, indexText, operationsIn } from './handlerIndex.ts';
import { commentOf } from './names.ts';
import {
  entriesFor,
  HANDLERS,
  handlerPath,
  handlerText,
  type MockResult,
  mockResults,
  operationIn,
  testPath,
  testText,
} from './operationFiles.ts';
import { runnerIn } from './testRunner.ts';

interface ProjectChanges {
  /** Texts by path: new handlers and tests, and the index if it differs. */
  readonly files: ReadonlyMap<string, string>;
  /** One line for each step that is left to do. */
  readonly todo: readonly string[];
  /** One line for each handler or test whose operation is gone. */
  readonly gone: readonly string[];
}

const INDEX = `${HANDLERS}/index.ts`;
const CLIENT = 'test/support/client.ts';
const NONE: ProjectChanges = { files: new Map(), todo: [], gone: [] };

/** @returns no changes for a project whose src/handlers/index.ts does not start with {@link HEADER} */
export async function projectChanges(bundle: Bundle, cwd = ''): Promise<ProjectChanges> {
  const exists = (path: string) => existsSync(join(cwd, path));
  const text = exists(INDEX) ? readFileSync(join(cwd, INDEX), 'utf8') : '';
  if (!text.startsWith(HEADER)) return NONE;
  const publish = () => Promise.resolve(bundle.yaml);
  const loaded = contractFromBundle('', bundle, publish, { isMocked: false });
  const operationIds = loaded.definition.operations.map(({ operationId }) => operationId);
  const handlers = handlersIn(HANDLERS, cwd);
  const known = indexEntriesOf(text);
  const entries = entriesFor(operationIds, known ?? [], handlers);
  const listed = known === undefined ? operationsIn(text) : new Set<string>();
  const added = entries.filter(
    ({ operationId, name }) => !listed.has(operationId) && !exists(handlerPath(name)),
  );
  const tested = added.filter(({ name }) => exists(CLIENT) && !exists(testPath(name)));
  const results = await mockResults(
    loaded,
    tested.map(({ operationId }) => operationId),
  );
  const client = exists(CLIENT) ? readFileSync(join(cwd, CLIENT), 'utf8') : '';
  const runner = runnerIn(client);
  // A project of an earlier version has no expectRefused.
  const resultAt = (at: number): MockResult => {
    return client.includes('expectRefused') ? results[at]! : { ...results[at]!, refusals: [] };
  };
  const files = new Map([
    ...added.map((entry) => [handlerPath(entry.name), handlerText(entry)] as const),
    ...tested.map(
      (entry, at) => [testPath(entry.name), testText(entry, resultAt(at), runner)] as const,
    ),
  ]);
  if (known !== undefined && !areSame(known, entries)) files.set(INDEX, indexText(entries));
  return {
    files,
    todo: known === undefined ? editsOf(entries, listed) : [],
    gone: goneIn(handlers, entries, exists),
  };
}

function handlersIn(folder: string, cwd: string): Map<string, string> {
  const names = readdirSync(join(cwd, folder)).filter(
    (name) => name.endsWith('.ts') && name !== 'index.ts',
  );
  const paths = names.map((name) => `${folder}/${name}`);
  return new Map(paths.map((path) => [path, readFileSync(join(cwd, path), 'utf8')]));
}

function areSame(known: readonly Entry[], entries: readonly Entry[]): boolean {
  const names = new Map(known.map(({ operationId, name }) => [operationId, name]));
  return (
    known.length === entries.length &&
    entries.every(({ operationId, name }) => names.get(operationId) === name)
  );
}

/** For an index with own content, which is not overwritten. */
function editsOf(entries: readonly Entry[], listed: ReadonlySet<string>): string[] {
  const current = new Set(entries.map(({ operationId }) => operationId));
  const missing = entries.filter(({ operationId }) => !listed.has(operationId));
  const surplus = [...listed].filter((operationId) => !current.has(operationId));
  return [
    ...missing.map(({ operationId, name }) => {
      return `${INDEX}: got no ${commentOf(operationId)}, expected ${name} of ./${name}.ts`;
    }),
    ...surplus.map((operationId) => {
      return `${INDEX}: got ${commentOf(operationId)}, expected only operations of the contract`;
    }),
  ];
}

function goneIn(
  handlers: ReadonlyMap<string, string>,
  entries: readonly Entry[],
  exists: (path: string) => boolean,
): string[] {
  const current = new Set(entries.map(({ name }) => handlerPath(name)));
  return [...handlers].flatMap(([path, text]) => {
    const operation = operationIn(text);
    if (operation === undefined || current.has(path)) return [];
    const test = testPath(basename(path, '.ts'));
    const line = (file: string) => `${file}: the contract has no operation ${operation}`;
    return [line(path), ...(exists(test) ? [line(test)] : [])];
  });
}
