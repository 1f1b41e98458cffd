// The bundle of toys.yaml, written once in each run: @stubwright/cli is slow to import.
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { bundleText } from '@stubwright/contract';
import { CONTRACT } from './toyService.ts';

/** test/support/startOfRun.ts removes its folder. */
const TOYS_BUNDLE = 'build/toys/contract.json';

/** @returns the path of the bundle; renamed into place, because test files run in parallel */
export async function toysBundle(): Promise<string> {
  if (existsSync(TOYS_BUNDLE)) return TOYS_BUNDLE;
  const { bundleOf } = await import('../cli/src/loading/load.ts');
  const folder = dirname(TOYS_BUNDLE);
  const own = `${TOYS_BUNDLE}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(own, bundleText(await bundleOf(CONTRACT, folder)));
  renameSync(own, TOYS_BUNDLE);
  return TOYS_BUNDLE;
}
