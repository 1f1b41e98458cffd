// `stubwright init` checks a contract once: a check of a large contract takes seconds.
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { ContractWalk } from '../src/loading/walkContract.ts';
import { newProject } from '../src/project/newProject.ts';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  jest.restoreAllMocks();
  folder.remove();
});

describe('newProject', () => {
  it.each([
    ['one file', 'packages/test-support/toys.yaml'],
    ['several files', 'packages/test-support/regressions/operation-ref/openapi.yaml'],
  ])('checks a contract of %s once', async (_, path) => {
    // The files are found before they are checked.
    const walks = jest.spyOn(ContractWalk.prototype, 'walk');
    const { files } = await newProject(resolve(path), join(folder.path, 'new'));
    expect([...files.keys()]).toContain('generated/contract.json');
    expect(walks).toHaveBeenCalledTimes(2);
  });
});
