// Checks the files of a contract by the table of OpenAPI objects and our rules, and bundles them.
// Checking a large contract takes seconds: load.ts imports this on demand.

import {
  type Automaton,
  Contract,
  type ContractError,
  ContractErrors,
  isObject,
  type Located,
  type Node,
  type Position,
  testInLinearTime,
  textOf,
  unescapeUri,
  unresolvedDynamicRefs,
  valueAt,
} from '@stubwright/contract';
import { defaultErrors } from '@stubwright/contract/validation';
import { linearPatterns } from '../patterns/linearPattern.ts';
import type { Bundled } from './bundleContract.ts';
import type { Access } from './containment.ts';
import { ContractFiles, type SourceFile } from './files.ts';
import { checkLimits, tooDeep } from './limits.ts';
import { cycleErrors, endlessSchemas } from './rules/cycles.ts';
import { operationsLeadingTo } from './rules/exclusions.ts';
import { names, patterns, singleObjects, statuses } from './rules/objects.ts';
import {
  operationIds,
  parametersTwice,
  querystrings,
  securityRequirements,
} from './rules/operations.ts';
import { ambiguousPaths, pathParameters, pathTemplates } from './rules/paths.ts';
import { type ContractRule, RuleContext } from './rules/rule.ts';
import {
  type Issue,
  isReference,
  issueAt,
  ReferenceResolver,
  Reporter,
  type ReportIssue,
  type Visit,
  visitAt,
} from './walk.ts';
import { ContractWalk, type Walked } from './walkContract.ts';

/** A contract whose errors, if any, affect single operations only. */
export interface Checked {
  /** Of the bundled document; each `$ref` of a defined operation starts with `#`. */
  readonly definition: Contract;
  /** As in CheckedContract. */
  readonly patterns: Readonly<Record<string, Automaton>>;
  readonly errors: readonly ContractError[];
  readonly warnings: readonly Located[];
  /** SHA-256 of each file by its absolute path. */
  readonly hashes: ReadonlyMap<string, string>;
}

/** An error or a warning with its location. */
interface Line extends Located {
  readonly position: Position;
  readonly isError: boolean;
  readonly issue?: Issue;
}

/** `pathParameters` declares parameters, which others read. */
const RULES = [
  pathTemplates,
  operationIds,
  parametersTwice,
  pathParameters,
  securityRequirements,
  patterns,
];
/** These report no errors. */
const WARNING_RULES = [ambiguousPaths, querystrings, names, singleObjects, statuses];

export interface LoaderOptions extends Access {
  /** The files of this contract; they are parsed once. */
  readonly files?: ContractFiles;
  /** True to check for errors only: `warnings` is empty. */
  readonly isWithoutWarnings?: boolean;
}

/** @throws {ContractErrors} with all errors of all files, if one of them affects the whole contract */
export async function checkContract(path: string, options: LoaderOptions = {}): Promise<Checked> {
  const { isWithoutWarnings = false, files = new ContractFiles(path, options) } = options;
  const lineOf = (issue: Issue): Line => {
    const { isError, message, code, pointer, visit, isKey } = issue;
    return { position: files.position(visit.file, pointer, isKey), message, code, isError, issue };
  };
  const root = await files.readRoot();
  if (!('value' in root)) {
    if (root.isReported) throw refusal(syntaxLines(files, true));
    const message = `${files.sources.prefix}${path}: ${root.reason}`;
    throw new ContractErrors([{ position: undefined, message }]);
  }
  const version = versionLine(files, root);
  if (version?.isError) throw refusal([version]);
  const checked = await check(files, root, isWithoutWarnings);
  if (checked.deep !== undefined) throw refusal([lineOf(checked.deep)]);
  const found = inOrder([
    ...checked.issues.map(lineOf),
    ...syntaxLines(files, true),
    ...syntaxLines(files, false),
  ]);
  const errors = found.filter(({ isError }) => isError);
  if (errors.some((line) => isOfAll(line, root))) throw refusal(errors);
  const failed = errors.map(({ issue }) => issue!);
  const scopes = operationsLeadingTo(failed, checked.context);
  const { document, origins } = await bundled(checked, root, (issue) => refusal([lineOf(issue)]));
  files.origins = origins;
  const ofOperations = errors.map((line) => ({
    ...located(line),
    operations: scopes.get(line.issue!)!,
    isMockable: line.issue!.isMockable ?? false,
    cause: line.issue!.cause,
  }));
  const positionOf = (pointer: string): Position => {
    const { file, pointer: inFile } = files.originOf(pointer, root);
    return files.position(file, inFile);
  };
  removeLostReferences(document);
  const patterns = linearPatterns(document);
  testInLinearTime(patterns);
  const withCycles = new Contract(document, ofOperations);
  const known = new Set(failed.map(placeOf));
  const cycles = cycleErrors(withCycles)
    .filter(({ pointer }) => {
      const { file, pointer: inFile } = files.originOf(pointer, root);
      return !known.has(`${file.path}#${inFile}/$ref`);
    })
    .map(({ pointer, text, operations }) => {
      return { position: positionOf(pointer), message: text, operations, isMockable: false };
    });
  const contractErrors = [...ofOperations, ...cycles];
  const definition = cycles.length === 0 ? withCycles : new Contract(document, contractErrors);
  const warnings = isWithoutWarnings
    ? []
    : [
        ...(version === undefined ? [] : [version]),
        ...inOrder([
          ...found.filter(({ isError }) => !isError),
          ...unknownMappings(checked.unknownNames, document).map(lineOf),
        ]),
        ...valueWarnings(definition, contractErrors).map(([pointer, message]) => ({
          position: positionOf(pointer),
          message,
        })),
      ];
  return {
    definition,
    patterns,
    errors: contractErrors,
    warnings: [
      ...new Map(warnings.map(located).map((warning) => [textOf(warning), warning])).values(),
    ],
    hashes: files.hashes,
  };
}

/**
 * @returns the absolute paths of the files that a contract consists of, whose errors are not reported
 * @throws {Error} for a contract that cannot be read
 */
export async function filesOf(path: string, access?: Access): Promise<string[]> {
  const files = new ContractFiles(path, access);
  if ((await modelOf(files)) === undefined) throw new Error(`cannot read ${path}`);
  return [...files.hashes.keys()];
}

/** The values of a contract with their kinds, for an editor. */
export interface ContractModel extends Walked {
  readonly root: SourceFile;
  readonly references: ReferenceResolver;
  /** The minor version of OpenAPI. */
  readonly minor: number;
}

/** @returns undefined for a contract that cannot be read; its errors are not reported */
export async function modelOf(files: ContractFiles): Promise<ContractModel | undefined> {
  const root = await files.readRoot();
  if (!('value' in root) || versionProblem(root.value)?.isError) return undefined;
  return { root, ...(await walked(files, root, () => {})) };
}

/** @param refused makes the error of a contract that is nested too deep */
async function bundled(
  { references, minor }: Findings,
  root: SourceFile,
  refused: (issue: Issue) => Error,
): Promise<Bundled> {
  if (references.isOne) return { document: root.value as Node, origins: new Map() };
  // Most contracts are one file.
  const { Bundler, NestedTooDeep } = await import('./bundleContract.ts');
  try {
    return new Bundler(root, references, minor).bundle();
  } catch (error) {
    if (!(error instanceof NestedTooDeep)) throw error;
    const { file, pointer, node } = error.location;
    const visit = visitAt(file, pointer, node, { is: 'data' });
    throw refused(issueAt(visit, tooDeep(error.limit), { code: 'limits', isError: true }));
  }
}

interface Findings {
  readonly references: ReferenceResolver;
  readonly minor: number;
  readonly context: RuleContext;
  readonly issues: readonly Issue[];
  readonly unknownNames: readonly Visit[];
  /** Beyond the limits of all contracts. */
  readonly deep: Issue | undefined;
}

async function check(
  files: ContractFiles,
  root: SourceFile,
  isWithoutWarnings: boolean,
): Promise<Findings> {
  const issues: Issue[] = [];
  const report: ReportIssue = (issue) => {
    if (issue.isError || !isWithoutWarnings) issues.push(issue);
  };
  const found = await walked(files, root, report);
  const { references, minor, unknownNames } = found;
  const deep = checkLimits(found, references, { minor, report });
  const context = new RuleContext(root, { references, minor, report });
  const rules = isWithoutWarnings ? RULES : [...RULES, ...WARNING_RULES];
  if (deep === undefined) applyRules(rules, found, context, report);
  if (references.isOne) checkDynamicReferences(root, report);
  return { references, minor, context, deep, unknownNames, issues: withoutRepetition(issues) };
}

async function walked(
  files: ContractFiles,
  root: SourceFile,
  report: ReportIssue,
): Promise<Walked & { readonly references: ReferenceResolver; readonly minor: number }> {
  const minor = Number(/^3\.(\d)/.exec(String((root.value as Node).openapi))![1]);
  const references = new ReferenceResolver(files);
  const given = { references, minor, report };
  return { references, minor, ...(await new ContractWalk(files, root, given).walk()) };
}

function applyRules(
  rules: readonly ContractRule[],
  { visits }: Walked,
  context: RuleContext,
  report: ReportIssue,
): void {
  const byType = Map.groupBy(visits, ({ kind }) => (kind.is === 'object' ? kind.of : ''));
  for (const { code, objects } of rules) {
    context.reporter = new Reporter(report, code);
    for (const [type, check] of Object.entries(objects)) {
      for (const visit of byType.get(type) ?? []) {
        if (isObject(visit.node)) check(visit.node, visit, context);
      }
    }
  }
}

/** In a contract of several files, the target may be in another one. */
function checkDynamicReferences(root: SourceFile, report: ReportIssue): void {
  if (!root.text.includes('dynamicRef')) return;
  for (const [pointer, ref] of unresolvedDynamicRefs(root.value as Node)) {
    const schema = pointer.slice(0, pointer.lastIndexOf('/'));
    const kind = { is: 'object', of: 'Schema' } as const;
    const visit = visitAt(root, schema, valueAt(root.value, schema), kind);
    const message = `$dynamicRef cannot be resolved: ${ref}  expected a $dynamicAnchor or a pointer`;
    report({ code: 'refs', isError: true, visit, pointer, message });
  }
}

/**
 * Removes external references in `x-` extensions: clients cannot resolve them, and generators of clients
 * reject them.
 */
function removeLostReferences(document: Node): void {
  const isLost = (node: unknown) => {
    if (!isReference(node)) return false;
    const { $ref } = node;
    return !$ref.startsWith('#') || valueAt(document, unescapeUri($ref.slice(1))) === undefined;
  };
  const removeIn = (node: unknown, isExtension: boolean): void => {
    if (typeof node !== 'object' || node === null) return;
    // From the end: the indexes of the items before one stay.
    for (const [name, value] of Object.entries(node).reverse()) {
      const isInside = isExtension || name.startsWith('x-');
      if (!isInside || !isLost(value)) removeIn(value, isInside);
      else if (Array.isArray(node)) node.splice(Number(name), 1);
      else delete (node as Node)[name];
    }
  };
  removeIn(document, false);
}

/** An error within these belongs to the operations that refer to it. */
const SINGLE = /^\/(?:paths|security|servers|webhooks|components\/[^/]+)\/./;

function isOfAll({ issue }: Line, root: SourceFile): boolean {
  if (issue === undefined) return true;
  return issue.visit.file === root && !SINGLE.test(issue.pointer);
}

function versionLine(files: ContractFiles, root: SourceFile): Line | undefined {
  const found = versionProblem(root.value);
  if (found === undefined) return undefined;
  const { field, isError, text } = found;
  const pointer = field === '' ? '' : `/${field}`;
  return { isError, message: text, position: files.position(root, pointer) };
}

interface VersionProblem {
  /** The field of the document; empty for the document. */
  readonly field: string;
  readonly isError: boolean;
  readonly text: string;
}

/** Completes a version without a patch level; @returns an error or a warning about it */
function versionProblem(root: unknown): VersionProblem | undefined {
  const expected = 'expected openapi: 3.0.x, 3.1.x or 3.2.x';
  const error = (field: string, what: string) => ({
    ...{ field, isError: true, text: `${what}  ${expected}` },
  });
  if (root === undefined) return error('', 'the file is empty');
  if (!isObject(root)) return error('', 'the file holds no object');
  if (root.swagger !== undefined) {
    const found = error('swagger', `swagger is ${versionText(root.swagger)}`);
    return { ...found, text: `${found.text}; the npm package swagger2openapi converts it` };
  }
  if (root.openapi === undefined) return error('', 'openapi is missing');
  const version = versionText(root.openapi);
  if (/^3\.[012]\.\d/.test(version)) return undefined;
  if (!/^3\.[012]$/.test(version)) return error('openapi', `openapi is ${version}`);
  root.openapi = `${version}.0`;
  const text = `openapi is ${version} and read as ${version}.0  ${expected}`;
  return { field: 'openapi', isError: false, text };
}

/** Without quotes, 3.0 is the number 3. */
function versionText(version: unknown): string {
  return Number.isInteger(version) ? `${version}.0` : String(version);
}

/** The components of a contract in several files have the names of files, too. */
function unknownMappings(names: readonly Visit[], document: Node): Issue[] {
  const schemas = Object(Object(document.components).schemas);
  const unknown = names.filter(({ node }) => !Object.hasOwn(schemas, node as string));
  return unknown.map((visit) => {
    const what = visit.key === 'defaultMapping' ? visit.key : `the mapping of ${visit.key}`;
    const message = `${what} is unknown: ${visit.node}  expected a schema in components`;
    return issueAt(visit, message, { code: 'mapping', isError: false });
  });
}

/** Defaults that violate their schemas; schemas without a finite value. */
function valueWarnings(
  definition: Contract,
  errors: readonly ContractError[],
): (readonly [pointer: string, message: string])[] {
  const defaults = defaultErrors(definition).map(
    ({ pointer, message }) => [pointer, message] as const,
  );
  if (errors.length > 0) return defaults;
  const text =
    'no value is valid: the schema requires itself  expected an optional property or item';
  return [...defaults, ...endlessSchemas(definition).map((pointer) => [pointer, text] as const)];
}

/** A warning at the location of an error repeats it; each reference to a value that is no object visits it. */
function withoutRepetition(issues: readonly Issue[]): Issue[] {
  const unique = new Map(issues.map((issue) => [`${placeOf(issue)} ${issue.message}`, issue]));
  const all = [...unique.values()];
  const failed = new Set(all.filter(({ isError }) => isError).map(placeOf));
  return all.filter((issue) => issue.isError || !failed.has(placeOf(issue)));
}

function placeOf({ visit, pointer }: Issue): string {
  return `${visit.file.path}#${pointer}`;
}

function syntaxLines(files: ContractFiles, isError: boolean): Line[] {
  const issues = isError ? files.errors : files.warnings;
  return issues.map(({ what, expected, file, line, column }) => {
    const position = { file: files.shown(file), line, column };
    return { position, isError, message: `${what}  ${expected}` };
  });
}

function refusal(lines: readonly Line[]): ContractErrors {
  return new ContractErrors(lines.map(located));
}

function located({ position, message, code }: Located): Located {
  return code === undefined ? { position, message } : { position, message, code };
}

function inOrder(lines: readonly Line[]): Line[] {
  return [...lines].sort(
    ({ position: a }, { position: b }) =>
      a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column,
  );
}
