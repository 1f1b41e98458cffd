// The type check of `stubwright dev`: the last result is that of the last save, whatever the others do.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runs } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { TypeCheck } from '../src/dev/saveChecks.ts';
import { createFolder, type ToyProject } from './support/toyProject.ts';

let folder: ToyProject;
let types: TypeCheck;
let reports: string[][];
const write = (file: string, text: string) => folder.write(file, text);

/** A compiler that reads `state` at its start, and reports it after a while. */
const COMPILER = `
const { readFileSync } = require('node:fs');
const state = readFileSync('state', 'utf8');
setTimeout(() => {
  if (state !== '0') console.log('src/service.ts(1,1): error TS2322: ' + state);
  process.exitCode = state === '0' ? 0 : 2;
}, 20);
`;

beforeEach(() => {
  folder = createFolder();
  write('package.json', '{}');
  write('tsconfig.json', '{}');
  write('node_modules/typescript/package.json', '{}');
  write('node_modules/typescript/bin/tsc', COMPILER);
  reports = [];
  types = new TypeCheck(folder.path, (lines) => reports.push([...lines]));
});
afterEach(() => {
  types.stop();
  folder.remove();
});

const isResult = ([line]: readonly string[]) => line !== 'checking…';
const resultOf = (state: string) =>
  state === '0' ? ['no errors'] : [`src/service.ts(1,1): error TS2322: ${state}`];

async function untilIdle(): Promise<void> {
  while (reports.length === 0 || !isResult(reports.at(-1)!)) await sleep(5);
}

describe('TypeCheck', () => {
  it('reports the last of any saves at last', async () => {
    const save = fc.tuple(fc.constantFrom('0', '1', '2', '3'), fc.nat({ max: 120 }));
    await fc.assert(
      fc.asyncProperty(fc.array(save, { minLength: 1, maxLength: 6 }), async (saves) => {
        reports.length = 0;
        for (const [state, waitMs] of saves) {
          write('state', state);
          types.request();
          await sleep(waitMs);
        }
        await untilIdle();
        expect(reports.at(-1)).toEqual(resultOf(saves.at(-1)![0]));
        // Each check that starts has a result.
        expect(reports.map(isResult)).toEqual(reports.map((_, at) => at % 2 === 1));
      }),
      { numRuns: runs(100) },
    );
  });

  it('reports results while saves follow each other faster than a check ends', async () => {
    for (let state = 1; reports.filter(isResult).length < 3; state++) {
      write('state', `${state}`);
      types.request();
      await sleep(5);
    }
  });

  it.each([
    ['ends without a result', 'process.exit(3)', 'not checked: tsc ended with 3, expected 0'],
    [
      'is killed',
      'process.kill(process.pid, "SIGKILL")',
      'not checked: tsc ended with SIGKILL, expected 0',
    ],
  ])('reports a compiler that %s, and checks the next save', async (_, compiler, line) => {
    write('state', '0');
    write('node_modules/typescript/bin/tsc', compiler);
    types.request();
    await untilIdle();
    expect(reports).toEqual([['checking…'], [line]]);
    write('node_modules/typescript/bin/tsc', COMPILER);
    types.request();
    reports.length = 0;
    await untilIdle();
    expect(reports).toEqual([['no errors']]);
  });

  it('reports nothing after its stop', async () => {
    write('state', '1');
    types.request();
    types.stop();
    await sleep(100);
    expect(reports).toEqual([['checking…']]);
  });
});
