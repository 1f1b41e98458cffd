// Stores a contract, the requests of its clients and a client package as a release.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract } from '@stubwright/contract';
import { applyPolicy, changelogOf, changesBetween } from '@stubwright/diff';
import { baselineOf, releaseError, versionOf } from '@stubwright/diff/versions';
import type { Conversation } from '@stubwright/traffic';
import { type NamedContract, openContract } from '../check/contracts.ts';
import { clientPackage } from '../client/clientPackage.ts';
import { HANDLER_INDEX, implementedIn } from '../coverage/coverage.ts';
import type { Access } from '../loading/containment.ts';
import { FailedCheck } from '../output/errors.ts';
import type { Progress } from '../output/terminal.ts';
import { POLICY } from '../project/layout.ts';
import { policyIn } from '../project/policy.ts';
import { type Release, releasesIn } from '../project/releases.ts';
import { expectGenerated, replaceFiles } from '../project/writeFiles.ts';
import { ServedClients } from '../serving/servedClients.ts';
import { type ChosenTypes, chosenTypes, type ValueTypes } from '../types/valueTypes.ts';
import { conversationsOf, unrecordedResponses } from './conversations.ts';

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
async function releasedClient(
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

interface ReleaseOptions extends Access {
  /** The path of a module that exports `errorScenarios`. */
  readonly scenariosPath?: string | undefined;
  /** The name of the client package, by default from the title; false to write none. */
  readonly client?: string | false | undefined;
  /** Of the client; by default those of the client of the release before. */
  readonly types?: ChosenTypes | undefined;
  /** Also overwrites files that no command has written. */
  readonly force?: boolean | undefined;
  readonly deferSignals?: (() => void) | undefined;
  readonly progress?: Progress | undefined;
}

/**
 * @returns a line that names the files, one for the client package, and one for the mocked operations
 * @throws {FailedCheck} if the contract cannot be released
 */
export async function writeRelease(
  path: string,
  folder: string,
  {
    scenariosPath,
    client: named,
    types,
    force,
    deferSignals,
    progress,
    ...access
  }: ReleaseOptions = {},
): Promise<string> {
  const { cwd = '' } = access;
  progress?.show(`checking ${path}`);
  const contract = await openContract(path, { variable: 'CONTRACT', ...access });
  const version = versionOf(contract.definition);
  const target = join(folder, `${version}.yaml`);
  if (existsSync(resolve(cwd, target))) {
    throw new FailedCheck(
      `${version} is released already: expected another info.version in ${path}`,
    );
  }
  const last = baselineOf(releasesIn(folder, cwd), version);
  const before = last && (await openContract(last.path, { ...access, isRelease: true }));
  if (last !== undefined && before !== undefined) {
    const policy = policyIn(POLICY, cwd);
    const onOperation = progress?.counting(`comparing with ${last.path}: operation`);
    const { minimumNoticeDays, versions } = policy;
    const found = changesBetween(before, contract, { onOperation, minimumNoticeDays });
    const served = await ServedClients.of(path, access);
    const since = before.definition.version;
    const changes = served.converted(applyPolicy(found, policy).changes, since);
    const error =
      served.errorOf(changes, since) ??
      releaseError(changes, before.definition, contract.definition, { versions });
    const others = served.unconverted(policy, since).map((changes) => served.errorText(changes));
    const errors = [...(error === undefined ? [] : [error]), ...others];
    if (errors.length > 0) throw new FailedCheck(errors.join('\n'));
  }
  progress?.show('generating requests');
  const mocked = await mockedIn(contract.definition, cwd);
  const { conversations, unrecorded } = await conversationsFor(
    contract.definition,
    scenariosPath,
    cwd,
  );
  if (named !== false) progress?.show('generating the client');
  const requests = target.replace(/\.yaml$/, '.requests.json');
  const client =
    named === false
      ? undefined
      : await releasedClient(target, contract, { name: named, types, last, before, cwd });
  const files = new Map([
    [target, (await contract.publish()).text],
    [requests, `${JSON.stringify(conversations, null, 2)}\n`],
    ...(client?.files ?? []),
  ]);
  expectGenerated(files, { cwd, force });
  replaceFiles(files, { cwd, deferSignals });
  const lines = [
    `${target}: ${conversations.length} conversations in ${requests}`,
    ...(client === undefined ? [] : [client.line]),
    ...(mocked.length === 0 ? [] : [`mocked: ${mocked.join(', ')}`]),
    ...(unrecorded.length === 0 ? [] : [`without a request: ${unrecorded.join(', ')}`]),
  ];
  return lines.join('\n');
}

/** Their requests are stored too: they hold for the handlers to come. */
async function mockedIn({ operations }: Contract, cwd: string): Promise<string[]> {
  const isImplemented = await implementedIn(resolve(cwd, HANDLER_INDEX));
  return operations.map(({ operationId }) => operationId).filter((id) => !isImplemented(id));
}

/** @returns also the declared responses without a request, for a project with error scenarios */
async function conversationsFor(
  definition: Contract,
  scenariosPath: string | undefined,
  cwd: string,
): Promise<{ conversations: Conversation[]; unrecorded: readonly string[] }> {
  if (scenariosPath === undefined) {
    return { conversations: await conversationsOf(definition), unrecorded: [] };
  }
  const { errorScenarios } = await import(pathToFileURL(resolve(cwd, scenariosPath)).href);
  const conversations = await conversationsOf(definition, errorScenarios);
  return { conversations, unrecorded: unrecordedResponses(definition, conversations) };
}
