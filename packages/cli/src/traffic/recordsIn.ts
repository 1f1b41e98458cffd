// The recorded requests that `--traffic` and `--caller` of a command name.
import type { Contract } from '@stubwright/contract';
import type { TrafficRecord } from '@stubwright/traffic';

export interface RecordingOptions {
  readonly traffic?: readonly string[] | undefined;
  readonly caller?: string | undefined;
}

/** @returns undefined without `--traffic` */
export async function recordsIn(
  { traffic, caller }: RecordingOptions,
  { cwd }: { readonly cwd: string },
): Promise<AsyncIterable<TrafficRecord> | undefined> {
  if (traffic === undefined) return undefined;
  const { readTraffic } = await import('@stubwright/traffic');
  return readTraffic(traffic, { cwd, callerHeader: caller?.toLowerCase() });
}

/**
 * @param files of a recording @param most records that are read
 * @returns the callers, as text by JSON pointer of the operation
 */
export async function operationCallers(
  definition: Contract,
  { files, cwd, most }: { files: readonly string[]; cwd: string; most: number },
): Promise<ReadonlyMap<string, string>> {
  const records = await recordsIn({ traffic: files }, { cwd });
  const { callersIn } = await import('./trafficCheck.ts');
  return callersIn(definition, records!, most);
}

/** @yields the records of other versions than these */
export async function* recordsWithout(
  versions: ReadonlySet<string>,
  records: AsyncIterable<TrafficRecord>,
): AsyncGenerator<TrafficRecord, void, undefined> {
  for await (const record of records) {
    const { contract = '' } = record.entry ?? record.usage;
    if (!versions.has(contract)) yield record;
  }
}
