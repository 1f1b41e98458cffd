// The formats of error bodies.

import {
  errorFrom,
  fragmentOf,
  isThenable,
  type Problem,
  type ProblemViolation,
  stringifyJson,
} from '@stubwright/contract';
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
 * @param report called with the error of a formatter, instead of which a built-in format is used
 * @returns the format, then those that are tried where its body violates the declared schema
 */
export function formatsOf(
  format: ErrorFormat = 'problem',
  report: (error: Error) => void = () => {},
): readonly [CompiledFormat, ...CompiledFormat[]] {
  const own = typeof format === 'string' ? FORMATS[format] : formatOf(format, report);
  return [own, ...[problem, numbered, text].filter((compiledFormat) => compiledFormat !== own)];
}

/** @returns a format without bodies where `format` throws, or returns a promise */
function formatOf(format: ErrorFormatter, report: (error: Error) => void): CompiledFormat {
  const bodies: CompiledFormat['bodies'] = (error, target) => {
    try {
      const body = format(error, target);
      if (!isThenable(body)) return [body];
      Promise.resolve(body).catch(() => {});
      throw new TypeError('the format of errors returned a promise, expected a body');
    } catch (thrown) {
      report(errorFrom(thrown));
      return [];
    }
  };
  return { mediaType: 'application/json', bodies, isOwn: true };
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
  const [body] = bodies(error, target);
  // A value without JSON, such as a function, has none either.
  const json = body === undefined ? undefined : stringifyJson(body);
  return {
    status: error.status,
    headers: { ...error.headers, 'Content-Type': mediaType },
    body: json ?? stringifyJson(problem.bodies(error, target)[0]),
  };
}
