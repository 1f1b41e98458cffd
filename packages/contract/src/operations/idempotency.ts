// Which header carries the key under which an operation runs once: `x-idempotency` of a header parameter.
import { secondsOf } from '../document/durations.ts';
import { isObject } from '../document/node.ts';
import type { Parameter } from './describedValues.ts';
import { gotText } from './fieldErrors.ts';

/** The key of an operation that runs once for each key. */
export interface Idempotency {
  /** The header with the key. */
  readonly parameter: Parameter;
  /** How long the first response is repeated. */
  readonly ttlMs: number;
  /** Names of other headers and cookies that may differ in a retry. */
  readonly ignored: readonly string[];
}

/** A violation of the form of `x-idempotency`. */
interface IdempotencyError {
  /** JSON pointer in the contract. */
  readonly pointer: string;
  readonly message: string;
}

const MAX_TTL_SECONDS = 365 * 86_400;

/** @returns how `x-idempotency` of the parameters of an operation violates its form */
export function idempotencyErrors(parameters: readonly Parameter[]): IdempotencyError[] {
  const marked = parameters.filter(isMarked);
  return [
    ...marked.flatMap((parameter) => errorOf(parameter, parameters) ?? []),
    ...marked.slice(1).map(({ name, pointer }) => ({
      pointer: `${pointer}/x-idempotency`,
      message: `x-idempotency: got the parameter ${name}, expected one for each operation`,
    })),
  ];
}

/** @returns undefined without `x-idempotency`, and for one with errors */
export function idempotencyOf(parameters: readonly Parameter[]): Idempotency | undefined {
  const parameter = parameters.find(isMarked);
  if (parameter === undefined || idempotencyErrors(parameters).length > 0) return undefined;
  const { ttl, ignore = [] } = parameter.field('x-idempotency') as {
    readonly ttl: string;
    readonly ignore?: readonly string[];
  };
  return { parameter, ttlMs: ttlMs(ttl)!, ignored: ignore };
}

/** @returns true for an operation whose parameters have `x-idempotency`, also with errors */
export function declaresIdempotency({
  parameters,
}: {
  readonly parameters: readonly Parameter[];
}): boolean {
  return parameters.some(isMarked);
}

function isMarked(parameter: Parameter): boolean {
  return parameter.field('x-idempotency') !== undefined;
}

function errorOf(
  parameter: Parameter,
  parameters: readonly Parameter[],
): IdempotencyError | undefined {
  const value = parameter.field('x-idempotency');
  const at = `${parameter.pointer}/x-idempotency`;
  if (parameter.in !== 'header') {
    const message = `x-idempotency: got a ${parameter.in} parameter, expected a header`;
    return { pointer: at, message };
  }
  const names = isObject(value) ? Object.keys(value) : [];
  if (!isObject(value) || names.some((name) => !['ttl', 'ignore'].includes(name))) {
    const message = `x-idempotency: got ${JSON.stringify(value)}, expected {ttl: 24h}`;
    return { pointer: at, message };
  }
  if (ttlMs(value['ttl']) !== undefined) {
    return ignoreError(
      value['ignore'],
      at,
      parameters.filter((each) => each !== parameter),
    );
  }
  const expected = 'a time from 1s to 365d, such as 30s, 15m, 24h or 7d';
  return {
    pointer: `${at}/ttl`,
    message: `x-idempotency ttl: got ${gotText(value['ttl'])}, expected ${expected}`,
  };
}

function ignoreError(
  ignore: unknown,
  at: string,
  others: readonly Parameter[],
): IdempotencyError | undefined {
  if (ignore === undefined) return undefined;
  const names = others
    .filter((parameter) => parameter.in === 'header' || parameter.in === 'cookie')
    .map(({ name }) => name.toLowerCase());
  const isDeclared = (name: unknown) =>
    typeof name === 'string' && names.includes(name.toLowerCase());
  if (Array.isArray(ignore) && ignore.every(isDeclared)) return undefined;
  const message = `x-idempotency ignore: got ${gotText(ignore)}, expected an array with names of other headers and cookies of the operation`;
  return { pointer: `${at}/ignore`, message };
}

/** @returns undefined for a text that is no time in the range */
function ttlMs(text: unknown): number | undefined {
  const seconds = secondsOf(text, MAX_TTL_SECONDS);
  return seconds === undefined ? undefined : seconds * 1000;
}
