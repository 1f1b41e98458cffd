// Keeps a release served: its entry in compatibility.yaml, its types, and the module of its converters.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { relative } from 'node:path/posix';
import { timeOf } from '@stubwright/contract';
import { countOf } from '@stubwright/contract/printable';
import { compareVersions } from '@stubwright/diff/versions';
import { configurationIn } from '@stubwright/versions';
import { propertyName } from '../client/code.ts';
import type { Access } from '../loading/containment.ts';
import { bundleOf } from '../loading/load.ts';
import { parseText } from '../loading/parse.ts';
import { BUNDLE } from '../project/generated.ts';
import { POLICY, RELEASED } from '../project/layout.ts';
import { commentOf } from '../project/names.ts';
import { releasesIn } from '../project/releases.ts';
import { expectGenerated, replaceFiles } from '../project/writeFiles.ts';
import {
  type ConverterPlan,
  changeText,
  labelOf,
  namedConverters,
  optionalMark,
} from './converterPlan.ts';
import { servedFiles } from './servedFiles.ts';
import { VERSIONS } from './servedVersions.ts';

interface NewEntry {
  readonly version: string;
  readonly until?: string | undefined;
  readonly path?: string | undefined;
}

/** Selects versions unless the file or the entry says otherwise. */
const HEADER = 'Api-Version';

/**
 * @param text of a valid compatibility.yaml, whose comments stay
 * @returns the text with the entry, after the versions before it
 */
function withServedEntry(text: string, entry: NewEntry): string {
  const parsed = parseText(text, false);
  // The configuration is valid.
  if (parsed.errors !== undefined) return text;
  const { positions, value } = parsed;
  const { served } = Object(value) as { served?: { versions: { version: unknown }[] } };
  if (served === undefined) {
    const header = entry.path === undefined ? [`  header: ${HEADER}`] : [];
    return spliced(text, text.length, ['served:', ...header, '  versions:', ...itemOf(entry, 4)]);
  }
  const columnOf = (offset: number) => positions.lineAndColumn(offset).column - 1;
  const { versions } = served;
  const list = positions.find(['served', 'versions']);
  const at = versions.findIndex(
    (version) => compareVersions(String(version.version), entry.version) > 0,
  );
  if (text[list.start] !== '-') {
    const indent = columnOf(list.keyStart) + 2;
    const items = versions.map((version) => itemOf(version as NewEntry, indent));
    items.splice(at < 0 ? items.length : at, 0, itemOf(entry, indent));
    const block = `\n${items.flat().join('\n')}`;
    return text.slice(0, list.start).trimEnd() + block + text.slice(list.end);
  }
  const lines = itemOf(entry, columnOf(list.start));
  if (at < 0) return spliced(text, list.end, lines);
  const { start } = positions.find(['served', 'versions', String(at)]);
  return spliced(text, text.lastIndexOf('\n', text.lastIndexOf('-', start)) + 1, lines);
}

function itemOf(entry: NewEntry, indent: number): string[] {
  const { version, path, until, ...others } = entry;
  const rest = Object.entries({ path, until, ...others }).filter(
    ([, value]) => value !== undefined,
  );
  const fields = [`version: '${version}'`, ...rest.map(([name, value]) => `${name}: ${value}`)];
  return fields.map((field, at) => `${' '.repeat(indent)}${at === 0 ? '- ' : '  '}${field}`);
}

/** Inserts lines at the start of a line, or after the line of the offset. */
function spliced(text: string, offset: number, lines: readonly string[]): string {
  const isLineStart = offset === 0 || text[offset - 1] === '\n';
  const lineEnd = isLineStart ? offset - 1 : text.indexOf('\n', offset);
  const head = lineEnd < 0 && !isLineStart ? `${text}\n` : text.slice(0, lineEnd + 1);
  return `${head}${lines.join('\n')}\n${text.slice(head.length)}`;
}

interface SkeletonOptions {
  readonly version: string;
  readonly converters: string;
}

/** @returns a module without converters: the compiler lists those that are missing */
function skeleton(plan: ConverterPlan, { version, converters }: SkeletonOptions): string {
  const types = relative(dirname(converters), `${VERSIONS}/${version}.ts`);
  const groups = namedConverters(plan).map(([group, named]) => {
    const entries = named.flatMap(([name, needed]) => {
      const todo = needed.flatMap((converter) =>
        converter.changes.map((change) => {
          const member = `${converter.member}${optionalMark([converter])}`;
          return commentOf(`      // ${member}, ${labelOf(converter)}: ${changeText(change)}`);
        }),
      );
      return [`    ${propertyName(name)}: {`, ...todo, '    },'];
    });
    return [`  ${group}: {`, ...entries, '  },'];
  });
  const members = groups.flat().map((line) => `${line}\n`);
  return `// The converters between version ${version} and the next one.
import type { Converters } from '${types.startsWith('.') ? types : `./${types}`}';

export const converters = {${members.length > 0 ? '\n' : ''}${members.join('')}} satisfies Converters;
`;
}

interface ServeVersionOptions extends Access, Omit<NewEntry, 'version'> {
  /** Also overwrites files that no command has written. */
  readonly force?: boolean | undefined;
  readonly deferSignals?: (() => void) | undefined;
}

/**
 * @returns a line for each file and for each remaining task
 * @throws {Error} for a version that is not released, or served already
 */
export async function writeServedVersion(
  version: string,
  path: string,
  { until, path: prefix, force, deferSignals, ...access }: ServeVersionOptions = {},
): Promise<string[]> {
  const { cwd = '' } = access;
  expectDate(until);
  expectRelease(version, cwd);
  const policy = resolve(cwd, POLICY);
  const before = existsSync(policy) ? readFileSync(policy, 'utf8') : '';
  if (
    configurationIn(before, POLICY)?.versions.some((servedEntry) => servedEntry.version === version)
  ) {
    throw new Error(`${POLICY} serves ${version} already: expected another version`);
  }
  const after = withServedEntry(before, { version, until, path: prefix });
  const { versions: entries } = configurationIn(after, POLICY)!;
  const current = await bundleOf(path, dirname(BUNDLE), access);
  const { files, versions } = await servedFiles(entries, current, access);
  const { entry, plan } = versions.find(
    (generatedVersion) => generatedVersion.entry.version === version,
  )!;
  const isNew = !existsSync(resolve(cwd, entry.converters));
  expectGenerated(files, { cwd, force });
  const written = new Map([
    [POLICY, after],
    ...files,
    ...(isNew ? [[entry.converters, skeleton(plan, entry)] as const] : []),
  ]);
  replaceFiles(written, { cwd, deferSignals });
  return [...written.keys(), ...summaryOf(plan, entry.converters)];
}

function summaryOf(plan: ConverterPlan, converters: string): string[] {
  const count = plan.converters.filter(({ isOptional }) => !isOptional).length;
  const needed =
    count === 0
      ? 'no breaking change: no converter is needed'
      : `${countOf(count, 'converter')} to write in ${converters}: the compiler lists them`;
  return [
    needed,
    ...plan.unconverted.map(({ operations, what, effect }) => {
      const where = operations.length === 0 ? '' : `${operations.join(', ')}: `;
      return `not converted: ${where}${what}. ${effect}`;
    }),
  ];
}

function expectDate(until: string | undefined): void {
  if (until === undefined || (/^\d{4}-\d\d-\d\d$/.test(until) && timeOf(until) !== undefined))
    return;
  throw new Error(`--until: got ${JSON.stringify(until)}, expected a date such as 2027-06-30`);
}

function expectRelease(version: string, cwd: string): void {
  const releases = releasesIn(RELEASED, cwd).map((release) => release.version);
  if (releases.includes(version)) return;
  const known = releases.join(', ') || 'none yet';
  throw new Error(`VERSION: got ${version}, expected a release in ${RELEASED}/ (${known})`);
}
