// Lints a contract: the rules of redocly.yaml, and its examples.
import { dirname, join, relative, resolve } from 'node:path';
import {
  BaseResolver,
  type Document,
  getLineColLocation,
  lint,
  loadConfig,
  type Source,
} from '@redocly/openapi-core';
import { ContractErrors } from 'stubwright/internal/document/definition';
import { loadContract } from '../loading/load.ts';
import { exampleErrors } from './examples.ts';

interface Finding {
  readonly source: Source;
  readonly pointer: string;
  readonly reportOnKey: boolean;
  /** `message  (rule)`. */
  readonly text: string;
}

/**
 * Lints a contract, in one file or many.
 *
 * @param path of the contract
 * @param configPath of the rules
 * @returns a line for each finding, `file:line:column  message  (rule)`, sorted by location; only the
 *   errors of a contract that does not load
 */
export async function lintContract(path: string, configPath = 'redocly.yaml'): Promise<string[]> {
  try {
    const findings = [...(await ruleFindings(path, configPath)), ...(await exampleFindings(path))];
    return sortedLines(findings, path);
  } catch (error) {
    if (error instanceof ContractErrors) return [...error.errors];
    throw error;
  }
}

async function ruleFindings(path: string, configPath: string): Promise<Finding[]> {
  const config = await loadConfig({ configPath: resolve(configPath) });
  const problems = await lint({ ref: resolve(path), config });
  return problems.map(({ location: [at], message, ruleId }) => {
    const { source, pointer = '#/', reportOnKey = false } = at!;
    return { source, pointer, reportOnKey, text: `${message}  (${ruleId})` };
  });
}

/** In a contract of several files, reports an example at the `$ref` in the root file. */
async function exampleFindings(path: string): Promise<Finding[]> {
  const { definition } = await loadContract(path);
  const errors = exampleErrors(definition);
  if (errors.length === 0) return [];
  // The declared return type includes Error, but resolveDocument throws it.
  const { source } = (await new BaseResolver().resolveDocument(null, resolve(path))) as Document;
  return errors.map(({ pointer, message }) => {
    return { source, pointer: `#${pointer}`, reportOnKey: false, text: `${message}  (examples)` };
  });
}

function sortedLines(findings: readonly Finding[], path: string): string[] {
  const shown = (file: string) => join(dirname(path), relative(dirname(resolve(path)), file));
  const lines = findings.map(({ text, ...at }) => {
    const { start } = getLineColLocation(at);
    return { file: shown(at.source.absoluteRef), line: start.line, column: start.col, text };
  });
  lines.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);
  return [
    ...new Set(lines.map((each) => `${each.file}:${each.line}:${each.column}  ${each.text}`)),
  ];
}
