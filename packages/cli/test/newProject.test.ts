// `stubwright init` checks a contract once: a check of a large contract takes seconds.
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import * as redocly from '@redocly/openapi-core';
import {
  type TemporaryFolder,
  temporaryFolder,
} from '../../stubwright/test/support/temporaryFolder.ts';

let checks = 0;
jest.unstable_mockModule('@redocly/openapi-core', () => ({
  ...redocly,
  lint(options: Parameters<typeof redocly.lint>[0]) {
    checks++;
    return redocly.lint(options);
  },
}));
const { newProject } = await import('../src/project/newProject.ts');

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
  checks = 0;
});
afterEach(() => folder.remove());

describe('newProject', () => {
  it.each([
    ['one file', 'packages/stubwright/test/support/toys.yaml'],
    ['several files', 'packages/stubwright/test/regressions/operation-ref/openapi.yaml'],
  ])('checks a contract of %s once', async (_, path) => {
    const { files } = await newProject(resolve(path), join(folder.path, 'new'));
    expect([...files.keys()]).toContain('generated/contract.json');
    expect(checks).toBe(1);
  });
});
