// Lints a contract: the rules of redocly.yaml, and its examples.

import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import {
  BaseResolver,
  type Config,
  type Document,
  detectSpec,
  lint,
  lintConfig,
  loadConfig,
  type NormalizedProblem,
  type Source,
  YamlParseError,
} from '@redocly/openapi-core';
import {
  type Contract,
  ContractErrors,
  compilePattern,
  type Finding,
  isObject,
  type Node,
} from '@stubwright/contract';
import { positionText } from '@stubwright/contract/printable';
import type { Access } from '../loading/containment.ts';
import { withoutFalseProblems } from '../loading/falseProblems.ts';
import { ContractFiles } from '../loading/files.ts';
import { loadContractFiles } from '../loading/load.ts';
import { connectedTypesPlugin, typesPlugin } from '../loading/nodeTypes.ts';
import { positionIn } from '../loading/position.ts';
import { versionProblem } from '../loading/version.ts';
import { linearTest } from '../patterns/linearPattern.ts';
import { exampleErrors } from './examples.ts';

type Problem = Pick<NormalizedProblem, 'ruleId' | 'severity' | 'message' | 'location'>;

const CONFIG = 'redocly.yaml';

interface LintInput {
  /** As findings show it. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
}

export interface LintOptions extends Access {
  /**
   * The path of the rules, with `.redocly.lint-ignore.yaml` in its folder; by default `redocly.yaml` of the
   * working directory, or Redocly's `recommended` if there is none.
   */
  readonly configPath?: string;
}

/**
 * Lints a contract, in one file or many.
 *
 * @param path of the contract
 * @returns the findings, sorted by location; only the errors of a contract that does not load
 * @throws {Error} with one line if the configuration cannot be loaded
 */
export async function lintContract(path: string, options?: LintOptions): Promise<Finding[]> {
  try {
    const files = new ContractFiles(path, options);
    const { definition } = await loadContractFiles(path, { ...options, files });
    return await lintDefinition(path, definition, { ...options, files });
  } catch (error) {
    if (error instanceof ContractErrors) return contractErrors(error);
    throw error;
  }
}

export function contractErrors({ located }: ContractErrors): Finding[] {
  return located.map((each) => ({ level: 'error', rule: 'contract', ...each }));
}

/** Lints a contract that is loaded from the files; the other parameters are those of `lintContract`. */
export async function lintDefinition(
  path: string,
  definition: Contract,
  { configPath, files, ...access }: LintOptions & { readonly files: ContractFiles },
): Promise<Finding[]> {
  const { cwd = '' } = access;
  const contract = { path, file: resolve(cwd, path) };
  const rules = configPath ?? (existsSync(resolve(cwd, CONFIG)) ? CONFIG : undefined);
  const config = await configOf(contract, rules, cwd, files);
  try {
    const problems = [
      ...(config.document === undefined ? [] : await lintConfig({ config, severity: 'warn' })),
      ...(await ruleProblems(contract, config, definition, { ...access, files })),
    ];
    // Without a configuration the rules are suggestions: a contract may violate them.
    const suggested = problems.map((each) => ({ ...each, severity: 'warn' as const }));
    return findingsOf(rules === undefined ? suggested : problems, contract);
  } catch (error) {
    if (error instanceof YamlParseError) return [syntaxFinding(error, contract)];
    throw error;
  }
}

/** The loader accepts some invalid YAML with a warning; Redocly does not. */
function syntaxFinding(
  { originalError, source, line, col }: YamlParseError,
  contract: LintInput,
): Finding {
  const { reason, message } = originalError as Error & { reason?: string };
  const position = { file: shownFrom(contract)(source.absoluteRef), line, column: col };
  return { level: 'error', rule: 'struct', message: reason ?? message, position };
}

/** @returns how a file is written in findings: relative to the folder of the contract */
function shownFrom({ path, file: root }: LintInput): (file: string) => string {
  return (file) => join(dirname(path), relative(dirname(root), file));
}

const EVERY_STRING = '';

/**
 * Replaces each pattern that V8 may not test in linear time; `exampleErrors` validates the same examples.
 * Removes properties named `hasOwnProperty`, which Redocly calls.
 */
function withoutHazards(document: unknown): void {
  const seen = new Set<unknown>();
  for (const pending = [document]; pending.length > 0; ) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    const { pattern, patternProperties, properties } = node as Node;
    if (isObject(properties)) Reflect.deleteProperty(properties, 'hasOwnProperty');
    if (typeof pattern === 'string' && isSlow(pattern)) (node as Node).pattern = EVERY_STRING;
    if (isObject(patternProperties) && Object.keys(patternProperties).some(isSlow)) {
      delete (node as Node).patternProperties;
    }
    pending.push(...Object.values(node));
  }
}

function isSlow(pattern: string): boolean {
  const expression = compilePattern(pattern);
  return expression !== undefined && linearTest(expression) !== expression;
}

/** The files of the contract, as Redocly parses them. */
class LintedFiles extends ContractFiles {
  /** Redocly validates examples with V8, which may backtrack without end. */
  override parseDocument(source: Source, isRoot = false): Document {
    const document = BaseResolver.prototype.parseDocument.call(this, source, isRoot);
    withoutHazards(document.parsed);
    if (isRoot) versionProblem(document.parsed);
    this.readIdentifiers(document);
    return document;
  }
}

/** The configuration of the contract: of its entry in `apis`, if there is one. */
async function configOf(
  { file }: LintInput,
  configPath: string | undefined,
  cwd: string,
  { isConnected }: ContractFiles,
): Promise<Config> {
  const at = configPath === undefined ? '' : resolve(cwd, configPath);
  try {
    const config = await loadConfig({ configPath: at });
    const apis = Object.entries(config.resolvedConfig.apis ?? {});
    config.plugins.push(isConnected ? connectedTypesPlugin : typesPlugin);
    const isContract = ([, api]: (typeof apis)[number]) => resolve(dirname(at), api.root) === file;
    const own = config.forAlias(apis.find(isContract)?.[0]);
    // An example is data: a `$ref` in it is not a reference.
    own.doNotResolveExamples = true;
    return own;
  } catch (error) {
    const [line] = stripVTControlCharacters((error as Error).message).split('\n');
    throw new Error(`${configPath}  ${line}`);
  }
}

async function ruleProblems(
  contract: LintInput,
  config: Config,
  definition: Contract,
  { files, ...access }: Access & { readonly files: ContractFiles },
): Promise<Problem[]> {
  const externalRefResolver = new LintedFiles(contract.path, access);
  const found = await lint({ ref: contract.file, config, externalRefResolver });
  const problems = withoutFalseProblems(found, definition.document, files);
  return [...problems, ...(await exampleProblems(contract, config, definition, problems))].filter(
    (problem) => !('ignored' in problem && problem.ignored),
  );
}

/**
 * The examples that the engine rejects and Redocly accepts, such as an int64 beyond its range. In a
 * contract of several files, reports an example at the `$ref` in the root file.
 */
async function exampleProblems(
  contract: LintInput,
  config: Config,
  definition: Contract,
  known: readonly Problem[],
): Promise<NormalizedProblem[]> {
  const version = detectSpec(definition.document);
  const errors = exampleErrors(definition);
  if (errors.length === 0) return [];
  // The declared return type includes Error, but resolveDocument throws it.
  const { source } = (await new BaseResolver().resolveDocument(null, contract.file)) as Document;
  const knownAt = new Set(
    known.flatMap(({ ruleId, location: [place] }) => {
      return prefixesOf(place?.pointer ?? '').map((pointer) => `${ruleId} ${pointer}`);
    }),
  );
  return errors.flatMap(({ rule: ruleId, pointer, message }) => {
    const { severity } = config.getRuleSettings(ruleId, version);
    const at = `#${pointer}`;
    if (severity === 'off' || knownAt.has(`${ruleId} ${at}`)) return [];
    const location = [{ source, pointer: at, reportOnKey: false }];
    return [config.addProblemToIgnore({ ruleId, severity, message, location, suggest: [] })];
  });
}

/** @returns the pointer and those of the values that contain its value */
function prefixesOf(pointer: string): string[] {
  const tokens = pointer.split('/');
  return tokens.map((_, at) => tokens.slice(0, at + 1).join('/'));
}

function findingsOf(problems: readonly Problem[], contract: LintInput): Finding[] {
  const shown = shownFrom(contract);
  const findings = problems.map(({ location: [at], message, ruleId, severity }) => {
    const {
      source,
      pointer = '#/',
      reportOnKey = false,
    } = at as Partial<typeof at> & {
      source: Source;
    };
    const { line, column } = positionIn(source, pointer, reportOnKey);
    const level = severity === 'error' ? ('error' as const) : ('warning' as const);
    const position = { file: shown(source.absoluteRef), line, column };
    return { level, rule: ruleId, message, position };
  });
  const unique = new Map(
    findings.map((each) => [`${positionText(each.position)} ${each.rule} ${each.message}`, each]),
  );
  return [...unique.values()].sort(
    ({ position: a }, { position: b }) =>
      a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column,
  );
}
