// Measures every contender once per round, in an order that rotates from round to round.
import { CONNECTIONS, type Contender, ours } from './contenders.ts';
import type { Load, Result } from './load.ts';
import { measure, Void } from './measure.ts';

export interface Plan {
  readonly contenders: readonly Contender[];
  readonly contractOf: (contender: Contender) => string;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmupSeconds: number;
  readonly say: (line: string) => void;
}

/** Results for each load by contender name. */
export type Round = ReadonlyMap<string, readonly Result[]>;

export interface Rounds {
  readonly valid: readonly Round[];
  readonly voids: readonly string[];
  /** Error messages by contender name. */
  readonly absent: ReadonlyMap<string, string>;
}

const MOST_VOIDS = 2;

export async function runRounds(plan: Plan): Promise<Rounds> {
  const valid: Round[] = [];
  const voids: string[] = [];
  const absent = new Map<string, string>();
  while (valid.length < plan.rounds && voids.length <= MOST_VOIDS) {
    const at = valid.length + voids.length;
    try {
      valid.push(await runRound(plan, at, absent));
    } catch (error) {
      if (!(error instanceof Void)) throw error;
      plan.say(`  void: ${error.message}`);
      voids.push(error.message);
    }
  }
  return { valid, voids, absent };
}

async function runRound(plan: Plan, at: number, absent: Map<string, string>): Promise<Round> {
  plan.say(`round ${at + 1}`);
  const round = new Map<string, Result[]>();
  const warmup = { connections: CONNECTIONS, seconds: plan.warmupSeconds };
  // Rotation distributes changes in the speed of the machine over all contenders.
  for (const contender of rotated(plan.contenders, at)) {
    if (absent.has(contender.name)) continue;
    const { seconds } = plan;
    const loads: Load[] = contender.connections.map((connections) => ({ connections, seconds }));
    try {
      const results = await measure(contender, plan.contractOf(contender), warmup, loads);
      round.set(contender.name, results);
      const figures = results.map(({ perSecond }) => Math.round(perSecond).toLocaleString('en'));
      plan.say(`  ${contender.name.padEnd(20)} ${figures.join('   ')}`);
    } catch (error) {
      // The table reports contenders without a measurement. This project always needs one.
      if (error instanceof Void || contender === ours) throw error;
      absent.set(contender.name, (error as Error).message);
      plan.say(`  ${(error as Error).message}`);
    }
  }
  return round;
}

function rotated<T>(values: readonly T[], by: number): T[] {
  const start = by % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}
