// The bundle of toys.yaml, written once in each run: @stubwright/cli is slow to import.
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { bundleText } from '@stubwright/contract';
import { oncePerRun } from './runFolder.ts';
import { CONTRACT } from './toyService.ts';

/** @returns the path of the bundle */
export function toysBundle(): Promise<string> {
  return oncePerRun('toys.json', async (path) => {
    const { bundleOf } = await import('@stubwright/cli/loader');
    writeFileSync(path, bundleText(await bundleOf(CONTRACT, dirname(path))));
  });
}
