// A converter with the steps that follow it.
import { chain, type MaybePromise } from '@stubwright/contract';
import type { ConverterSteps } from './converters.ts';

type Convert<Value> = (value: Value) => MaybePromise<Value>;

/**
 * @param merge the value of a step with what the step returns; by default the latter
 * @returns a function that calls all, in order, until one returns undefined; undefined without any
 */
export function converterWith<Value = unknown>(
  own: ((value: never) => unknown) | undefined,
  steps: ConverterSteps = {},
  merge?: (value: Value, converted: Value) => Value,
): Convert<Value> | undefined {
  const all = [...(own ? [own] : []), ...Object.values(steps)] as Convert<Value>[];
  if (all.length === 0 || (all.length === 1 && merge === undefined)) return all[0];
  const stepped = (value: Value, step: Convert<Value>) =>
    chain(step(value), (converted) => merge?.(value, converted) ?? converted);
  return (value) =>
    all.reduce<MaybePromise<Value>>(
      (before, step) => chain(before, (each) => (each === undefined ? each : stepped(each, step))),
      value,
    );
}
