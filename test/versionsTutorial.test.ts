// The tutorial of docs/stubwright/versions.md, with the packages of this repository; test/publishing has the published ones.
import { afterAll, expect, it } from '@jest/globals';
import { temporaryFolder } from './support/service.ts';
import { followedLocally, tutorial } from './support/versionsTutorial.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

it('shows the current output of its commands; make transcripts writes it', async () => {
  expect(await followedLocally(folder.path)).toBe(tutorial());
});
