// Writes the errors of contracts in which one node has another shape, as text: `make transcripts`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ContractErrors, type Located } from '@stubwright/contract';
import { RICH } from '@stubwright/test-support/richContracts';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { checkedContract } from '../../src/loading/load.ts';

export const SHAPE_ERRORS = 'packages/cli/test/loading/shapeErrors.txt';

export const ABSENT = Symbol('absent');
export const SHAPES = [{}, [], null, 1, '', true, ABSENT, [null], { a: null }, [1], '#/x', [[]]];

export type Path = readonly string[];

export function* pathsIn(node: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof node !== 'object' || node === null) return;
  for (const [name, child] of Object.entries(node)) yield* pathsIn(child, [...path, name]);
}

export function mutated(contract: object, path: Path, shape: unknown): object {
  const copy = structuredClone(contract);
  const holder = path.slice(0, -1).reduce((node: object, name) => Reflect.get(node, name), copy);
  const name = path.at(-1)!;
  if (shape !== ABSENT) Reflect.set(holder, name, shape);
  else if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else Reflect.deleteProperty(holder, name);
  return copy;
}

/** @returns the errors of each node with one of the shapes, in turn, and without it; not of those that have none */
export async function shapeErrors(): Promise<string> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'a.json');
  const lines: string[] = [];
  const add = async (contract: object, path: Path, shape: unknown) => {
    writeFileSync(file, JSON.stringify(mutated(contract, path, shape)));
    const shown = shape === ABSENT ? 'absent' : JSON.stringify(shape);
    const errors = await errorsIn(file);
    if (errors.length > 0) lines.push(`/${path.join('/')}: ${shown} => ${errors.join(' | ')}`);
  };
  try {
    const { '3.0.3': older = {}, '3.2.0': newest = {} } = RICH;
    for (const path of pathsIn(older)) await add(older, path, ABSENT);
    for (const [at, path] of [...pathsIn(newest)].entries()) {
      await add(newest, path, SHAPES[at % SHAPES.length]);
    }
  } finally {
    folder.remove();
  }
  return `${lines.join('\n')}\n`;
}

async function errorsIn(file: string): Promise<readonly string[]> {
  const line = (text: string) => text.replaceAll(file, 'a.json').replace(/^a.json:1:/, '');
  const at = ({ position, message }: Located) => line(`${position?.column}  ${message}`);
  try {
    const { errors, warnings } = await checkedContract(file);
    return [
      ...errors.map((each) => {
        const mocked = each.isMockable ? ', can be mocked' : '';
        return `${at(each)}  [${each.operations.join(', ')}${mocked}]`;
      }),
      ...warnings.map((each) => `warning: ${at(each)}`),
    ];
  } catch (error) {
    if (!(error instanceof ContractErrors)) throw error;
    return error.errors.map(line);
  }
}

if (import.meta.main) writeFileSync(SHAPE_ERRORS, await shapeErrors());
