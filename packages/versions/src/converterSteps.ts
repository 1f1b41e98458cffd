// A converter with the steps that follow it.
import { chain, type MaybePromise } from '@stubwright/contract';
import type { ConverterSteps } from './converters.ts';

type Convert = (value: unknown) => unknown;

/** @returns a function that calls all, in order, until one returns undefined; undefined without any */
export function converterWith(
  own: ((item: never) => unknown) | undefined,
  steps: ConverterSteps = {},
): Convert | undefined {
  const all = [...(own === undefined ? [] : [own]), ...Object.values(steps)] as Convert[];
  if (all.length <= 1) return all[0];
  return (item) =>
    all.reduce((converted, step) => (converted === undefined ? undefined : step(converted)), item);
}

/** The same for requests and replies, whose converters may be asynchronous. */
export function messageConverterWith<Message>(
  own: ((message: never) => unknown) | undefined,
  steps: ConverterSteps | undefined,
  merge: (message: Message, converted: Message) => Message,
): ((message: Message) => MaybePromise<Message>) | undefined {
  const all = [...(own === undefined ? [] : [own]), ...Object.values(steps ?? {})] as ((
    message: Message,
  ) => MaybePromise<Message>)[];
  if (all.length === 0) return undefined;
  return (message) =>
    all.reduce<MaybePromise<Message>>(
      (before, step) =>
        chain(before, (each) => chain(step(each), (converted) => merge(each, converted))),
      message,
    );
}
