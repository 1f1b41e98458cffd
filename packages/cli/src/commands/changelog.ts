// `stubwright changelog`: writes the changes between two contracts as Markdown.
// Usage: changelog.ts [--from CONTRACT] [--to CONTRACT], each a release, a path or a git revision
import { parseArgs } from 'node:util';
import {
  CONTRACT,
  contractOf,
  type NamedContract,
  NOT_RELEASED,
  RELEASED,
} from '../check/contracts.ts';
import type { Change } from '../diff/change.ts';
import { changelogOf } from '../diff/changelog.ts';
import { changesBetween } from '../diff/changes.ts';
import { applyPolicy, POLICY, policyIn } from '../diff/policy.ts';
import { baselineOf, releasesIn, versionOf } from '../diff/releases.ts';
import { compareVersions } from '../diff/versions.ts';

const releases = releasesIn(RELEASED);

try {
  const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } });
  process.stdout.write(await changelog(values.from, values.to));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

/** Without `from`: since the release before `to`, or before `to` if that is a release without changes. */
async function changelog(from: string | undefined, to = CONTRACT): Promise<string> {
  if (from === undefined && releases.length === 0) return NOT_RELEASED;
  const after = await contractNamed('TO', to);
  const version = versionOf(after.definition);
  const isRelease = releases.some((each) => each.version === to);
  const base = from ?? (isRelease ? undefined : baselineOf(releases, version)?.version);
  if (base !== undefined) {
    const written = await changelogBetween(base, to, after);
    if (from !== undefined || !written.isEmpty || base !== version) return written.text;
  }
  // The contract is the newest release.
  const previous = releases.findLast((each) => compareVersions(each.version, version) < 0);
  if (previous !== undefined) {
    return (await changelogBetween(previous.version, version, after)).text;
  }
  return `${to} is the first release, nothing to compare\n`;
}

async function changelogBetween(from: string, to: string, after: NamedContract) {
  if (from === to) throw new Error(`FROM and TO: got ${from} twice, expected two contracts`);
  const before = await contractNamed('FROM', from);
  const changes = changesBetween(before, after);
  const { severities } = policyIn(POLICY);
  const classified = applyPolicy(changes, { severities, ignore: [] }).changes;
  const name = String(after.definition.document.info?.title);
  const title = { name, before: versionOf(before.definition), after: titleOf(to, after, changes) };
  return { text: changelogOf(classified, title), isEmpty: changes.length === 0 };
}

/** @throws {Error} that lists the releases for an unknown name */
async function contractNamed(variable: string, name: string): Promise<NamedContract> {
  const release = releases.find(({ version }) => version === name);
  const versions = releases.map(({ version }) => version).join(', ');
  const expected = `a release (${versions || 'none yet'}), the path of a contract or a git revision`;
  return contractOf(release?.path ?? name, variable, expected);
}

/** A contract that differs from the release of its version is not released. */
function titleOf(
  contract: string,
  { definition }: NamedContract,
  changes: readonly Change[],
): string {
  const version = versionOf(definition);
  const isReleased = releases.some((each) => each.version === version);
  return contract === CONTRACT && isReleased && changes.length > 0 ? 'unreleased' : version;
}
