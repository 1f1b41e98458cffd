// Sends the recorded requests of releases to a service, and compares the responses with those releases.
import { recordedFor } from '@stubwright/traffic';
import { openContract } from '../check/contracts.ts';
import { CONTRACT, RELEASED } from '../project/layout.ts';
import { type Release, releasesIn } from '../project/releases.ts';
import type { RoundTrips } from '../serving/roundTrips.ts';
import { servedSelections } from '../serving/servedFiles.ts';
import { ReplayedRelease } from './replayedRelease.ts';
import { replayText } from './replayReport.ts';
import type { Replay, ReplayedConversation, ReplayOptions } from './results.ts';
import { startOf } from './startedService.ts';

export { recordedFor } from '@stubwright/traffic';
export type {
  Replay,
  ReplayedConversation,
  ReplayFailure,
  ReplayOptions,
} from './results.ts';
export type { StartedService, StartIn } from './startedService.ts';

/**
 * Replays the requests of the clients of each release, and checks the converters of each served version.
 *
 * @throws {Error} for a release that does not exist, and a service that cannot be reached
 * @example
 * const { passed, report } = await replayReleases();
 * assert.ok(passed, report);
 */
export async function replayReleases(options: ReplayOptions = {}): Promise<Replay> {
  const { cwd = '', contract = CONTRACT, folder = RELEASED, allowOutside = [] } = options;
  const access = { cwd, allowOutside };
  const served = servedSelections(cwd);
  const all = selected(releasesIn(folder, cwd), options.release, folder);
  const releases = options.versions ? all.filter(({ version }) => served.has(version)) : all;
  const conversations: ReplayedConversation[] = [];
  const roundTrips: RoundTrips[] = [];
  if (releases.length > 0 || served.size > 0) {
    const current = await openContract(contract, { variable: 'CONTRACT', ...access });
    const start = await startOf({ ...options, cwd, contract: current });
    for (const release of releases) {
      const version = served.get(release.version);
      const released = await openContract(release.path, access);
      const recorded = recordedFor(release, cwd);
      // Loaded on demand: it generates a client.
      const clients = options.client ? await import('./clientRequests.ts') : undefined;
      const client = await clients?.ClientRequests.of(release.path, released.definition, cwd);
      const context = { released, current, start, options, client, served: version };
      const replayed = new ReplayedRelease(release.version, context);
      for (const each of recorded) conversations.push(await replayed.converse(each));
    }
    if (served.size > 0) {
      const { versionRoundTrips } = await import('../serving/servedClients.ts');
      roundTrips.push(...(await versionRoundTrips(current, options.release, access)));
    }
  }
  const result = {
    releases: releases.map(({ version }) => version),
    ...{ conversations, roundTrips },
    passed:
      conversations.every(({ outcome }) => outcome !== 'failed') &&
      roundTrips.every(({ findings }) => findings.length === 0),
  };
  return { ...result, report: replayText(result) };
}

function selected(releases: readonly Release[], version: string | undefined, folder: string) {
  if (version === undefined) return releases;
  const found = releases.filter((each) => each.version === version);
  if (found.length > 0) return found;
  const known = releases.map((each) => each.version).join(', ') || 'none yet';
  throw new Error(`--release: got ${version}, expected a release in ${folder}/ (${known})`);
}
