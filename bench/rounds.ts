// Rounds: in each, every contender once, in an order that turns from round to round, so that a
// machine that slows down or speeds up meanwhile favours none.
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

/** By contender's name: a result for each of its loads. */
export type Round = ReadonlyMap<string, readonly Result[]>;

export interface Rounds {
  readonly valid: readonly Round[];
  readonly voids: readonly string[];
  /** By contender's name: why it could not be measured. */
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
  for (const contender of turned(plan.contenders, at)) {
    if (absent.has(contender.name)) continue;
    const { seconds } = plan;
    const loads: Load[] = contender.connections.map((connections) => ({ connections, seconds }));
    try {
      const results = await measure(contender, plan.contractOf(contender), warmup, loads);
      round.set(contender.name, results);
      const told = results.map(({ perSecond }) => Math.round(perSecond).toLocaleString('en'));
      plan.say(`  ${contender.name.padEnd(20)} ${told.join('   ')}`);
    } catch (error) {
      // One that cannot be measured at all is told as such; ours must be.
      if (error instanceof Void || contender === ours) throw error;
      absent.set(contender.name, (error as Error).message);
      plan.say(`  ${(error as Error).message}`);
    }
  }
  return round;
}

function turned<T>(list: readonly T[], by: number): T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
