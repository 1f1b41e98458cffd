// `stubwright changelog`: writes the changes between two contracts as Markdown or HTML.

import type { Change } from '@stubwright/diff';
import { baselineOf, compareVersions, versionOf } from '@stubwright/diff/versions';
import { type Command, Option } from 'commander';
import type { NamedContract } from '../check/contracts.ts';
import type { Access } from '../loading/containment.ts';
import type { CommandIo } from '../output/io.ts';
import { mayServeVersions, POLICY, RELEASED } from '../project/layout.ts';
import { releasesIn } from '../project/releases.ts';
import { type AllowOutside, accessOf, contractArgument, StubwrightCommand } from './options.ts';

interface Options extends AllowOutside {
  readonly from?: string;
  readonly to?: string;
  readonly format: 'markdown' | 'html';
}

interface ProjectContract
  extends Required<Omit<Access, 'sources' | 'isRelease'>>,
    Pick<Options, 'format'> {
  readonly path: string;
}

export function changelog(io: CommandIo): Command {
  return new StubwrightCommand('changelog')
    .summary('write the changes between two contracts as Markdown or HTML')
    .description(
      'Writes the changes between two contracts, or two releases, as Markdown or HTML for readers of an API.',
    )
    .addArgument(contractArgument({ readsStdin: true }))
    .option('--from <base>', 'a release, a path or a git revision; by default the release before')
    .option('--to <base>', 'the same; by default the contract')
    .addOption(
      new Option('--format <format>', 'html: one page, with the old and the new YAML')
        .choices(['markdown', 'html'])
        .default('markdown'),
    )
    .with('allowOutside', 'overlay')
    .action(async (path: string, { from, to = path, format, ...options }: Options) => {
      io.stdout.write(await textBetween(from, to, { path, format, ...accessOf(io, options, to) }));
    })
    .withExamples('changelog --from 1.0.0 --to 1.1.0');
}

/** Without `from`: since the release before `to`, or before `to` if that is a release without changes. */
async function textBetween(
  from: string | undefined,
  to: string,
  contract: ProjectContract,
): Promise<string> {
  const releases = releasesIn(RELEASED, contract.cwd);
  if (from === undefined && releases.length === 0) {
    const line = `${RELEASED}/ holds no release of ${contract.path}, nothing to compare`;
    if (contract.format === 'html') throw new Error(line);
    return `${line}\n`;
  }
  const after = await contractNamed('TO', to, contract);
  const version = versionOf(after.definition);
  const isRelease = releases.some((release) => release.version === to);
  const baseline = isRelease ? undefined : baselineOf(releases, version);
  const base = from ?? baseline?.path;
  if (base !== undefined) {
    const written = await changelogBetween(base, to, after, contract);
    const isOther = from !== undefined || baseline!.version !== version;
    if (isOther || !written.isEmpty) return written.text;
  }
  // The contract is the newest release.
  const previous = releases.findLast((release) => compareVersions(release.version, version) < 0);
  if (previous !== undefined) {
    return (await changelogBetween(previous.path, version, after, contract)).text;
  }
  return `${to} is the first release, nothing to compare\n`;
}

async function changelogBetween(
  from: string,
  to: string,
  after: NamedContract,
  contract: ProjectContract,
) {
  if (from === to) throw new Error(`FROM and TO: got ${from} twice, expected two contracts`);
  const before = await contractNamed('FROM', from, { ...contract, overlays: undefined });
  const { applyPolicy, changelogOf, changelogPage, changesBetween } = await import(
    '@stubwright/diff'
  );
  const { policyIn } = await import('../project/policy.ts');
  const { severities, minimumNoticeDays } = policyIn(POLICY, contract.cwd);
  const changes = changesBetween(before, after, { minimumNoticeDays });
  const { changes: found } = applyPolicy(changes, { severities, ignore: [] });
  const version = versionOf(after.definition);
  const title = {
    ...{ name: String(after.definition.title), before: versionOf(before.definition) },
    after: version,
  };
  const isEmpty = changes.length === 0;
  const { path, format, ...access } = contract;
  const written = (listed: readonly Change[]) => ({
    text:
      format === 'html'
        ? changelogPage(listed, title, { before: before.definition, after: after.definition })
        : changelogOf(listed, title),
    isEmpty,
  });
  if (to !== path) return written(found);
  // A contract that differs from the release of its version is not released.
  const isReleased = releasesIn(RELEASED, access.cwd).some(
    (release) => release.version === version,
  );
  if (isReleased && !isEmpty) title.after = 'unreleased';
  if (!mayServeVersions(access.cwd)) return written(found);
  // The served versions convert to the contract of the project.
  const { ServedClients } = await import('../serving/servedClients.ts');
  const served = await ServedClients.of(path, access);
  return written(served.converted(found, before.definition.version));
}

async function contractNamed(
  variable: string,
  name: string,
  contract: ProjectContract,
): Promise<NamedContract> {
  const { openContract, releaseNamed } = await import('../check/contracts.ts');
  const release = releaseNamed(name, { variable, cwd: contract.cwd });
  return openContract(release?.path ?? name, { variable, ...contract });
}
