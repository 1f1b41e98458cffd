// For @stubwright/lsp: reads, checks and compares contracts that are open in an editor.
import type { Contract } from '@stubwright/contract';

export { openPair } from './check/contracts.ts';
export { type CheckResult, runChecks, undeclaredErrors } from './check/runChecks.ts';
export { type ContractModel, modelOf } from './loading/checkContract.ts';
export { buffersOver, type Sources } from './loading/containment.ts';
export { ContractFiles, type SourceFile } from './loading/files.ts';
export { gitRevision, hashOfRevision, mergeBase } from './loading/gitRevision.ts';
export { loadMockable, SourceLocations } from './loading/load.ts';
export type { LineAndColumn, Positions, TextRange } from './loading/parse.ts';
export { parseText } from './loading/parse.ts';
export { kindOfProperty, pointerOf, referrerOf, type Visit } from './loading/walk.ts';
export { CONTRACT, POLICY, RELEASED } from './project/layout.ts';
export { readPolicy } from './project/policy.ts';
export { releasesIn } from './project/releases.ts';

/**
 * @param files of a recording @param most records that are read
 * @returns the callers, as text by JSON pointer of the operation
 */
export async function operationCallers(
  definition: Contract,
  { files, cwd, most }: { files: readonly string[]; cwd: string; most: number },
): Promise<ReadonlyMap<string, string>> {
  const { readTraffic } = await import('@stubwright/traffic');
  const { callersIn } = await import('./traffic/trafficCheck.ts');
  return callersIn(definition, readTraffic(files, { cwd, callerHeader: undefined }), most);
}
