// `stubwright diff`: reports the changes between two contracts for clients of the first.

import { existsSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import type { Change } from '@stubwright/diff';
import {
  baselineOf,
  type FailOn,
  releaseError,
  suggestedVersion,
  versionWarning,
} from '@stubwright/diff/versions';
import type { TrafficRecord } from '@stubwright/traffic';
import { type Command, Option } from 'commander';
import type { Access } from '../loading/containment.ts';
import { mergeBase } from '../loading/gitRevision.ts';
import { FailedCheck } from '../output/errors.ts';
import {
  FORMATS,
  type Format,
  folderInRepository,
  formatOption,
  outputFor,
} from '../output/formats.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT, mayServeVersions, POLICY, RELEASED } from '../project/layout.ts';
import { releasesIn } from '../project/releases.ts';
import type { ServedClients } from '../serving/servedClients.ts';
import {
  type AllowOutside,
  accessOf,
  ContractArgument,
  FileOption,
  type RecordingOptions,
  recordsIn,
  recordsWithout,
  STDIN,
  StubwrightCommand,
  trafficOption,
} from './options.ts';

const LATEST = 'latest';
/** More causes are counted in the text of `--check`. */
const MAX_CHECKED = 10;
const NOT_RELEASED = `${RELEASED}/ holds no release of ${CONTRACT}, nothing to compare`;

interface Options extends AllowOutside, RecordingOptions {
  readonly check?: true | undefined;
  readonly failOn: FailOn | 'used' | 'none';
  readonly policy: string;
  readonly format: Format | 'markdown';
  readonly all?: true;
  readonly exact?: true;
  readonly suggestVersion?: true;
  readonly explain?: true;
}

export function diff(io: CommandIo): Command {
  return new StubwrightCommand('diff')
    .summary('report the changes between two contracts for clients of the first')
    .description(
      'Reports each change that breaks a client written for the first contract, and fails if the version permits no such change.',
    )
    .addArgument(
      new ContractArgument(
        '[base]',
        'the first: a release, a path, - for standard input, a git revision (its merge base with HEAD), REVISION:path, or latest, the release that the contract follows',
        { readsStdin: true, mayBeRevision: true },
      ).default(LATEST),
    )
    .addArgument(
      new ContractArgument('[contract]', 'the second: the same, but latest', {
        readsStdin: true,
        mayBeRevision: true,
      }).default(CONTRACT),
    )
    .addOption(
      new Option('--fail-on <severity>', 'exit with 1 if the version permits no such change')
        .choices(['breaking', 'risky', 'used', 'none'])
        .default('breaking'),
    )
    .addOption(trafficOption(', which show whom a change breaks:'))
    .with('caller')
    .option('--exact', 'compare with a git revision itself, not with its merge base')
    .option('--check', 'print only the changes that fail')
    .option('--all', 'print changes of documentation as well')
    .option('--explain', 'print whether a rule, an implication, automata or samples decide')
    .addOption(
      new Option(
        '--suggest-version',
        'print only the version that the changes need: major, minor or patch, and its number',
      ).conflicts(['check', 'all', 'format']),
    )
    .addOption(
      new FileOption('--policy <file>', 'severities and accepted changes of the project').default(
        POLICY,
      ),
    )
    .with('quiet', 'allowOutside', 'overlay')
    .addOption(formatOption([...FORMATS, 'markdown'] as const))
    .with('json')
    .action(async (first: string, second: string, given: Options, { args }: Command) => {
      const options = { ...given, check: given.check ?? given.quiet };
      const named = args.length === 0 ? ((await settingOf(io)) ?? first) : first;
      const contract = await releasePath(second, io.cwd);
      const base = options.exact ? named : mergeBaseOf(named, contract, io);
      if (base === LATEST && releasesIn(RELEASED, io.cwd).length === 0) {
        if (options.suggestVersion) throw new Error(NOT_RELEASED);
        io.note(`${NOT_RELEASED}\n`);
      } else {
        await compare(base, contract, { ...options, io });
      }
    })
    .withExamples(
      'diff',
      'diff main --format markdown',
      'diff 1.0.0 1.1.0',
      'diff old.yaml new.yaml --fail-on risky',
    );
}

/** @returns `base` of stubwright.yaml */
async function settingOf({ cwd, sources }: CommandIo): Promise<string | undefined> {
  const { ContractFiles } = await import('../loading/files.ts');
  const { base } = await new ContractFiles(CONTRACT, { cwd, sources }).settings();
  return base !== undefined && isAbsolute(base) ? relative(cwd, base) : base;
}

/**
 * @returns the path of a release; another argument, and one that is a file, too, as it is
 * @throws {Error} for a release that is a git revision, too
 */
async function releasePath(name: string, cwd: string): Promise<string> {
  if (existsSync(resolve(cwd, name))) return name;
  const { releaseNamed } = await import('../check/contracts.ts');
  return releaseNamed(name, { variable: 'CONTRACT', cwd })?.path ?? name;
}

/** @returns the first argument, of a git revision its merge base with HEAD or with the second argument's revision */
function mergeBaseOf(base: string, contract: string, { cwd, stderr }: CommandIo): string {
  const isRelease = releasesIn(RELEASED, cwd).some((release) => release.version === base);
  const isFile = statSync(resolve(cwd, base), { throwIfNoEntry: false })?.isFile();
  if (base === LATEST || isRelease || isFile) return base;
  const isFileAfter = contract === STDIN || existsSync(resolve(cwd, contract));
  const { base: found, note } = mergeBase(
    base,
    isFileAfter ? 'HEAD' : contract.split(':')[0]!,
    cwd,
  );
  if (note !== undefined) stderr.write(`${note}\n`);
  return found;
}

/** @returns the path of the second argument, which may be `REVISION:path`, in the revision of the first */
function contractPath(contract: string, cwd: string): string {
  const isRelease = releasesIn(RELEASED, cwd).some((release) => release.path === contract);
  if (contract === STDIN || isRelease) return CONTRACT;
  const [, path] = existsSync(resolve(cwd, contract)) ? [] : (/^[^:]+:(.+)$/s.exec(contract) ?? []);
  return path ?? contract;
}

/** False for contracts with the same bytes that may have changes, or warnings of a policy. */
function mayBeSame(base: string, options: Options, io: CommandIo): boolean {
  // A recording describes its requests by the first contract.
  if (base === LATEST || options.traffic !== undefined || options.failOn === 'used') return false;
  if (options.suggestVersion || options.overlay !== undefined || io.sources !== undefined) {
    return false;
  }
  return options.policy === POLICY && !existsSync(resolve(io.cwd, POLICY));
}

async function compare(
  base: string,
  contract: string,
  { io, ...options }: Options & { readonly io: CommandIo },
): Promise<void> {
  const diff = await import('@stubwright/diff');
  const { hashesOf, haveSameBytes, namedFiles, openPair, releaseNamed, versionIn } = await import(
    '../check/contracts.ts'
  );
  const { policyIn } = await import('../project/policy.ts');
  const policy = policyIn(options.policy, io.cwd);
  const hashOf = hashesOf([base, contract], io.cwd);
  const access = { ...accessOf(io, options, contract), hashOf };
  const filesOfContract = () => namedFiles(contract, { variable: 'CONTRACT', ...access });
  const revision = filesOfContract();
  const release =
    base === LATEST
      ? baselineOf(releasesIn(RELEASED, io.cwd), await versionIn(revision))
      : releaseNamed(base, { cwd: io.cwd, hashOf });
  const pairWith = (after = filesOfContract()) => ({
    before: namedFiles(release?.path ?? base, {
      path: contractPath(contract, io.cwd),
      ...access,
      overlays: undefined,
    }),
    after,
  });
  const pair = pairWith(revision);
  if (mayBeSame(base, options, io) && (await haveSameBytes(pair))) {
    const { reportNoChanges } = await import('@stubwright/diff/formats');
    const text = reportNoChanges({ before: pair.before.name, after: contract }, options.format, {
      isSummarized: !options.check,
    });
    outputFor(io, options.format).write(text);
    return;
  }
  const { before, after } = await openPair(pair, {
    readAgain: () => pairWith(),
    // A recording describes its requests by the first contract.
    isWhole: options.traffic !== undefined,
    onContract: (name) => io.progress.show(`checking ${name}`),
  });
  if (options.failOn === 'used' && options.traffic === undefined) {
    throw new Error('--fail-on: got used, expected --traffic as well');
  }
  const comparison = await diff.compare(before, after, {
    ...{ policy, onOperation: io.progress.counting('comparing operation') },
    traffic: await recordsOf(before.definition.version, options, io),
  });
  if (comparison.recording !== undefined) io.stderr.write(`${comparison.recording}\n`);
  const served = await servedClients(contract, access);
  const { version } = before.definition;
  const { ignored } = comparison;
  const changes = served?.converted(comparison.changes, version) ?? comparison.changes;
  const warnings =
    release === undefined || options.suggestVersion
      ? []
      : versionWarning(changes, before.definition, after.definition);
  if (!options.quiet) {
    for (const warning of [...comparison.warnings, ...warnings]) io.stderr.write(`${warning}\n`);
  }
  const { failOn } = options;
  const isFailing = ({ severity, traffic }: Change) =>
    failOn === 'used'
      ? severity === 'breaking' && traffic?.isUsed !== false
      : severity === 'breaking' || severity === failOn;
  const uncompared = changes.filter(
    ({ rule, severity }) => rule === 'operation-not-compared' && severity !== 'compatible',
  );
  const failing = changes.filter(isFailing);
  if (options.suggestVersion) {
    const next = suggestedVersion(changes, before.definition, failing.length > 0);
    io.stdout.write(next === undefined ? `none ${version}\n` : `${next.step} ${next.version}\n`);
    return;
  }
  const error =
    failOn === 'none'
      ? undefined
      : (served?.errorOf(failing, version) ??
        releaseError(failOn === 'used' ? failing : changes, before.definition, after.definition, {
          failOn: failOn === 'used' ? 'breaking' : failOn,
          versions: policy.versions,
        }));
  const errorOfUncompared = failOn === 'none' ? undefined : uncomparedError(uncompared);
  const checked = [...(error === undefined ? [] : failing), ...uncompared];
  const shown = options.check ? [...new Set(checked)] : changes;
  const { format, check, all, explain } = options;
  const text = diff.reportAs(comparison.with(shown), format, {
    ...{
      folder: folderInRepository(io),
      isDocumented: all,
      isExplained: explain,
      note: ignored === 0 ? '' : `, ${ignored} ignored by ${options.policy}`,
    },
    ...(check && { isSummarized: false, maxCauses: MAX_CHECKED }),
    paint: io.styles.paint,
  });
  outputFor(io, format).write(text);
  const others =
    failOn === 'none'
      ? []
      : served?.unconverted(policy, version).map((changes) => served.errorText(changes));
  const errors = [error, errorOfUncompared, ...(others ?? [])].filter((text) => text !== undefined);
  if (errors.length === 0) return;
  io.stderr.write(errors.map((error) => `${error}\n`).join(''));
  throw new FailedCheck();
}

function uncomparedError(changes: readonly Change[]): string | undefined {
  const names = changes.flatMap(({ operations }) => operations);
  const [first] = names;
  if (first === undefined) return undefined;
  const others = names.length === 1 ? '' : ` and ${names.length - 1} more`;
  return `${first}${others}: not compared, expected a contract without errors`;
}

/** @returns undefined without served versions: those of compatibility.yaml are not of a git revision */
async function servedClients(contract: string, access: Access): Promise<ServedClients | undefined> {
  const isFile = existsSync(resolve(access.cwd ?? '', contract));
  if (!isFile || !mayServeVersions(access.cwd)) return undefined;
  const { ServedClients } = await import('../serving/servedClients.ts');
  return ServedClients.of(contract, access);
}

/** @returns the recorded requests that `--traffic` names, without those of other served versions */
async function recordsOf(
  version: string | undefined,
  { traffic, caller }: Options,
  io: CommandIo,
): Promise<AsyncIterable<TrafficRecord> | undefined> {
  const records = await recordsIn({ traffic, caller }, io);
  if (records === undefined || !mayServeVersions(io.cwd)) return records;
  const { servedEntries } = await import('../serving/servedVersions.ts');
  const others = new Set(servedEntries(io.cwd).map((servedEntry) => servedEntry.version));
  if (version !== undefined) others.delete(version);
  return recordsWithout(others, records);
}
