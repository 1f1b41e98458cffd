// The recorded requests that `--traffic` and `--caller` of a command name.
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
