// Lints a contract: its examples, and the rules of redocly.yaml if the project has one.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Contract, ContractErrors, type Finding } from '@stubwright/contract';
import { positionText } from '@stubwright/contract/printable';
import type { Access } from '../loading/containment.ts';
import { ContractFiles, type SourceFile } from '../loading/files.ts';
import { loadContractFiles } from '../loading/load.ts';
import { exampleErrors } from './examples.ts';
import type { RuleProblem } from './redoclyRules.ts';

const CONFIG = 'redocly.yaml';

interface LintOptions extends Access {
  /** Of violations of the specification: replaces the rules of `redocly.yaml`, which are not read. */
  readonly structLevel?: Finding['level'];
}

/**
 * Lints a contract, in one file or many. Without `redocly.yaml` in the working directory, invalid examples are warnings.
 *
 * @param path of the contract
 * @returns the findings, sorted by location; only the errors of a contract that does not load
 * @throws {Error} with one line if the configuration cannot be loaded
 */
export async function lintContract(
  path: string,
  options?: LintOptions,
): Promise<readonly Finding[]> {
  try {
    const files = new ContractFiles(path, options);
    const { definition } = await loadContractFiles(path, { ...options, files });
    return (await lintDefinition(definition, { ...options, files })).findings;
  } catch (error) {
    if (error instanceof ContractErrors) return contractErrors(error);
    throw error;
  }
}

export function contractErrors({ located }: ContractErrors): Finding[] {
  return located.map((error) => ({ level: 'error', rule: 'contract', ...error }));
}

interface Linted {
  /** Sorted by location. */
  readonly findings: readonly Finding[];
  /** The level of violations of the specification that do not prevent serving: the rule `struct`. */
  readonly structLevel: Finding['level'];
}

/** Lints a contract that is loaded from the files; the other parameters are those of `lintContract`. */
export async function lintDefinition(
  definition: Contract,
  { structLevel, files, cwd = '' }: LintOptions & { readonly files: ContractFiles },
): Promise<Linted> {
  const hasRules = existsSync(resolve(cwd, CONFIG));
  const root = (await files.read(files.root)) as SourceFile;
  const examples = exampleErrors(definition).map(({ rule, pointer, message }): RuleProblem => {
    const at = files.originOf(pointer, root);
    return { rule, message, ...at, severity: 'warn', isKey: false };
  });
  if (structLevel !== undefined || !hasRules) {
    return { findings: findingsOf(examples, files), structLevel: structLevel ?? 'warning' };
  }
  const { problems, severityOf } = await rulesOf(definition, files, cwd);
  const own = examples.map((example) => ({
    ...example,
    severity: severityOf(example.rule, example),
  }));
  const isError = severityOf('struct', { file: root, pointer: '' }) === 'error';
  return {
    findings: findingsOf([...problems, ...own], files),
    structLevel: isError ? 'error' : 'warning',
  };
}

/** Few projects have rules: Redocly is a peer dependency. */
async function rulesOf({ document }: Contract, files: ContractFiles, cwd: string) {
  const redocly = await import('@redocly/openapi-core').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return {};
  });
  // openapi-typescript has version 1, which a package manager may install in its place.
  if (!('Oas3_2Types' in redocly)) {
    const install = 'npm install --save-dev @redocly/openapi-core@2';
    throw new Error(`${CONFIG}  the rules need a package that is not installed: ${install}`);
  }
  const { applyRules } = await import('./redoclyRules.ts');
  return applyRules(files, document, resolve(cwd, CONFIG));
}

function findingsOf(problems: readonly RuleProblem[], files: ContractFiles): Finding[] {
  const findings = problems
    .filter(({ severity }) => severity !== 'off')
    .map(({ file, pointer, isKey, rule, severity, message }): Finding & Placed => {
      const position = files.position(file, pointer, isKey);
      return { level: severity === 'error' ? 'error' : 'warning', rule, message, position };
    });
  const unique = new Map(
    findings.map((finding) => [
      `${positionText(finding.position)} ${finding.rule} ${finding.message}`,
      finding,
    ]),
  );
  return [...unique.values()].sort(
    ({ position: a }, { position: b }) =>
      a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column,
  );
}

interface Placed {
  readonly position: NonNullable<Finding['position']>;
}
