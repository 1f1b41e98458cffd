// Extensions of operations: `x-idempotency` of a header parameter, `x-rate-limit`, and the errors of their fields.

import { isObject, type Node } from '../document/node.ts';
import type { Parameter } from './describedValues.ts';

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
  const more = marked.slice(1).map(({ name, pointer }) => {
    return idempotencyError(pointer, '', `the parameter ${name}`, 'one for each operation');
  });
  return [...marked.flatMap((parameter) => errorOf(parameter, parameters) ?? []), ...more];
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

const TIME = 'a time from 1s to 365d, such as 30s, 15m, 24h or 7d';
const NAMES = 'an array with names of other headers and cookies of the operation';

function errorOf(
  parameter: Parameter,
  parameters: readonly Parameter[],
): IdempotencyError | undefined {
  const value = parameter.field('x-idempotency');
  const error = (field: string, got: string, expected: string) =>
    idempotencyError(parameter.pointer, field, got, expected);
  if (parameter.in !== 'header') return error('', `a ${parameter.in} parameter`, 'a header');
  if (!isObject(value) || Object.keys(value).some((name) => !['ttl', 'ignore'].includes(name))) {
    return error('', JSON.stringify(value), '{ttl: 24h}');
  }
  const { ttl, ignore = [] } = value;
  if (ttlMs(ttl) === undefined) return error('ttl', gotText(ttl), TIME);
  const others = parameters.filter(
    (other) => other !== parameter && ['header', 'cookie'].includes(other.in),
  );
  const names = others.map(({ name }) => name.toLowerCase());
  const isDeclared = (name: unknown) =>
    typeof name === 'string' && names.includes(name.toLowerCase());
  if (Array.isArray(ignore) && ignore.every(isDeclared)) return undefined;
  return error('ignore', gotText(ignore), NAMES);
}

/** @param pointer of the parameter @param field of `x-idempotency`; empty for the whole */
function idempotencyError(pointer: string, field: string, got: string, expected: string) {
  const name = field === '' ? '' : ` ${field}`;
  return {
    pointer: `${pointer}/x-idempotency${field === '' ? '' : `/${field}`}`,
    message: `x-idempotency${name}: got ${got}, expected ${expected}`,
  };
}

/** @returns undefined for a text that is no time in the range */
function ttlMs(text: unknown): number | undefined {
  const seconds = secondsOf(text, MAX_TTL_SECONDS);
  return seconds === undefined ? undefined : seconds * 1000;
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Node's maximum timer: milliseconds in 31 bits. */
const MAX_TIMER_SECONDS = 596 * SECONDS.h;

/** @returns the seconds of a duration such as `1m`; undefined for 0, more than maxSeconds, and another value */
function secondsOf(duration: unknown, maxSeconds: number): number | undefined {
  const text = typeof duration === 'string' ? duration : '';
  const [, count, unit] = /^([1-9]\d{0,8})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * SECONDS[unit as keyof typeof SECONDS];
  return seconds <= maxSeconds ? seconds : undefined;
}

/** A violation of the form of an extension. */
export interface FieldError {
  /** The field, such as `/items`; empty for the whole. */
  readonly field: string;
  readonly message: string;
}

/** Collects the errors of the fields of an object. */
export class FieldErrors {
  readonly found: FieldError[] = [];
  readonly #described: Node;

  /** @param names of the fields that it may have */
  constructor(described: Node, names: readonly string[]) {
    this.#described = described;
    for (const name of Object.keys(described)) {
      this.expect(names.includes(name), name, `one of ${names.join(', ')}`);
    }
  }

  expect(isMet: boolean, name: string, expected: string): void {
    if (isMet) return;
    const message = `${name}: got ${gotText(this.#described[name])}, expected ${expected}`;
    this.found.push({ field: `/${name}`, message });
  }
}

/** @returns the value in a message */
function gotText(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** The maximum number of requests in a fixed window. */
export interface RequestRate {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** The parts of an operation that describe its rate limit. */
interface LimitedOperation {
  readonly security: readonly object[];
  field(name: string): unknown;
}

/** @returns undefined for a value that is no window, such as `1m` */
export function windowSecondsOf(window: unknown): number | undefined {
  return secondsOf(window, MAX_TIMER_SECONDS);
}

const MAX_REQUESTS = 999_999_999;
const FIELDS = ['requests', 'window'];

/** @returns how `x-rate-limit` of an operation violates its form; empty without one */
export function rateLimitErrors(operation: LimitedOperation): FieldError[] {
  const described = operation.field('x-rate-limit');
  if (described === undefined) return [];
  if (!isObject(described)) {
    return [{ field: '', message: 'expected an object with requests and window' }];
  }
  const errors = new FieldErrors(described, FIELDS);
  const { requests, window } = described;
  const isCount = Number.isInteger(requests) && requests > 0 && requests <= MAX_REQUESTS;
  errors.expect(isCount, 'requests', `an integer from 1 to ${MAX_REQUESTS}`);
  const isWindow = windowSecondsOf(window) !== undefined;
  errors.expect(isWindow, 'window', 'a time such as 10s, 1m or 24h, at most 596h');
  if (operation.security.length > 0) return errors.found;
  const message = 'expected security requirements: the requests of a caller are counted';
  return [...errors.found, { field: '', message }];
}

/** @returns undefined without `x-rate-limit`, and for one with errors */
export function rateLimitOf(operation: LimitedOperation): RequestRate | undefined {
  const described = operation.field('x-rate-limit');
  if (!isObject(described) || rateLimitErrors(operation).length > 0) return undefined;
  return { requests: described['requests'], windowSeconds: windowSecondsOf(described['window'])! };
}
