// `stubwright diff`: reports the changes between two contracts for clients of the first.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Contract } from '@stubwright/contract';
import type { Change } from '@stubwright/diff';
import {
  baselineOf,
  type FailOn,
  releaseError,
  versionOf,
  versionWarning,
} from '@stubwright/diff/versions';
import { Command, Option } from 'commander';
import type { NamedContract } from '../check/contracts.ts';
import { FailedCheck } from '../output/failedCheck.ts';
import {
  FORMATS,
  type Format,
  findingsAs,
  formatOption,
  outputFor,
  type RuleHelp,
} from '../output/formats.ts';
import type { CommandIo } from '../output/io.ts';
import { CONTRACT, POLICY, RELEASED } from '../project/layout.ts';
import { releasesIn } from '../project/releases.ts';
import { type AllowOutside, accessOf, allowOutsideOption } from './allowOutside.ts';

const LATEST = 'latest';
const NOT_RELEASED = `${RELEASED}/ holds no release of ${CONTRACT}, nothing to compare\n`;

interface Options extends AllowOutside {
  readonly check?: true;
  readonly failOn: FailOn | 'used' | 'none';
  readonly traffic?: readonly string[];
  readonly caller?: string;
  readonly policy: string;
  readonly format: Format | 'markdown';
  readonly all?: true;
}

export function diff(io: CommandIo): Command {
  return new Command('diff')
    .summary('report the changes between two contracts for clients of the first')
    .argument(
      '[base]',
      'the first: a release, a path, a git revision, REVISION:path, or latest, the release that the contract follows',
      LATEST,
    )
    .argument('[contract]', 'path of the second', CONTRACT)
    .addOption(
      new Option('--fail-on <severity>', 'exit with 1 if the version permits no such change')
        .choices(['breaking', 'risky', 'used', 'none'])
        .default('breaking'),
    )
    .option(
      '--traffic <file>',
      'recorded requests, which show whom a change breaks: HAR, or an entry a line; repeatable',
      (file: string, files: readonly string[] = []) => [...files, file],
    )
    .option('--caller <header>', 'the header of recorded requests that names their caller')
    .option('--check', 'print only the changes that fail')
    .option('--all', 'print changes of documentation as well')
    .option('--policy <file>', 'severities and accepted changes of the project', POLICY)
    .addOption(allowOutsideOption())
    .addOption(formatOption([...FORMATS, 'markdown'] as const))
    .action(async (base: string, contract: string, options: Options) => {
      if (base === LATEST && releasesIn(RELEASED, io.cwd).length === 0) {
        io.stdout.write(NOT_RELEASED);
      } else await compare(base, contract, { ...options, io });
    });
}

async function compare(
  base: string,
  contract: string,
  { io, ...options }: Options & { readonly io: CommandIo },
): Promise<void> {
  const { applyPolicy, changesBetween } = await import('@stubwright/diff');
  const { openContract, releaseNamed } = await import('../check/contracts.ts');
  const { policyIn } = await import('../project/policy.ts');
  if (options.policy !== POLICY && !existsSync(resolve(io.cwd, options.policy))) {
    throw new Error(`--policy: got ${options.policy}, expected a file`);
  }
  const policy = policyIn(options.policy, io.cwd);
  const access = accessOf(io, options);
  io.progress.show(`checking ${contract}`);
  const after = await openContract(contract, { variable: 'CONTRACT', ...access });
  const releases = releasesIn(RELEASED, io.cwd);
  const release =
    base === LATEST
      ? baselineOf(releases, versionOf(after.definition))
      : releaseNamed(base, { cwd: io.cwd });
  io.progress.show(`checking ${release?.path ?? base}`);
  const before = await openContract(release?.path ?? base, {
    path: contract,
    isBase: true,
    ...access,
  });
  if (options.failOn === 'used' && options.traffic === undefined) {
    throw new Error('--fail-on: got used, expected --traffic as well');
  }
  const onOperation = io.progress.counting('comparing operation');
  const { minimumNoticeDays } = policy;
  const found = changesBetween(before, after, { onOperation, minimumNoticeDays });
  const { changes: all, ignored, warnings } = applyPolicy(found, policy);
  const contracts = { before: before.definition, after: after.definition };
  const { minimumDays } = policy;
  const changes = await withCallers(all, contracts, { ...options, io, minimumDays });
  if (release !== undefined) {
    warnings.push(...versionWarning(changes, before.definition, after.definition));
  }
  warnings.push(...before.errors.map((each) => `warning: not compared, for an error: ${each}`));
  for (const warning of warnings) io.stderr.write(`${warning}\n`);
  const { failOn } = options;
  const isFailing = ({ severity, traffic }: Change) =>
    failOn === 'used'
      ? severity === 'breaking' && traffic?.isUsed !== false
      : severity === 'breaking' || severity === failOn;
  const failing = changes.filter(isFailing);
  const error =
    failOn === 'none'
      ? undefined
      : releaseError(failOn === 'used' ? failing : changes, before.definition, after.definition, {
          failOn: failOn === 'used' ? 'breaking' : failOn,
          versions: policy.versions,
        });
  const shown = options.check ? (error === undefined ? [] : failing) : changes;
  const note = ignored === 0 ? '' : `, ${ignored} ignored by ${options.policy}`;
  outputFor(io, options.format).write(await textOf(shown, { before, after }, note, options));
  if (error === undefined) return;
  io.stderr.write(`${error}\n`);
  throw new FailedCheck();
}

interface TrafficOptions extends Pick<Options, 'traffic' | 'caller'> {
  readonly io: CommandIo;
  readonly minimumDays: number;
}

/** @returns the changes with the callers that recorded requests show */
async function withCallers(
  changes: readonly Change[],
  contracts: { readonly before: Contract; readonly after: Contract },
  { traffic, caller, io, minimumDays }: TrafficOptions,
): Promise<readonly Change[]> {
  if (traffic === undefined) return changes;
  const { withTraffic } = await import('../traffic/changeTraffic.ts');
  const { readTraffic } = await import('@stubwright/traffic');
  const records = readTraffic(traffic, { cwd: io.cwd, callerHeader: caller?.toLowerCase() });
  const result = await withTraffic(changes, contracts, { records, minimumDays });
  io.stderr.write(`${result.summary}\n`);
  return result.changes;
}

/** The package has no site of its own. */
const HELP = 'https://www.npmjs.com/package/@stubwright/cli';

function ruleHelp(rule: string): RuleHelp {
  const words = rule.replaceAll('-', ' ');
  return { description: `${words[0]!.toUpperCase()}${words.slice(1)}.`, uri: HELP };
}

async function textOf(
  changes: readonly Change[],
  { before, after }: Readonly<Record<'before' | 'after', NamedContract>>,
  note: string,
  { format, check, all }: Options,
): Promise<string> {
  const { changeFindings, countsOf, isQuiet, jsonOf, markdownOf, reportOf } = await import(
    '@stubwright/diff'
  );
  const locations = { before: before.locations, after: after.locations };
  if (format === 'json') return `${JSON.stringify(jsonOf(changes, locations), null, 2)}\n`;
  if (format !== 'text' && format !== 'markdown') {
    const findings = changeFindings(changes, locations);
    return findingsAs(format, findings, { command: 'diff', help: ruleHelp });
  }
  const shown = all ? changes : changes.filter((each) => !isQuiet(each));
  const hidden = changes.length - shown.length;
  const hiddenNote = hidden === 0 ? '' : `, ${hidden} of documentation (--all)`;
  const summary = `${after.name} since ${before.name}: ${countsOf(shown)}${hiddenNote}${note}`;
  if (format === 'markdown') return markdownOf(shown, summary);
  const report = shown.length > 0 ? `${reportOf(shown, locations)}\n\n` : '';
  return check ? report : `${report}${summary}\n`;
}
