// Replays clients of every released contract against the current service.

import { describe, expect, it } from '@jest/globals';
import { releasesIn } from '@stubwright/cli/editor';
import { loadContractFiles } from '@stubwright/cli/loader';
import { recordedFor, replayReleases } from '@stubwright/cli/replay';
import { unrecordedResponses } from '../packages/cli/src/release/conversations.ts';
import { startIn } from './support/situations.ts';

const releases = releasesIn('test/released');

describe.each(releases)('a client of $version', ({ version, path }) => {
  it('gets the responses that its contract allows', async () => {
    const { passed, report, conversations } = await replayReleases({ release: version, startIn });
    expect({ passed, report }).toMatchObject({ passed: true });
    expect(conversations.map(({ outcome }) => outcome)).not.toContain('not run');
    const statuses = conversations.flatMap((each) => each.statuses);
    const isNewest = version === releases.at(-1)!.version;
    expect(statuses.filter((each) => isNewest && each.status !== each.recorded)).toEqual([]);
  });

  it('has a recorded request for every declared response', async () => {
    const { definition } = await loadContractFiles(path);
    const recorded = recordedFor({ path });
    expect(unrecordedResponses(definition, recorded)).toEqual([]);
  });
});
