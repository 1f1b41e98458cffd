// Checks the files of a contract with Redocly's core and our own rules, and bundles them.
// Importing Redocly is slow, and checking a large contract takes seconds: load.ts imports this on demand.

import { dirname, join, relative } from 'node:path';
import {
  bundle,
  type Config,
  createConfig,
  type Document,
  lint,
  type NormalizedProblem,
  type Plugin,
  type Source,
} from '@redocly/openapi-core';
import {
  Contract,
  type ContractError,
  ContractErrors,
  isObject,
  type Located,
  type Node,
  textOf,
  unescapeToken,
  unresolvedDynamicRefs,
} from '@stubwright/contract';
import { defaultErrors } from '@stubwright/contract/values';
import type { Access } from './containment.ts';
import { cycleErrors, endlessSchemas } from './cycles.ts';
import { descend } from './descent.ts';
import { exclusionsRule } from './exclusions.ts';
import { withoutFalseProblems } from './falseProblems.ts';
import { ContractFiles, HAS_ERRORS } from './files.ts';
import { connectedTypesPlugin, typesPlugin } from './nodeTypes.ts';
import { pathsRule } from './paths.ts';
import { patternsRule } from './patterns.ts';
import { positionIn } from './position.ts';
import { type Caused, circularRefs, refsRule } from './refs.ts';
import { repair } from './repair.ts';
import { operationsLeadingTo } from './scope.ts';
import { type Classified, classify } from './severity.ts';
import { shapesRule } from './shapes.ts';
import { versionProblem } from './version.ts';

/** A contract whose errors, if any, affect single operations only. */
export interface Checked {
  /** The bundled document; each `$ref` of a defined operation starts with `#`. */
  readonly document: Node;
  readonly errors: readonly ContractError[];
  readonly warnings: readonly Located[];
  /** SHA-256 of each file by its absolute path. */
  readonly hashes: ReadonlyMap<string, string>;
}

/** An error or a warning with its location; lines and columns count from 1. */
interface Line extends Classified {
  readonly file: string;
  readonly pointer: string;
  readonly line: number;
  readonly column: number;
  /** What errors at several locations have in common. */
  readonly cause?: string | undefined;
}

interface PointerLocation {
  readonly source: Source;
  readonly pointer: string;
  readonly reportOnKey?: boolean;
}

/** Our rules come before Redocly's: `struct` ends the visit of a node at the first wrong type. */
const plugin: Plugin = {
  id: 'contract',
  preprocessors: { oas3: { repair, paths: pathsRule, shapes: shapesRule } },
  rules: { oas3: { refs: refsRule, patterns: patternsRule, exclusions: exclusionsRule } },
};
const preprocessors = {
  'contract/repair': 'warn',
  'contract/paths': 'error',
  'contract/shapes': 'error',
} as const;
const rules = {
  struct: 'warn',
  'no-identical-paths': 'warn',
  'no-ambiguous-paths': 'warn',
  'contract/refs': 'error',
  'contract/patterns': 'error',
  'contract/exclusions': 'warn',
} as const;
/** An example is data: a `$ref` in it is not a reference. */
const resolve = { doNotResolveExamples: true };
const checkConfigs = new Map<Plugin, Promise<Config>>();

/** Resolving it takes an eighth of the check of a small contract. */
function configOfChecks({ isConnected }: ContractFiles): Promise<Config> {
  const types = isConnected ? connectedTypesPlugin : typesPlugin;
  const known = checkConfigs.get(types);
  const config = known ?? createConfig({ plugins: [types, plugin], preprocessors, rules, resolve });
  checkConfigs.set(types, config);
  return config;
}

export interface LoaderOptions extends Access {
  /** The files of this contract; they are parsed once. */
  readonly files?: ContractFiles;
  /** True if `warnings` is not read. */
  readonly isWithoutWarnings?: boolean;
}

/** @throws {ContractErrors} with all errors of all files, if one of them affects the whole contract */
export async function checkContract(path: string, options: LoaderOptions = {}): Promise<Checked> {
  const { isWithoutWarnings = false, files = new ContractFiles(path, options) } = options;
  const { root, sources } = files;
  const show = (file: string) =>
    sources.prefix + join(dirname(path), relative(dirname(root), file));
  const locate = ({ file, line, column, text }: Line): Located => {
    return { position: { file: show(file), line, column }, message: text };
  };
  const refusal = (lines: readonly Line[]) => new ContractErrors(lines.map(locate));
  const document = await rootDocument(root, files).catch((error: Error) => {
    if (error.message === HAS_ERRORS) throw refusal(syntaxLines(files.errors, true));
    const position = { file: sources.prefix + path, line: 1, column: 1 };
    const message = `cannot be read: ${error.message}  expected a contract`;
    throw new ContractErrors([{ position, message }]);
  });
  const version = versionLine(document);
  if (version?.isError) throw refusal([version]);
  const { deep, isConnected } = await descend(document, files);
  files.isConnected = isConnected;
  if (deep !== undefined) {
    const line = lineAt(deep.file.source, deep.pointer, { isError: true, text: deep.message });
    throw refusal([line]);
  }
  const found = inOrder([
    ...linesOf(await problemsOf(document, files), isWithoutWarnings),
    ...dynamicRefLines(document, files),
    ...syntaxLines(files.errors, true),
    ...syntaxLines(files.warnings, false),
  ]);
  const errors = found.filter(({ isError }) => isError);
  if (errors.some((line) => isOfAll(line, root))) throw refusal(errors);
  const scopes = await operationsLeadingTo(errors, document, files);
  const whole = files.isOne ? (document.parsed as Node) : await bundled(root, files);
  files.restoreExternalValues();
  if (files.isOne) files.restoreReferences();
  const located = errors.map((line) => ({
    ...locate(line),
    operations: scopes.get(line)!,
    isMockable: line.isMockable ?? false,
    cause: line.cause,
  }));
  const definition = new Contract(whole, located);
  const cycles = cycleLines(definition, document.source, errors).map(([line, operations]) => ({
    ...locate(line),
    operations,
    isMockable: false,
  }));
  const contractErrors = [...located, ...cycles];
  const warnings = [
    ...(version === undefined ? [] : [version]),
    ...found.filter(({ isError }) => !isError),
    ...(isWithoutWarnings
      ? []
      : [
          ...defaultLines(new Contract(whole, contractErrors), document.source),
          ...endlessLines(definition, document.source, contractErrors),
        ]),
  ];
  return {
    document: whole,
    errors: contractErrors,
    warnings: [...new Map(warnings.map(locate).map((each) => [textOf(each), each])).values()],
    hashes: files.hashes,
  };
}

/** An error within these belongs to the operations that refer to it. */
const SINGLE = /^#\/(?:paths|security|servers|webhooks|components\/[^/]+)\/./;

function isOfAll({ file, pointer }: Line, root: string): boolean {
  return pointer === '' || (file === root && !SINGLE.test(pointer));
}

async function bundled(ref: string, files: ContractFiles): Promise<Node> {
  const config = await createConfig({ plugins: [typesPlugin, plugin], resolve });
  const { bundle: document } = await bundle({ ref, config, externalRefResolver: files });
  const root = document.parsed as Node;
  for (const group of Object.values<Node>(root.components)) unescapeNames(group);
  return root;
}

/** Redocly names a component by the last token of its pointer, still escaped. */
function unescapeNames(group: Node): void {
  for (const [name, node] of Object.entries(isObject(group) ? group : {})) {
    group[unescapeToken(name)] ??= node;
  }
}

async function rootDocument(root: string, files: ContractFiles): Promise<Document> {
  // One overload returns an error by its type, but throws it.
  return (await files.resolveDocument(null, root, true)) as Document;
}

function versionLine({ parsed, source }: Document): Line | undefined {
  const found = versionProblem(parsed);
  return found && lineAt(source, `#/${found.field}`, found);
}

async function problemsOf(
  document: Document,
  files: ContractFiles,
): Promise<readonly NormalizedProblem[]> {
  const ref = document.source.absoluteRef;
  const config = await configOfChecks(files);
  try {
    const problems = await lint({ ref, config, externalRefResolver: files });
    return withoutFalseProblems(problems, document.parsed as Node, files);
  } catch (error) {
    const { source } = document;
    const circles = circularRefs(document);
    const pointers = circles.length > 0 ? circles : ['#/'];
    const what = circles.length > 0 ? '$ref is circular' : (error as Error).message;
    return pointers.map((pointer) => ({
      ruleId: 'contract/refs',
      severity: 'error',
      message: `${what}  expected a contract`,
      location: [{ source, pointer }],
      suggest: [],
    }));
  }
}

/** Redocly does not resolve `$dynamicRef`; its target may be in another file. */
function dynamicRefLines({ parsed, source }: Document, { isOne }: ContractFiles): Line[] {
  const unresolved = isOne && isObject(parsed) ? unresolvedDynamicRefs(parsed) : [];
  return unresolved.map(([pointer, ref]) => {
    const text = `$dynamicRef cannot be resolved: ${ref}  expected a $dynamicAnchor or a pointer`;
    return lineAt(source, `#${pointer}`, { isError: true, text });
  });
}

/** In a contract of several files a cycle is reported at the reference to it. */
function cycleLines(
  definition: Contract,
  source: Source,
  errors: readonly Line[],
): (readonly [Line, operations: readonly string[]])[] {
  const known = new Set(errors.map(placeOf));
  const lines = cycleErrors(definition).map(({ pointer, text, operations }) => {
    return [lineAt(source, `#${pointer}`, { isError: true, text }), operations] as const;
  });
  return lines.filter(([line]) => !known.has(`${placeOf(line)}/$ref`));
}

/** In a contract of several files, a default is reported at the reference to its schema. */
function defaultLines(definition: Contract, source: Source): Line[] {
  return defaultErrors(definition).map(({ pointer, message }) =>
    lineAt(source, `#${pointer}`, { isError: false, text: message }),
  );
}

function endlessLines(
  definition: Contract,
  source: Source,
  errors: readonly ContractError[],
): Line[] {
  if (errors.length > 0) return [];
  const text =
    'no value is valid: the schema requires itself  expected an optional property or item';
  return endlessSchemas(definition).map((pointer) =>
    lineAt(source, `#${pointer}`, { isError: false, text }),
  );
}

/** A warning at the location of an error repeats it. */
function linesOf(problems: readonly NormalizedProblem[], areErrorsOnly: boolean): Line[] {
  const lines = problems.flatMap((problem: NormalizedProblem & Caused) => {
    const { source, pointer, reportOnKey } = problem.location[0] as PointerLocation;
    const verdict = classify(problem);
    return verdict === undefined || (areErrorsOnly && !verdict.isError)
      ? []
      : [{ ...lineAt(source, pointer, verdict, reportOnKey), cause: problem.cause }];
  });
  const faulty = new Set(lines.filter(({ isError }) => isError).map(placeOf));
  return lines.filter((line) => line.isError || !faulty.has(placeOf(line)));
}

function lineAt(source: Source, pointer: string, verdict: Classified, reportOnKey = false): Line {
  const position = positionIn(source, pointer, reportOnKey);
  return { ...verdict, file: source.absoluteRef, pointer, ...position };
}

function placeOf({ file, pointer }: Line): string {
  return file + pointer;
}

function syntaxLines(errors: ContractFiles['errors'], isError: boolean): Line[] {
  return errors.map(({ what, expected, ...at }) => {
    return { ...at, pointer: '', isError, text: `${what}  ${expected}` };
  });
}

function inOrder(lines: readonly Line[]): Line[] {
  return [...lines].sort(
    (a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column,
  );
}
