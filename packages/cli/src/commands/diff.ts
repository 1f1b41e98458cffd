// `stubwright diff`: reports the changes between two contracts for clients of the first.
import { existsSync } from 'node:fs';
import { Command, Option } from 'commander';
import type { NamedContract } from '../check/contracts.ts';
import type { Change } from '../diff/change.ts';
import { baselineOf, type FailOn, releasesIn, versionOf } from '../diff/report/releases.ts';
import type { Access } from '../loading/containment.ts';
import { type Format, findingsAs, formatOption } from '../output/formats.ts';
import { CONTRACT, POLICY, RELEASED } from '../project/layout.ts';
import { allowOutsideOption } from './allowOutside.ts';

const LATEST = 'latest';
const NOT_RELEASED = `${RELEASED}/ holds no release of ${CONTRACT}, nothing to compare\n`;

interface Options extends Access {
  readonly check?: true;
  readonly failOn: FailOn | 'none';
  readonly policy: string;
  readonly format: Format;
}

export const diff = new Command('diff')
  .summary('report the changes between two contracts for clients of the first')
  .argument(
    '[base]',
    'the first: a release, a path, a git revision, REVISION:path, or latest, the release that the contract follows',
    LATEST,
  )
  .argument('[contract]', 'path of the second', CONTRACT)
  .addOption(
    new Option('--fail-on <severity>', 'exit with 1 if the version permits no such change')
      .choices(['breaking', 'risky', 'none'])
      .default('breaking'),
  )
  .option('--check', 'print only the changes that fail')
  .option('--policy <file>', 'severities and accepted changes of the project', POLICY)
  .addOption(allowOutsideOption())
  .addOption(formatOption())
  .action(async (base: string, contract: string, options: Options) => {
    if (base === LATEST && releasesIn(RELEASED).length === 0) {
      process.stdout.write(NOT_RELEASED);
    } else await compare(base, contract, options);
  });

async function compare(base: string, contract: string, options: Options): Promise<void> {
  const { changesBetween } = await import('../diff/changes.ts');
  const { contractOf } = await import('../check/contracts.ts');
  const { applyPolicy, policyIn } = await import('../diff/report/policy.ts');
  const { releaseError, versionWarning } = await import('../diff/report/releases.ts');
  if (options.policy !== POLICY && !existsSync(options.policy)) {
    throw new Error(`--policy: got ${options.policy}, expected a file`);
  }
  const policy = policyIn(options.policy);
  const { allowOutside } = options;
  const after = await contractOf(contract, { variable: 'CONTRACT', allowOutside });
  const releases = releasesIn(RELEASED);
  const release =
    base === LATEST
      ? baselineOf(releases, versionOf(after.definition))
      : releases.find((each) => each.version === base || each.path === base);
  const before = await contractOf(release?.path ?? base, { path: contract, allowOutside });
  const { changes, ignored, warnings } = applyPolicy(changesBetween(before, after), policy);
  if (release !== undefined) {
    warnings.push(...versionWarning(changes, before.definition, after.definition));
  }
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  const { failOn } = options;
  const error =
    failOn === 'none'
      ? undefined
      : releaseError(changes, before.definition, after.definition, failOn);
  const failing = changes.filter(({ severity }) => severity === 'breaking' || severity === failOn);
  const shown = options.check ? (error === undefined ? [] : failing) : changes;
  const note = ignored === 0 ? '' : `, ${ignored} ignored by ${options.policy}`;
  await print(shown, { before, after }, note, options);
  if (error === undefined) return;
  process.stderr.write(`${error}\n`);
  process.exitCode = 1;
}

async function print(
  changes: readonly Change[],
  contracts: Readonly<Record<'before' | 'after', NamedContract>>,
  note: string,
  { format, check }: Options,
): Promise<void> {
  const { before, after } = contracts;
  const { changeFindings, countsOf, jsonOf, reportOf } = await import('../diff/report/report.ts');
  const locations = { before: before.locations, after: after.locations };
  if (format === 'json') {
    process.stdout.write(`${JSON.stringify(jsonOf(changes, locations), null, 2)}\n`);
  } else if (format !== 'text') {
    process.stdout.write(findingsAs(format, changeFindings(changes, locations), 'diff'));
  } else {
    if (changes.length > 0) process.stdout.write(`${reportOf(changes, locations)}\n\n`);
    if (!check)
      process.stdout.write(`${after.name} since ${before.name}: ${countsOf(changes)}${note}\n`);
  }
}
