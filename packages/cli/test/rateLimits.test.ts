// `stubwright check` on x-rate-limit.
import { expect, it } from '@jest/globals';
import { createEmptyProject } from './support/toyProject.ts';

it.each([
  [
    'x-rate-limit: { requests: 10 }',
    /x-rate-limit: window: got nothing, expected a time .*rate-limit/,
  ],
  [
    'security: []\n      x-rate-limit: { requests: 10, window: 1m }',
    /x-rate-limit: expected security requirements: .*rate-limit/,
  ],
])('check reports %j', async (fields, message) => {
  const project = createEmptyProject();
  const text = project
    .read('openapi.yaml')
    .replace('operationId: getToy', `operationId: getToy\n      ${fields}`);
  project.write('openapi.yaml', text);
  const { status, out } = await project.run('check');
  project.remove();
  expect(status).toBe(1);
  expect(out).toMatch(message);
  expect(out).toMatch(/openapi.yaml:\d+:\d+ {2}x-rate-limit/);
});
