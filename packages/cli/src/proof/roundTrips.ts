// Converts the values of components there and back.
import { isObject, type Schema, stringifyJson } from '@stubwright/contract';
import { conversionsOf } from '@stubwright/versions';
import { type Losses, lossesIn } from './losses.ts';
import type { ProofValues } from './proofValues.ts';
import { exampleText } from './requestCases.ts';
import { componentOf } from './sharedParts.ts';
import type { VersionPair } from './versionPair.ts';

export interface RoundTripError {
  readonly component: string;
  readonly message: string;
  readonly example: string | null;
}

export interface RoundTrips {
  readonly count: number;
  readonly errors: readonly RoundTripError[];
}

/** @returns the losses that no converter declares, for each component with both directions */
export function componentRoundTrips(
  pair: VersionPair,
  values: ProofValues,
  losses: Losses,
): RoundTrips {
  const { older, newer, converters } = pair;
  const toNew = conversionsOf('toNew', converters, older).components;
  const toOld = conversionsOf('toOld', converters, newer).components;
  const errors: RoundTripError[] = [];
  let count = 0;
  for (const [name, each] of Object.entries(converters.schemas ?? {})) {
    const [was, is] = [older.schemas.get(name), newer.schemas.get(name)];
    const hasBoth =
      (each.toNew ?? each.toNewSteps) !== undefined &&
      (each.toOld ?? each.toOldSteps) !== undefined;
    if (!hasBoth || was === undefined || is === undefined) continue;
    const [there, back] = [toNew.of(was)!, toOld.of(is)!];
    const owners = [...componentsIn([was, is])].map((component) => `schemas.${component}`);
    const olderValues = values
      .requests(was, is)
      .map(({ value }) => values.coerced(was, 'request', value));
    const newerValues = values
      .replies(is, was)
      .map(({ value }) => values.declared(is, 'response', value));
    const trips = [
      ...olderValues.map((value) => [value, () => back(there(value))] as const),
      ...newerValues.map((value) => [value, () => there(back(value))] as const),
    ];
    for (const [value, convert] of trips) {
      const returned = unlessError(convert);
      if (returned === undefined) continue;
      count += 1;
      const lost = lossesIn(jsonOf(value), jsonOf(returned.value)).filter(
        (loss) => !losses.isDeclared(loss, owners),
      );
      errors.push(
        ...lost.map(({ pointer }) => ({
          component: name,
          message: lossMessage(pointer),
          example: `${exampleText(value)} becomes ${exampleText(returned.value) ?? 'absent'}`,
        })),
      );
    }
  }
  return { count, errors };
}

export function lossMessage(pointer: string): string {
  const name = pointer.split('/').findLast((each) => each !== '' && !/^\d+$/.test(each));
  const expected = name === undefined ? 'loses with the value' : `loses: ['${name}']`;
  return `${pointer === '' ? 'the value' : pointer} does not come back, expected it, or ${expected}`;
}

/** @returns the names of the components that values of the schemas contain */
export function componentsIn(schemas: readonly Schema[]): Set<string> {
  const all = new Set(schemas);
  for (const each of all) for (const inner of each.inner) all.add(inner);
  return new Set([...all].flatMap((each) => componentOf(each) ?? []));
}

/** The engine reports the errors of converters. */
function unlessError(convert: () => unknown): { readonly value: unknown } | undefined {
  try {
    return { value: convert() };
  } catch {
    return undefined;
  }
}

function jsonOf(value: unknown): unknown {
  const text = value === undefined ? undefined : stringifyJson(value);
  const json: unknown = text === undefined ? undefined : JSON.parse(text);
  return isObject(json) ? { ...json } : json;
}
