// `stubwright init` checks a contract once: a check of a large contract takes seconds.
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Config } from '@redocly/openapi-core';
import {
  type TemporaryFolder,
  temporaryFolder,
} from '../../stubwright/test/support/temporaryFolder.ts';
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
    ['one file', 'packages/stubwright/test/support/toys.yaml', 1],
    ['several files', 'packages/stubwright/test/regressions/operation-ref/openapi.yaml', 2],
  ])('checks a contract of %s once', async (_, path, times) => {
    // Redocly asks for the rules once in each check, and to bundle several files.
    const checks = jest.spyOn(Config.prototype, 'getRulesForSpecVersion');
    const { files } = await newProject(resolve(path), join(folder.path, 'new'));
    expect([...files.keys()]).toContain('generated/contract.json');
    expect(checks).toHaveBeenCalledTimes(times);
  });
});
