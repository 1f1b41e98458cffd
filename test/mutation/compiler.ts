// Whether the compiler accepts a mutant: one that it rejects cannot be merged, so no test has to notice it.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import type { Mutant } from './mutants.ts';

/** "declared but never used": the fault itself may be acceptable. */
const UNUSED = [6133, 6192, 6196, 6198];

/** @returns a check of one mutant after the other; the first takes as long as `tsc` */
export function mutantChecker(): (mutant: Mutant) => boolean {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const changed = new Map<string, { readonly version: number; readonly text: string }>();
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (file) => String(changed.get(resolve(file))?.version ?? 0),
    getScriptSnapshot: (file) => {
      const text = changed.get(resolve(file))?.text ?? ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => resolve('.'),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: (path) => ts.sys.realpath?.(path) ?? path,
  });
  let version = 0;
  return (mutant) => {
    const file = resolve(mutant.file);
    const text = readFileSync(file, 'utf8');
    version += 1;
    changed.set(file, { version, text: mutated(text, mutant) });
    const errors = service.getSemanticDiagnostics(file);
    version += 1;
    changed.set(file, { version, text });
    return errors.every(({ code }) => UNUSED.includes(code));
  };
}

/** @returns the text of the source with the fault */
export function mutated(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
