// Measures the contenders in alternation, and the steps of this project's engine.
import { median, spread } from '../statistics.ts';
import {
  BODIES,
  type EngineContender,
  floorContender,
  openapiBackendContender,
  oursContender,
  RESPONSE_BODY,
} from './contenders.ts';
import { createSteps } from './steps.ts';

export interface EnginePlan {
  readonly rounds: number;
  readonly warmupRounds: number;
  /** Requests of one contender in one round. */
  readonly requests: number;
}

const MAX_OF_FLOOR = 3.5;
const MIN_OF_OPENAPI_BACKEND = 4;

/**
 * Measures every contender once in each round, in rotating order.
 *
 * @returns the table, and the microseconds of one request of this project
 * @throws Error if a contender returns another response
 */
export async function compare(plan: EnginePlan): Promise<{ table: string; ours: number }> {
  const contenders = [floorContender(), await oursContender(), await openapiBackendContender()];
  for (const each of contenders) await expectResponse(each);
  const [floor, ours, theirs] = await alternate(
    plan,
    contenders.map(({ handle }) => handle),
  );
  const ofFloor = ratios(ours!, floor!);
  const faster = ratios(theirs!, ours!);
  const rows = [
    [contenders[0]!.label, ...figures(floor!), '', '', ''],
    [
      ...[contenders[1]!.label, ...figures(ours!), `${times(ofFloor)} of the floor`],
      `≤ ${MAX_OF_FLOOR} ×`,
      median(ofFloor) <= MAX_OF_FLOOR ? 'pass' : 'SHORT',
    ],
    [
      ...[contenders[2]!.label, ...figures(theirs!), `${times(faster)} of this project`],
      `≥ ${MIN_OF_OPENAPI_BACKEND} ×`,
      median(faster) >= MIN_OF_OPENAPI_BACKEND ? 'pass' : 'SHORT',
    ],
  ];
  const header = ['', 'µs of CPU per request', 'spread', 'ratio', 'target', 'verdict'];
  return { table: tableOf(header, rows), ours: median(ours!) };
}

/** @param total the microseconds of one request @returns a table with the microseconds of each step */
export async function measureSteps(plan: EnginePlan, total: number): Promise<string> {
  const steps = await createSteps();
  const measured = await alternate(
    plan,
    steps.map(({ run }) => run),
  );
  const costs = new Map(steps.map(({ label }, at) => [label, median(measured[at]!)]));
  const own = steps.map(({ label, includes }): [string, number] => {
    const included = includes.reduce((sum, each) => sum + costs.get(each)!, 0);
    return [label, costs.get(label)! - included];
  });
  const named = own.filter(([label]) => !label.startsWith('('));
  const rest = total - named.reduce((sum, [, cost]) => sum + cost, 0);
  const rows = [...named, ['the rest: the total minus all steps', rest] as const];
  return tableOf(
    ['step of this project', 'µs'],
    rows.map(([label, cost]) => [label, cost.toFixed(2)]),
  );
}

async function expectResponse({ label, handle }: EngineContender): Promise<void> {
  const { status, body } = await handle(BODIES[0]!);
  if (status === 200 && body === RESPONSE_BODY) return;
  throw new Error(`${label}: expected 200 ${RESPONSE_BODY}, got ${status} ${body}`);
}

type Run = (bytes: Buffer) => unknown;

/** @returns for each function its microseconds of CPU time per call, by round */
async function alternate(plan: EnginePlan, runs: readonly Run[]): Promise<number[][]> {
  const measured: number[][] = runs.map(() => []);
  const isAsync = runs.map((run) => run(BODIES[0]!) instanceof Promise);
  for (let round = -plan.warmupRounds; round < plan.rounds; round++) {
    for (let turn = 0; turn < runs.length; turn++) {
      const at = (turn + round + plan.warmupRounds) % runs.length;
      const startedAt = cpuMicroseconds();
      if (isAsync[at]) await repeatAsync(runs[at]!, plan.requests);
      else repeat(runs[at]!, plan.requests);
      if (round >= 0) measured[at]!.push((cpuMicroseconds() - startedAt) / plan.requests);
    }
  }
  return measured;
}

/** Uses each result, so that V8 cannot remove the calls. */
function repeat(run: Run, requests: number): void {
  for (let at = 0; at < requests; at++) expectDefined(run(BODIES[at % BODIES.length]!));
}

async function repeatAsync(run: Run, requests: number): Promise<void> {
  for (let at = 0; at < requests; at++) expectDefined(await run(BODIES[at % BODIES.length]!));
}

function expectDefined(result: unknown): void {
  if (result === undefined) throw new Error('expected a result');
}

/** Elapsed time would include the time of other processes. */
function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function ratios(above: readonly number[], below: readonly number[]): number[] {
  return above.map((each, at) => each / below[at]!);
}

function figures(measured: readonly number[]): [string, string] {
  const show = (value: number) => value.toFixed(2);
  return [show(median(measured)), spread(measured, show)];
}

function times(values: readonly number[]): string {
  return `${median(values).toFixed(2)} ×`;
}

export function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
