// The diagnostics of a contract: the findings of `check`, and its changes since the base.
import { relative, resolve } from 'node:path';
import {
  buffersOver,
  CONTRACT,
  ContractFiles,
  gitRevision,
  hashOfRevision,
  type LineAndColumn,
  mergeBase,
  openPair,
  POLICY,
  type Positions,
  RELEASED,
  readPolicy,
  releasesIn,
  runChecks,
  type Sources,
  type TextRange,
} from '@stubwright/cli/editor';
import { ContractErrors, type Finding, isObject, tokensOf } from '@stubwright/contract';
import { applyPolicy, type Change, compare, whereOf } from '@stubwright/diff';
import { ruleHelp } from '@stubwright/diff/formats';
import { baselineOf, releaseError } from '@stubwright/diff/versions';
import {
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type Range,
} from 'vscode-languageserver-types';
import { URI_OF } from './uris.ts';

/** A contract in its project. */
export interface ContractOfProject {
  /** Absolute paths. */
  readonly contract: string;
  readonly cwd: string;
  /** A release, a git revision or a file; by default that of stubwright.yaml, else the newest release, else `HEAD`. */
  readonly base?: string | undefined;
}

export interface Diagnosed {
  /** By absolute path; of each file of the contract. */
  readonly files: Readonly<Record<string, readonly Diagnostic[]>>;
  /** False if the contract cannot be read or compared: the diagnostics are those of its errors, if any. */
  readonly isComplete: boolean;
}

/** Enough to accept a change. */
export interface AcceptableChange {
  readonly rule: string;
  readonly change: string;
  readonly locations: readonly string[];
}

/** @returns what `stubwright check` reports */
export async function checkFindings(
  { contract, cwd }: ContractOfProject,
  texts: ReadonlyMap<string, string>,
): Promise<Diagnosed> {
  const access = { cwd, sources: buffersOver(texts) };
  const path = relative(cwd, contract);
  const files = new ContractFiles(path, access);
  const { findings, operations } = await runChecks(path, { ...access, files });
  const found = emptyFor(files);
  const positions = new Map(
    files.parsed.map((sourceFile) => [sourceFile.path, sourceFile.positions]),
  );
  for (const finding of findings) {
    const { position = { file: path, line: 1, column: 1 } } = finding;
    const file = resolve(cwd, position.file);
    const at = positions.get(file);
    const range = at === undefined ? wordAt(texts.get(file), position) : rangeAt(at, position);
    add(found, file, { ...ofFinding(finding), range });
  }
  return { files: found, isComplete: operations !== undefined };
}

function ofFinding({ level, rule, code, message }: Finding): Omit<Diagnostic, 'range'> {
  return {
    severity: {
      error: DiagnosticSeverity.Error,
      warning: DiagnosticSeverity.Warning,
      note: DiagnosticSeverity.Information,
    }[level],
    source: 'stubwright check',
    code: code ?? rule,
    codeDescription: { href: ruleHelp(code ?? rule).uri },
    message,
  };
}

/** The changes of a contract since its base; remembers the bases. */
export class Changes {
  readonly #revisions = new Map<string, ReturnType<typeof gitRevision> & { hash: string }>();

  /** @returns what `stubwright diff` reports; undefined without a base */
  async since(
    { contract, cwd, base }: ContractOfProject,
    texts: ReadonlyMap<string, string>,
  ): Promise<Diagnosed> {
    const path = relative(cwd, contract);
    const access = { cwd, sources: buffersOver(texts) };
    let files = new ContractFiles(path, access);
    const root = await files.readRoot();
    const value = 'value' in root ? root.value : undefined;
    if (!isObject(value)) return { files: emptyFor(files), isComplete: false };
    const version = String(Object(value.info).version ?? '');
    const { base: setting } = await files.settings();
    const opened = this.#baseOf(path, { cwd, base: base ?? setting, version });
    if (opened === undefined) return { files: emptyFor(files), isComplete: true };
    const { policy } = readPolicy(await textOf(resolve(cwd, POLICY), access.sources), POLICY);
    const pairWith = () => ({
      before: { ...opened, files: new ContractFiles(opened.path, opened.access) },
      after: { name: path, path, access, files },
    });
    try {
      const { before, after } = await openPair(pairWith(), {
        readAgain: () => {
          files = new ContractFiles(path, access);
          return pairWith();
        },
        isWhole: false,
        onContract: () => {},
      });
      const comparison = await compare(before, after, { policy: { ...policy, ignore: [] } });
      const left = applyPolicy(comparison.changes, policy).changes;
      const isPermitted = releaseError(left, before.definition, after.definition, {
        ...{ failOn: 'breaking', versions: policy.versions },
      });
      const found = emptyFor(files);
      for (const change of comparison.changes) {
        if (change.severity === 'compatible') continue;
        const { file, positions, ...range } = after.locations.range(change.after);
        const severity = !left.some((other) => isSame(other, change))
          ? DiagnosticSeverity.Hint
          : change.severity === 'risky'
            ? DiagnosticSeverity.Warning
            : isPermitted === undefined
              ? DiagnosticSeverity.Information
              : DiagnosticSeverity.Error;
        const was = before.locations.range(change.before);
        add(found, file, {
          ...ofChange(change, severity),
          range: shownRange(positions, range),
          relatedInformation: [
            {
              location: {
                uri: opened.uriOf(was.file),
                range: shownRange(was.positions, was),
              },
              message: `in ${before.locations.at(change.before)}`,
            },
          ],
        });
      }
      return { files: found, isComplete: true };
    } catch (error) {
      // `check` reports them.
      if (!(error instanceof ContractErrors)) throw error;
      return { files: emptyFor(files), isComplete: false };
    }
  }

  /** @returns undefined if there is nothing to compare with */
  #baseOf(
    path: string,
    { cwd, base, version }: { cwd: string; base: string | undefined; version: string },
  ) {
    const releases = path === CONTRACT ? releasesIn(RELEASED, cwd) : [];
    const release =
      base === undefined
        ? baselineOf(releases, version)
        : releases.find((release) => release.version === base);
    const file = release?.path ?? base;
    const onDisk = buffersOver(new Map());
    if (file !== undefined && onDisk.exists(resolve(cwd, file))) {
      const access = { cwd, sources: onDisk };
      return { name: file, path: file, access, uriOf: URI_OF.file };
    }
    const revision = base ?? 'HEAD';
    const read = this.#revisionOf(revision, cwd);
    if (read === undefined) return undefined;
    const { sources, cwd: folder, hash } = read;
    if (!sources.exists(resolve(folder, path))) return undefined;
    return {
      ...{ name: `${revision}:${path}`, path, access: { cwd: folder, sources } },
      shown: (text: string) => `${revision}:${relative(folder, text)}`,
      uriOf: (text: string) => URI_OF.revision(resolve(cwd, relative(folder, text)), hash),
    };
  }

  /** Of the merge base; its files are read once. */
  #revisionOf(revision: string, cwd: string) {
    const key = `${cwd} ${revision}`;
    const named = hashOfRevision(revision, cwd);
    if (named === undefined) return undefined;
    const hash = revision === 'HEAD' ? named : mergeBase(named, 'HEAD', cwd).base;
    const cached = this.#revisions.get(key);
    if (cached?.hash === hash) return cached;
    const read = { hash, ...gitRevision(hash, cwd) };
    this.#revisions.set(key, read);
    return read;
  }
}

/** A policy may accept some operations of a change. */
function isSame(one: Change, other: Change): boolean {
  return (
    one.rule === other.rule &&
    one.what === other.what &&
    one.before === other.before &&
    one.after === other.after
  );
}

function ofChange(
  change: Change,
  severity: DiagnosticSeverity,
): Omit<Diagnostic, 'range' | 'relatedInformation'> {
  const { rule, what, effect, example, operations, part, otherParts } = change;
  const refused = example && `${example.value} is refused: ${example.error}`;
  const lines = [`${what}: ${effect}`, ...(refused ? [refused] : []), whereOf(change)];
  const accepted: AcceptableChange = {
    ...{ rule, change: what },
    locations:
      operations.length === 0
        ? [part || 'the whole contract']
        : operations.map((operation) => `${operation} ${otherParts?.[operation] ?? part}`.trim()),
  };
  const isAccepted = severity === DiagnosticSeverity.Hint;
  return {
    ...{ severity, source: 'stubwright diff', code: rule, message: lines.join('\n') },
    codeDescription: { href: ruleHelp(rule).uri },
    ...(!isAccepted && { data: accepted }),
    ...(isAccepted && { tags: [DiagnosticTag.Unnecessary] }),
  };
}

function emptyFor(files: ContractFiles): Record<string, Diagnostic[]> {
  const paths = new Set([files.root, ...files.hashes.keys()]);
  return Object.fromEntries([...paths].map((path) => [path, []]));
}

function add(found: Record<string, Diagnostic[]>, file: string, diagnostic: Diagnostic): void {
  found[file] ??= [];
  found[file].push(diagnostic);
}

async function textOf(path: string, sources: Sources): Promise<string> {
  return sources.exists(path) ? (await sources.read(path)).toString() : '';
}

/** A value of several lines is shown at its key. */
export function shownRange(positions: Positions, range: TextRange): Range {
  const { keyStart, keyEnd, end } = range;
  const [first, last] = [positions.lineAndColumn(keyStart), positions.lineAndColumn(end)];
  if (first.line === last.line) return rangeOf(first, last);
  const key = positions.lineAndColumn(keyEnd);
  return first.line === key.line ? rangeOf(first, key) : lineOf(positions.text, first);
}

function rangeOf(start: LineAndColumn, end: LineAndColumn): Range {
  return {
    start: { line: start.line - 1, character: start.column - 1 },
    end: { line: end.line - 1, character: end.column - 1 },
  };
}

/** @returns the range of the key or value that starts at a position */
function rangeAt(positions: Positions, at: LineAndColumn): Range {
  const offset = positions.offsetAt(at);
  const path = positions.pathAt(offset);
  for (let length = path.length; length > 0; length--) {
    const range = positions.find(path.slice(0, length));
    if (range.keyStart === offset || range.start === offset) return shownRange(positions, range);
  }
  return path.length === 0
    ? shownRange(positions, positions.find(tokensOf('/openapi')))
    : wordAt(positions.text, at);
}

/** From a position to the end of the word, of a text that cannot be parsed. */
function wordAt(text = '', at: LineAndColumn): Range {
  const line = text.split('\n', at.line)[at.line - 1] ?? '';
  const [word = ''] = /^\S+|^/.exec(line.slice(at.column - 1)) ?? [];
  return rangeOf(at, { line: at.line, column: at.column + Math.max(word.length, 1) });
}

function lineOf(text: string, at: LineAndColumn): Range {
  const line = text.split('\n', at.line)[at.line - 1] ?? '';
  return rangeOf(at, { line: at.line, column: line.trimEnd().length + 1 });
}
