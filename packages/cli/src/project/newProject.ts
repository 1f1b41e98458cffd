// A new project for a contract: its files, written at once.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { contractFromBundle } from '@stubwright/contract';
import { filesOf } from '../loading/checkContract.ts';
import { type Access, memoryTree } from '../loading/containment.ts';
import { bundleOf } from '../loading/load.ts';
import { generateIn } from './generated.ts';
import { type Entry, indexText } from './handlerIndex.ts';
import { CONTRACT } from './layout.ts';
import {
  entriesFor,
  HANDLERS,
  handlerPath,
  handlerText,
  type MockResult,
  mockResults,
  testPath,
  testText,
} from './operationFiles.ts';
import { type Manager, workplaceOf } from './packageManager.ts';
import { projectFiles, type TargetName } from './projectFiles.ts';
import { type StoredOperation, type StoreName, storingHandler } from './storeFiles.ts';
import { templatePaths } from './templates.ts';
import { RUNNERS, type RunnerName } from './testRunner.ts';

export interface ProjectOptions extends Access {
  /** Of the command: how npm was called. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** By default the one of the workspace, else the one that runs the command. */
  readonly packageManager?: Manager | undefined;
  readonly test?: RunnerName | undefined;
  readonly store?: StoreName | undefined;
  readonly target?: TargetName | undefined;
}

/** @param folder of the project; a contract that is its openapi.yaml stays @throws {ContractErrors} */
export async function newProject(
  path: string,
  folder: string,
  {
    env = {},
    packageManager,
    test = 'node',
    store: storeName,
    target,
    ...access
  }: ProjectOptions = {},
) {
  const cwd = access.cwd ?? '';
  const isInPlace = resolve(cwd, path) === resolve(cwd, folder, CONTRACT);
  const templates = templatePaths();
  const source = isInPlace
    ? new Map<string, string>()
    : await contractSource(path, {
        ...access,
        isTaken: (file) => templates.has(file) || OWN.test(file),
      });
  const { files: generated, bundle } = isInPlace
    ? await generateIn(folder, CONTRACT, access)
    : await generateIn(folder, CONTRACT, {
        cwd,
        sources: memoryTree(resolve(cwd, folder), source),
      }).catch(async (error) => {
        // Lists the errors with the paths of the given files.
        await bundleOf(path, folder, access);
        throw error;
      });
  const publish = () => Promise.resolve(bundle.yaml);
  const loaded = contractFromBundle(CONTRACT, bundle, publish, { isMocked: false });
  const { operations } = loaded.definition;
  const entries = entriesFor(
    operations.map(({ operationId }) => operationId),
    [],
    new Map(),
  );
  const results = await mockResults(
    loaded,
    entries.map(({ operationId }) => operationId),
  );
  const workplace = workplaceOf(resolve(cwd, folder), env, packageManager);
  const {
    files: others,
    leftOut,
    store,
  } = projectFiles(loaded.definition, entries[0], {
    ...{ workplace, env, test, store: storeName, target },
    has: (file) => existsSync(resolve(cwd, folder, file)),
  });
  const { module } = RUNNERS[test];
  const files = new Map<string, string | Buffer>([
    ...source,
    ...generated,
    ...others,
    [`${HANDLERS}/index.ts`, indexText(entries)],
    ...entries.map((entry) => handlerOf(entry, store?.operation)),
    ...entries.map(
      (entry, at) => [testPath(entry.name), testText(entry, results[at]!, module)] as const,
    ),
  ]);
  const untested = entries.flatMap(({ operationId, name }, at) =>
    reasonOf(results[at]!, `${testPath(name)}: ${operationId}`),
  );
  const notes = [...untested, ...leftOut, ...(store?.notes ?? [])];
  return { files, operations: entries.length, notes, workplace };
}

function handlerOf(entry: Entry, stored: StoredOperation | undefined): [string, string] {
  return stored?.operationId === entry.operationId
    ? storingHandler(stored, entry.name)
    : [handlerPath(entry.name), handlerText(entry)];
}

/** Paths that depend on the operations. */
const OWN = /^(?:generated|migrations|src|test)\//;

function reasonOf(result: MockResult, where: string): string[] {
  return 'reason' in result ? [`${where}: ${result.reason}`] : [];
}

/**
 * @param path of the contract
 * @param options `isTaken` is true for a path that the project uses for another file
 * @returns openapi.yaml, and the other files at their paths relative to it; or one bundled openapi.yaml
 *   for JSON, and for files that cannot keep their relative paths
 * @throws {ContractErrors} for files that cannot be read
 */
async function contractSource(
  path: string,
  { isTaken, ...access }: Access & { readonly isTaken: (path: string) => boolean },
): Promise<Map<string, string | Buffer>> {
  const main = resolve(access.cwd ?? '', path);
  const found = await filesOf(path, access).catch(async (error) => {
    // Lists all errors of the contract.
    await bundleOf(path, dirname(main), access);
    throw error;
  });
  const others = found
    .filter((file) => file !== main)
    .map((file) => relative(dirname(main), file).replaceAll('\\', '/'));
  const texts = await Promise.all(others.map((file) => readFile(resolve(dirname(main), file))));
  const name = basename(main);
  const isKept = (file: string, at: number) =>
    !file.startsWith('../') &&
    relative(dirname(main), resolve(dirname(main), file)) !== CONTRACT &&
    !isTaken(file) &&
    // A reference to the first file, whose name changes.
    (name === CONTRACT || !texts[at]!.includes(name));
  if (/\.json$/i.test(main) || !others.every(isKept)) {
    const { yaml } = await bundleOf(path, dirname(main), access);
    return new Map([[CONTRACT, yaml.text]]);
  }
  return new Map([
    [CONTRACT, await readFile(main)],
    ...others.map((file, at) => [file, texts[at]!] as const),
  ]);
}
