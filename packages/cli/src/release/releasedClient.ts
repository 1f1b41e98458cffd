// The client package of a release, with the changes since the release before.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { applyPolicy, changelogOf, changesBetween } from '@stubwright/diff';
import { versionOf } from '@stubwright/diff/versions';
import type { NamedContract } from '../check/contracts.ts';
import { clientPackage } from '../client/clientPackage.ts';
import { POLICY } from '../project/layout.ts';
import { policyIn } from '../project/policy.ts';
import type { Release } from '../project/releases.ts';
import { type ChosenTypes, chosenTypes, type ValueTypes } from '../types/valueTypes.ts';

const MANIFEST = 'package.json';
const CHANGELOG = 'CHANGELOG.md';

interface Previous {
  /** Of the package; by default from the title. */
  readonly name: string | undefined;
  readonly types: ChosenTypes | undefined;
  readonly last: Release | undefined;
  readonly before: NamedContract | undefined;
  readonly cwd: string;
}

/**
 * @param path of the released contract
 * @returns the files by path, and a line that names the package
 */
export async function releasedClient(
  path: string,
  contract: NamedContract,
  previous: Previous,
): Promise<{ files: [string, string][]; line: string }> {
  const folder = folderOf(path);
  const { document } = contract.definition;
  const types = typesOf(previous);
  const written = await clientPackage(contract.name, { document }, { name: previous.name, types });
  const { name, version } = written;
  const manifest = JSON.parse(written.files.get(MANIFEST)!);
  manifest.files.push(CHANGELOG);
  const files = new Map(written.files)
    .set(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`)
    .set(CHANGELOG, changelogText(contract, previous));
  return {
    files: [...files].map(([file, text]) => [join(folder, file), text]),
    line: `${folder}: ${name} ${version}`,
  };
}

function typesOf({ types, last, cwd }: Previous): ValueTypes {
  const path = last && resolve(cwd, folderOf(last.path), MANIFEST);
  const manifest = path && existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  return chosenTypes(types ?? { dates: undefined, int64: undefined }, manifest);
}

function folderOf(path: string): string {
  return path.replace(/\.ya?ml$/, '.client');
}

/** The changes of this version, then those of the versions before. */
function changelogText({ definition, ...contract }: NamedContract, previous: Previous): string {
  const { last, before, cwd } = previous;
  const after = versionOf(definition);
  if (last === undefined || before === undefined) return `# ${after}\n\nThe first release.\n`;
  const { severities, minimumNoticeDays } = policyIn(POLICY, cwd);
  const changes = changesBetween(before, { definition, ...contract }, { minimumNoticeDays });
  const classified = applyPolicy(changes, { severities, ignore: [] }).changes;
  const name = String(definition.document.info?.title);
  const text = changelogOf(classified, { name, before: versionOf(before.definition), after });
  const earlier = resolve(cwd, folderOf(last.path), CHANGELOG);
  return existsSync(earlier) ? `${text}\n${readFileSync(earlier, 'utf8')}` : text;
}
