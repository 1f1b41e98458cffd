// The tutorial of docs/stubwright/versions.md, with the published packages: from an empty folder to clients of two versions.
import { afterAll, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { followed } from '../support/tutorial.ts';
import { tutorial } from '../support/versionsTutorial.ts';

/** The reader has 15 minutes, mostly to read and write. */
const COMMANDS_MS = 5 * 60_000;
const folder = temporaryFolder();
afterAll(() => folder.remove());

it('takes a reader to clients of two versions', async () => {
  const startedAt = performance.now();
  const env = {
    ...process.env,
    ALL_TESTS: '',
    NODE_OPTIONS: '',
    NODE_NO_WARNINGS: '1',
    COLUMNS: '100',
  };
  expect(await followed(tutorial(), { folder: folder.path, env })).toBe(tutorial());
  expect(performance.now() - startedAt).toBeLessThan(COMMANDS_MS);
});
