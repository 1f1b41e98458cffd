import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { oncePerRun } from '../runFolder.ts';

it('makes a file once for callers that meet', async () => {
  let calls = 0;
  const make = (path: string) => {
    calls++;
    writeFileSync(path, 'made', { flag: 'wx' });
  };
  const name = randomUUID();
  const paths = await Promise.all([oncePerRun(name, make), oncePerRun(name, make)]);
  expect(calls).toBe(1);
  expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(['made', 'made']);
});
