// The formats of error bodies.

import type { Problem } from '../errors/problem.ts';
import { stringifyJson } from '../json/json.ts';
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
}

/** Problem details (RFC 9457). */
const problem: CompiledFormat = {
  mediaType: 'application/problem+json',
  toBody: ({ type, title, status, message, members }) => ({
    ...members,
    type,
    title,
    status,
    detail: message,
  }),
};

/** `error` is the HTTP status times 100 plus a serial number. */
const numbered: CompiledFormat = {
  mediaType: 'application/json',
  toBody: ({ error, message, members }) => ({ ...members, error, message }),
};

/** A message contains input of the client, which an HTML page must not. */
const text: CompiledFormat = {
  mediaType: 'text/plain; charset=utf-8',
  toBody: ({ message, title }, { mediaType }) => (/html/i.test(mediaType) ? title : message),
};

const FORMATS = { problem, numbered };

/**
 * @param format by default problem details
 * @returns the format, then those that are tried where its body violates the declared schema
 */
export function formatsOf(format: ErrorFormat = 'problem'): [CompiledFormat, ...CompiledFormat[]] {
  const own =
    typeof format === 'string'
      ? FORMATS[format]
      : { mediaType: 'application/json', toBody: format };
  return [own, ...[problem, numbered, text].filter((each) => each !== own)];
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
    body: stringifyJson(toBody(error, target) ?? problem.toBody(error, target)),
  };
}
