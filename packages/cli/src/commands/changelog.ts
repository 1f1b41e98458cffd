// `stubwright changelog`: writes the changes between two contracts as Markdown.
// Usage: changelog.ts [FROM [TO]], each a release, a path or a git revision
import {
  CONTRACT,
  contractOf,
  type NamedContract,
  NOT_RELEASED,
  RELEASED,
} from '../check/contracts.ts';
import { changelogOf } from '../diff/changelog.ts';
import { changesBetween } from '../diff/changes.ts';
import { releasesIn, versionOf } from '../diff/releases.ts';

const releases = releasesIn(RELEASED);
const [from = releases.at(-1)?.version, to = CONTRACT] = process.argv.slice(2);

try {
  process.stdout.write(from === undefined ? NOT_RELEASED : await changelogBetween(from, to));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function changelogBetween(from: string, to: string): Promise<string> {
  const before = await contractOf(pathOf(from));
  const after = await contractOf(pathOf(to));
  const name = String(after.definition.document.info?.title);
  const title = { name, before: titleOf(from, before), after: titleOf(to, after) };
  return changelogOf(changesBetween(before, after), title);
}

function pathOf(contract: string): string {
  return releases.find(({ version }) => version === contract)?.path ?? contract;
}

/** An unreleased contract may still have the version of the last release. */
function titleOf(contract: string, { definition }: NamedContract): string {
  const version = versionOf(definition);
  return contract === CONTRACT && releases.some((each) => each.version === version)
    ? 'unreleased'
    : version;
}
