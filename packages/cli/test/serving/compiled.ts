// Compiles the generated types of a served version with the converters of an application, in memory.
import { resolve } from 'node:path';
import { Contract, isObject } from '@stubwright/contract';
import ts from 'typescript';
import { parseText } from '../../src/loading/parse.ts';
import { versionTypes } from '../../src/serving/versionTypes.ts';

/** A folder of the repository, from which the packages are found; nothing is written. */
const FOLDER = resolve('packages/cli/test/serving/project');
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts'],
  module: ts.ModuleKind.NodeNext,
  types: ['node'],
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

export interface CompileError {
  /** Relative to the project. */
  readonly file: string;
  /** The first line of the message. */
  readonly message: string;
}

export function contractOf(text: string): Contract {
  const { value } = parseText(text, false) as { value: unknown };
  if (!isObject(value)) throw new Error(`expected a contract, got ${text}`);
  return new Contract(value);
}

const parsed = new Map<string, ts.SourceFile | undefined>();

/** @param files texts by path in the project */
export function programOf(files: ReadonlyMap<string, string>): ts.Program {
  const own = new Map([...files].map(([path, text]) => [resolve(FOLDER, path), text]));
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => own.has(path) || fileExists(path);
  host.readFile = (path) => own.get(path) ?? readFile(path);
  host.directoryExists = undefined as never;
  host.getSourceFile = (path, version, ...rest) => {
    const text = own.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, version, true);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, version, ...rest));
    return parsed.get(path);
  };
  return ts.createProgram([...own.keys()], OPTIONS, host);
}

/** @returns the errors in the files of the project, in the order of `tsc` */
export function compileErrors(files: ReadonlyMap<string, string>): CompileError[] {
  const program = programOf(files);
  return ts.sortAndDeduplicateDiagnostics(ts.getPreEmitDiagnostics(program)).map((each) => ({
    file: each.file === undefined ? '' : each.file.fileName.slice(FOLDER.length + 1),
    message: ts.flattenDiagnosticMessageText(each.messageText, '\n').split('\n')[0]!,
  }));
}

/**
 * @param variants of the object literal in `src/versions/<name>.ts`, by name
 * @returns the errors of each, in the order of `tsc`: one compilation is as slow as another
 */
export function errorsByVariant(
  { older, newer }: { readonly older: string; readonly newer: string },
  variants: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly CompileError[]> {
  const contracts = { older: contractOf(older), newer: contractOf(newer) };
  const names = [...variants.keys()];
  const modules = names.map((name, at) => {
    const source = `import type { Converters } from '../../generated/versions/types.ts';
export const converters = ${variants.get(name)} satisfies Converters;
`;
    return [`src/versions/${at}.ts`, source] as const;
  });
  const { text } = versionTypes({ version: '1.4.0', ...contracts });
  const errors = compileErrors(new Map([['generated/versions/types.ts', text], ...modules]));
  const all = Map.groupBy(errors, ({ file }) => /(\d+)\.ts$/.exec(file)?.[1] ?? '');
  const others = all.get('') ?? [];
  return new Map(names.map((name, at) => [name, [...others, ...(all.get(String(at)) ?? [])]]));
}
