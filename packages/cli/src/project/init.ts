// A new project for a contract: its files, written at once.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { contractFromBundle, type Definition } from 'stubwright/contract';
import type { Access } from '../loading/containment.ts';
import { bundleOf } from '../loading/load.ts';
import { memoryTree } from '../loading/sources/tree.ts';
import { contractSource } from './contractSource.ts';
import { generateIn } from './generated.ts';
import { indexText } from './handlerIndex.ts';
import { CONTRACT } from './layout.ts';
import { mockResults } from './mockResults.ts';
import { literal } from './names.ts';
import {
  entriesFor,
  HANDLERS,
  handlerPath,
  handlerText,
  type MockResult,
  testPath,
  testText,
} from './operationFiles.ts';
import { projectTemplates, templatePaths, type Values } from './templates.ts';

export interface Project {
  /** Contents by path. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  readonly operations: number;
  /** One line for each operation that has no test yet, with the reason. */
  readonly untested: readonly string[];
}

/**
 * Creates the files of a project in memory.
 *
 * @param path of the contract
 * @param folder of the project; a contract that is its openapi.yaml stays
 * @throws {ContractErrors} for an invalid contract
 */
export async function newProject(path: string, folder: string, access?: Access): Promise<Project> {
  const cwd = access?.cwd ?? '';
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
  const files = new Map<string, string | Buffer>([
    ...source,
    ...generated,
    ...projectTemplates(valuesOf(loaded.definition, entries[0])),
    [`${HANDLERS}/index.ts`, indexText(entries)],
    ...entries.map((entry) => [handlerPath(entry.name), handlerText(entry)] as const),
    ...entries.map((entry, at) => [testPath(entry.name), testText(entry, results[at]!)] as const),
  ]);
  const untested = entries.flatMap(({ operationId, name }, at) =>
    reasonOf(results[at]!, `${testPath(name)}: ${operationId}`),
  );
  return { files, operations: entries.length, untested };
}

/** Paths that depend on the operations. */
const OWN = /^(?:generated|src|test)\//;

function reasonOf(result: MockResult, where: string): string[] {
  return typeof result === 'object' ? [`${where}: ${result.reason}`] : [];
}

function valuesOf(
  definition: Definition,
  first: { readonly operationId: string; readonly name: string } | undefined,
): Values {
  const title = String(definition.document.info?.title ?? 'Service')
    .replace(/\s+/g, ' ')
    .trim();
  const own = manifestAt(new URL('../../package.json', import.meta.url));
  const runtime = manifestAt(createRequire(import.meta.url).resolve('stubwright/package.json'));
  const schemes = [
    ...new Set(definition.operations.flatMap(({ security }) => security.flatMap(Object.keys))),
  ];
  const verifiers = schemes.filter((name) => definition.securitySchemes.has(name));
  return {
    ...runtime.peerDependencies,
    typescript: own.dependencies['typescript']!,
    stubwright: `^${runtime.version}`,
    cli: `^${own.version}`,
    name: packageName(title),
    title,
    verifiers: verifiersText(verifiers),
    handler: first?.name ?? 'operation',
    operationId: literal(first?.operationId ?? 'operation'),
  };
}

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

function manifestAt(path: string | URL): Manifest {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** https://docs.npmjs.com/cli/configuring-npm/package-json#name */
function packageName(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['service'];
  return words.join('-').slice(0, 100);
}

function verifiersText(schemes: readonly string[]): string {
  if (schemes.length === 0) return '() => ({})';
  const keys = schemes.map((name) => {
    if (name === '__proto__') return "['__proto__']";
    return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
  });
  return `(verify) => ({ ${keys.map((key) => `${key}: verify`).join(', ')} })`;
}
