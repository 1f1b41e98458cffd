// Measures the time from the start of a process to its first 200.
import type { Contender } from './contenders.ts';
import { Server } from './server.ts';

/** Seconds of each start by contender name. */
export type Starts = ReadonlyMap<string, readonly number[]>;

export async function measureStarts(
  contenders: readonly Contender[],
  contractOf: (contender: Contender) => string,
  count: number,
  say: (line: string) => void,
): Promise<Starts> {
  const starts = new Map<string, number[]>();
  for (const contender of contenders) {
    say(`${count} starts of ${contender.name}`);
    const seconds: number[] = [];
    try {
      while (seconds.length < count) seconds.push(await secondsToFirst200(contender, contractOf));
    } catch (error) {
      say(`  ${(error as Error).message}`);
    }
    starts.set(contender.name, seconds);
  }
  return starts;
}

async function secondsToFirst200(
  contender: Contender,
  contractOf: (contender: Contender) => string,
): Promise<number> {
  const server = await Server.start(contender, contractOf(contender));
  await server.stop();
  server.clear();
  return server.msToFirst200 / 1000;
}
