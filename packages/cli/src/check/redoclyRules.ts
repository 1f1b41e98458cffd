// Applies the lint rules of a project's redocly.yaml. Redocly is a peer dependency, which few projects have.
import { basename, dirname, resolve } from 'node:path';
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
  ResolveError,
  Source,
} from '@redocly/openapi-core';
import {
  compilePattern,
  documentParts,
  isObject,
  type Node,
  rewriteReferences,
  unescapeUri,
} from '@stubwright/contract';
import type { ContractFiles, SourceFile } from '../loading/files.ts';
import { Positions } from '../loading/parse.ts';
import { linearTest } from '../patterns/linearPattern.ts';

type Severity = 'error' | 'warn' | 'off';

export interface RuleProblem {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** Of the contract, or of the configuration. */
  readonly file: SourceFile;
  /** JSON pointer. */
  readonly pointer: string;
  readonly isKey: boolean;
}

interface AppliedRules {
  readonly problems: readonly RuleProblem[];
  /** @returns the severity of a rule; `off` for a problem that the project ignores */
  severityOf(rule: string, at: { readonly file: SourceFile; readonly pointer: string }): Severity;
}

/** The check of the contract and the validation of its examples report these. */
const OWN = [
  ...['struct', 'no-unresolved-refs'],
  ...['no-invalid-media-type-examples', 'no-invalid-parameter-examples'],
];

/**
 * @param document the bundled contract @param configPath absolute
 * @throws {Error} with one line if the configuration cannot be loaded
 */
export async function applyRules(
  files: ContractFiles,
  document: Node,
  configPath: string,
): Promise<AppliedRules> {
  const config = await configOf(files.root, configPath);
  const rules: Record<string, unknown> = config.rules[detectSpec(document)] as never;
  const own = new Map(OWN.map((rule) => [rule, severityIn(rules[rule])]));
  for (const rule of OWN) rules[rule] = 'off';
  const found = [
    ...(config.document === undefined ? [] : await lintConfig({ config, severity: 'warn' })),
    ...(await problemsOf(files, config)),
  ];
  return {
    problems: found.filter(({ ignored }) => !ignored).map(problemOf),
    severityOf: (rule, { file, pointer }) => {
      const severity = own.get(rule) ?? 'off';
      const location = [{ source: new Source(file.path, file.text), pointer: `#${pointer}` }];
      const problem = { ruleId: rule, severity, message: '', location, suggest: [] };
      return config.addProblemToIgnore(problem as never).ignored ? 'off' : severity;
    },
  };
}

function severityIn(written: unknown): Severity {
  const severity: unknown = isObject(written) ? (written.severity ?? 'error') : written;
  return severity === 'error' || severity === 'warn' ? severity : 'off';
}

/** Redocly recurses through references. */
async function problemsOf(files: ContractFiles, config: Config): Promise<NormalizedProblem[]> {
  const resolver = new FilesResolver(files);
  try {
    return await lint({ ref: files.root, config, externalRefResolver: resolver });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { source } = resolver.documentOf(files.root);
    const message = 'the lint rules are not applied: too many references in a row  expected less';
    const location = [{ source, pointer: '#/', reportOnKey: false }];
    return [{ ruleId: 'lint', severity: 'warn', message, location, suggest: [] }];
  }
}

function problemOf({ ruleId, severity, message, location: [at] }: NormalizedProblem): RuleProblem {
  const { source, pointer = '', reportOnKey = false } = at!;
  const tokens = pointer.replace(/^#\/?/, '').split('/').filter(Boolean);
  return {
    ...{ rule: ruleId, severity: severity as Severity, message },
    file: {
      ...{ path: source.absoluteRef, text: source.body, value: undefined },
      positions: positionsOf(source),
    },
    pointer: tokens.map((token) => `/${unescapeUri(token)}`).join(''),
    isKey: reportOnKey,
  };
}

const positions = new WeakMap<Source, Positions>();

function positionsOf(source: Source): Positions {
  const known = positions.get(source) ?? new Positions(source.body);
  positions.set(source, known);
  return known;
}

/** The files of the contract, as they were read. */
class FilesResolver extends BaseResolver {
  readonly #files: ContractFiles;
  readonly #read = new Map<string, Document>();

  constructor(files: ContractFiles) {
    super();
    this.#files = files;
  }

  documentOf(path: string): Document {
    return this.#read.get(path)!;
  }

  override resolveExternalRef(base: string | null, ref: string): string {
    const from = base === null ? undefined : this.#files.known(base);
    return from !== undefined && 'text' in from ? this.#files.pathOf(from, ref) : ref;
  }

  override async loadExternalRef(path: string): Promise<Source> {
    const file = await this.#files.read(path);
    if (!('value' in file)) throw new ResolveError(new Error(file.reason));
    const source = new Source(path, file.text);
    positions.set(source, file.positions);
    this.#read.set(path, { source, parsed: withoutHazards(structuredClone(file.value)) });
    return source;
  }

  override parseDocument(source: Source): Document {
    return this.documentOf(source.absoluteRef);
  }
}

const EVERY_STRING = '';

/**
 * Replaces each pattern that V8 may not test in linear time, and references in data and to examples. Removes
 * properties named `hasOwnProperty`, which Redocly calls.
 */
function withoutHazards(document: unknown): unknown {
  if (!isObject(document)) return document;
  rewriteReferences(document);
  for (const { node, kind } of documentParts(document)) {
    if (kind === 'data') removeReferences(node);
    if (kind === 'example') delete node.externalValue;
    const { pattern, patternProperties, properties } = node;
    if (isObject(properties)) Reflect.deleteProperty(properties, 'hasOwnProperty');
    if (typeof pattern === 'string' && isSlow(pattern)) node.pattern = EVERY_STRING;
    if (isObject(patternProperties) && Object.keys(patternProperties).some(isSlow)) {
      delete node.patternProperties;
    }
  }
  return document;
}

function removeReferences(data: unknown): void {
  for (const pending = [data]; pending.length > 0; ) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null) continue;
    Reflect.deleteProperty(node, '$ref');
    for (const value of Object.values(node)) pending.push(value);
  }
}

function isSlow(pattern: string): boolean {
  const expression = compilePattern(pattern);
  return expression !== undefined && linearTest(expression) !== expression;
}

/** The configuration of the contract: of its entry in `apis`, if there is one. */
async function configOf(file: string, configPath: string): Promise<Config> {
  try {
    const config = await loadConfig({ configPath });
    const apis = Object.entries(config.resolvedConfig.apis ?? {});
    const isContract = ([, api]: (typeof apis)[number]) =>
      resolve(dirname(configPath), api.root) === file;
    const own = config.forAlias(apis.find(isContract)?.[0]);
    // An example is data: a `$ref` in it is not a reference.
    own.doNotResolveExamples = true;
    return own;
  } catch (error) {
    const [line] = stripVTControlCharacters((error as Error).message).split('\n');
    throw new Error(`${basename(configPath)}  ${line}`);
  }
}
