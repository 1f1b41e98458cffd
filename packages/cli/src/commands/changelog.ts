// `make changelog`: the difference between two contracts as Markdown for the teams that build clients.
// Usage: changelog.ts [FROM [TO]], each a released version, a path or a git revision; without them
// from the newest release to today's contract

import { CONTRACT, contractOf, type NamedContract, RELEASED } from '../check/contracts.ts';
import { changelogOf } from '../diff/changelog.ts';
import { changesBetween } from '../diff/changes.ts';
import { releasesIn, versionOf } from '../diff/releases.ts';

const releases = releasesIn(RELEASED);
const [from = releases.at(-1)?.version, to = CONTRACT] = process.argv.slice(2);

try {
  if (from === undefined) throw new Error(`FROM: got none, expected a contract in ${RELEASED}/`);
  const before = await contractOf(pathOf(from));
  const after = await contractOf(pathOf(to));
  const name = String(after.definition.document.info?.title);
  const title = { name, before: titleOf(from, before), after: titleOf(to, after) };
  process.stdout.write(changelogOf(changesBetween(before, after), title));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

function pathOf(asked: string): string {
  return releases.find(({ version }) => version === asked)?.path ?? asked;
}

/** A contract that is not released may still have the version of the one before. */
function titleOf(asked: string, { definition }: NamedContract): string {
  const version = versionOf(definition);
  return asked === CONTRACT && releases.some((each) => each.version === version)
    ? 'unreleased'
    : version;
}
