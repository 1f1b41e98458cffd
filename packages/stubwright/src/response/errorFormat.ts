// The formats of error bodies.

import {
  errorFrom,
  fragmentOf,
  isThenable,
  type Problem,
  type ProblemViolation,
  stringifyJson,
} from '@stubwright/contract';
import { plainData } from '@stubwright/contract/values';
import type { HttpResponse } from './reply.ts';

/** The declared response that an error body is for. */
export interface ErrorTarget {
  /** Undefined for a request that matches no operation. */
  readonly operationId: string | undefined;
  /** The declared media type; the one of the format if the contract declares none. */
  readonly mediaType: string;
}

/**
 * @returns an error body, before serialization: an object for JSON and XML, a string for text; undefined
 *   for a built-in format
 */
export type ErrorFormatter = (problem: Problem, target: ErrorTarget) => unknown;

/** A format by name, or a function of the application. */
export type ErrorFormat = 'problem' | 'numbered' | ErrorFormatter;

export interface CompiledFormat {
  /** For a response that the contract does not declare. */
  readonly mediaType: string;
  /** The body, then those without the members that a schema may not allow. */
  readonly bodies: (problem: Problem, target: ErrorTarget) => readonly unknown[];
  /** True for a function of the application, which decides what a body tells. */
  readonly isOwn?: boolean;
}

/** Problem details (RFC 9457). */
const problem: CompiledFormat = {
  mediaType: 'application/problem+json',
  bodies({ type, title, status, message, members, violations }) {
    const standard = { type, title, status, detail: message };
    const errors = errorMembers(violations);
    const whole = { ...members, ...(errors && { errors }), ...standard };
    return [whole, { ...members, ...standard }, standard];
  },
};

/** `error` is the HTTP status times 100 plus a serial number. */
const numbered: CompiledFormat = {
  mediaType: 'application/json',
  bodies({ number, message, members }) {
    const standard = { error: number, message };
    return [{ ...members, ...standard }, standard];
  },
};

/** A message contains input of the client, which an HTML page must not. */
const text: CompiledFormat = {
  mediaType: 'text/plain; charset=utf-8',
  bodies: ({ message, title }, { mediaType }) => [/html/i.test(mediaType) ? title : message],
};

const FORMATS = { problem, numbered };

/**
 * @param format by default problem details
 * @param report called with an error of a formatter, and of a body that is not data
 * @returns the format, then those that are tried where its body violates the declared schema
 */
export function formatsOf(
  format: ErrorFormat = 'problem',
  report: (error: Error) => void = () => {},
): readonly CompiledFormat[] {
  const own: CompiledFormat =
    typeof format === 'string'
      ? FORMATS[format]
      : { mediaType: 'application/json', bodies: (...args) => [format(...args)], isOwn: true };
  const all = [own, ...[problem, numbered, text].filter((builtIn) => builtIn !== own)];
  return all.map((compiled) => ({
    ...compiled,
    bodies(error, target) {
      try {
        return compiled
          .bodies(error, target)
          .map(dataOf)
          .filter((body) => body !== undefined);
      } catch (thrown) {
        report(errorFrom(thrown));
        return [];
      }
    },
  }));
}

/** @returns undefined for a value without JSON, such as a function */
function dataOf(body: unknown): unknown {
  if (!isThenable(body)) return plainData(body);
  Promise.resolve(body).catch(() => {});
  throw new TypeError('the format of errors returned a promise, expected a body');
}

/** @returns the violations as in the example of RFC 9457, section 3: a pointer is a URI fragment (RFC 6901) */
export function errorMembers(violations: readonly ProblemViolation[]): object[] | undefined {
  if (violations.length === 0) return undefined;
  return violations.map(({ pointer, ...violation }) => {
    const detail = `expected ${violation.expected}`;
    return { detail, pointer: fragmentOf(pointer), ...violation };
  });
}

/** @returns the response to an error that the contract does not declare */
export function undeclaredResponse(
  error: Problem,
  { mediaType, bodies }: CompiledFormat = problem,
): HttpResponse {
  const target = { operationId: undefined, mediaType };
  const [body = problem.bodies(error, target).at(-1)] = bodies(error, target);
  const headers = { ...error.headers, 'Content-Type': mediaType };
  return { status: error.status, headers, body: stringifyJson(body) };
}
