// The formats of error bodies.

import {
  errorFrom,
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
  readonly toBody: ErrorFormatter;
  /** True for a function of the application, which decides what a body tells. */
  readonly isOwn?: boolean;
}

/** Problem details (RFC 9457). */
const problem: CompiledFormat = {
  mediaType: 'application/problem+json',
  toBody: ({ type, title, status, message, members, violations }) => ({
    ...members,
    ...(violations.length > 0 && { errors: violations.map(errorMember) }),
    type,
    title,
    status,
    detail: message,
  }),
};

/** A violation as in the example of RFC 9457, section 3: the pointer is a URI fragment (RFC 6901). */
export function errorMember({ pointer, ...violation }: ProblemViolation): object {
  const detail = `expected ${violation.expected}`;
  return {
    detail,
    pointer: `#${encodeURI(pointer.toWellFormed()).replaceAll('#', '%23')}`,
    ...violation,
  };
}

/** `error` is the HTTP status times 100 plus a serial number. */
const numbered: CompiledFormat = {
  mediaType: 'application/json',
  toBody: ({ number, message, members }) => ({ ...members, error: number, message }),
};

/** A message contains input of the client, which an HTML page must not. */
const text: CompiledFormat = {
  mediaType: 'text/plain; charset=utf-8',
  toBody: ({ message, title }, { mediaType }) => (/html/i.test(mediaType) ? title : message),
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
): [CompiledFormat, ...CompiledFormat[]] {
  const own =
    typeof format === 'string'
      ? FORMATS[format]
      : { mediaType: 'application/json', toBody: reporting(format, report), isOwn: true };
  return [own, ...[problem, numbered, text].filter((each) => each !== own)];
}

/** @returns a formatter that returns undefined where `format` throws, or returns a promise */
function reporting(format: ErrorFormatter, report: (error: Error) => void): ErrorFormatter {
  return (error, target) => {
    try {
      const body = format(error, target);
      if (!isThenable(body)) return body;
      Promise.resolve(body).catch(() => {});
      throw new TypeError('the format of errors returned a promise, expected a body');
    } catch (thrown) {
      report(errorFrom(thrown));
      return undefined;
    }
  };
}

/** @returns the response to an error that the contract does not declare */
export function undeclaredResponse(
  error: Problem,
  { mediaType, toBody }: CompiledFormat = problem,
): HttpResponse {
  const target = { operationId: undefined, mediaType };
  return {
    status: error.status,
    headers: { ...error.headers, 'Content-Type': mediaType },
    body: jsonOf(toBody(error, target)) ?? stringifyJson(problem.toBody(error, target)),
  };
}

/** @returns undefined for a value without JSON, such as a function */
function jsonOf(body: unknown): string | undefined {
  return body === undefined ? undefined : stringifyJson(body);
}
