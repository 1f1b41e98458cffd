// The formats of error bodies.

import {
  errorFrom,
  fragmentOf,
  isThenable,
  type Problem,
  type ProblemViolation,
  STATUS_NAME,
  stringifyJson,
} from '@stubwright/contract';
import type { Shape } from '@stubwright/contract/values';
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
function errorMember({ pointer, ...violation }: ProblemViolation): object {
  const detail = `expected ${violation.expected}`;
  return {
    detail,
    pointer: fragmentOf(pointer),
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
  return [own, ...[problem, numbered, text].filter((compiledFormat) => compiledFormat !== own)];
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

/** In order of preference at one depth. */
const MESSAGES = [
  /^(?:error_?)?(?:message|msg)$/i,
  /^(?:error_?)?details?$/i,
  /^(?:error_?)?(?:description|summary|reason|text)$/i,
  /^error$/i,
];
const TITLE = /^(?:title|error|name)$/i;
const TIME = /^(?:time|date|timestamp|datetime)$/i;
/** The names of properties that hold the error itself, or its causes. */
const CONTAINER = /err|fault|problem|issue|violation|cause|exception|messages?$|details?$/i;

/** Limits of the search, which goes from the root to the leaves. */
const MAX_LEVELS = 6;
const MAX_PARTS = 500;
const MAX_MESSAGES = 20;

/** The members of an error that a schema need not declare (RFC 9457, section 3), if it allows them. */
export const ERROR_MEMBERS: ReadonlySet<string> = new Set(['/detail', '/errors']);

/** Property names; 0 is the first item of an array. */
export type Path = readonly (string | 0)[];

/** One value of a problem at a location. */
export interface ErrorPart {
  readonly path: Path;
  /** @returns undefined for a part that the problem does not have */
  readonly valueOf: (problem: Problem) => unknown;
}

/** A part of the body. */
interface Part {
  readonly path: Path;
  readonly shape: Shape;
  /** True if its parents require it. */
  readonly isRequired: boolean;
  /** True inside of the body itself and of properties that hold an error. */
  readonly isOfError: boolean;
}

/** Where a body has the parts of a problem. */
export interface ErrorRoles {
  /** Undefined if the schema has no room for it. */
  readonly message: Path | undefined;
  /** The status, the title and other parts. */
  readonly others: readonly ErrorPart[];
}

/**
 * @param root the shape of the schema of an error body
 * @param text the message
 * @yields the roles for each location of the message, the best first; at last those without message
 */
export function* errorRoles(root: Shape, text: string): Generator<ErrorRoles> {
  const parts = partsOf(root);
  const texts = parts.filter((part) => mayBeText(part) && part.shape.accepts(text));
  const ranked = texts.map((part) => ({ path: part.path, rank: rankOf(part) }));
  if (root.kind === 'object') ranked.push({ path: ['detail'], rank: UNDECLARED });
  const objects = parts.filter(({ shape }) => shape.kind === 'object');
  ranked.sort((a, b) => a.rank - b.rank);
  for (const { path: message, rank } of ranked.slice(0, MAX_MESSAGES)) {
    const others = objects
      .filter(({ path, isRequired }) => isRequired || isStart(path, message))
      .flatMap(({ shape, path }) => rolesOf(shape, path))
      .filter(({ path }) => !isStart(path, message));
    const hasErrors = rank === UNDECLARED && !root.names.has('errors');
    yield { message, others: hasErrors ? [...others, ERRORS] : others };
  }
  const required = objects.filter(({ isRequired }) => isRequired);
  yield { message: undefined, others: required.flatMap((part) => rolesOf(part.shape, part.path)) };
}

/** @returns the body and its parts, breadth first */
function partsOf(root: Shape): readonly Part[] {
  const parts: Part[] = readingsOf({ path: [], shape: root, isRequired: true, isOfError: true });
  for (const part of parts) {
    if (parts.length > MAX_PARTS) break;
    const { path, shape, isRequired, isOfError } = part;
    if (path.length === MAX_LEVELS) continue;
    if (shape.kind === 'array') {
      parts.push(
        ...readingsOf({ ...part, path: [...path, 0], shape: shape.items(), isRequired: false }),
      );
    }
    if (shape.kind !== 'object') continue;
    for (const name of shape.names) {
      const inner = shape.property(name);
      const isText = inner.kind === 'scalar';
      parts.push(
        ...readingsOf({
          path: [...path, name],
          shape: inner,
          isRequired: isRequired && shape.required.has(name),
          isOfError: isOfError && (isText || CONTAINER.test(name) || shape.names.size === 1),
        }),
      );
    }
  }
  return parts;
}

function readingsOf(part: Part): Part[] {
  return part.shape.readings.map((shape) => ({ ...part, shape }));
}

/** Ranks of locations: by name and depth, `detail` where it is not declared, a title, any string. */
const UNDECLARED = MESSAGES.length * (MAX_LEVELS + 1);
const OF_TITLE = UNDECLARED + 1;
const OF_ANY_NAME = UNDECLARED + 2;

function mayBeText({ shape: { kind, types } }: Part): boolean {
  return kind === 'scalar' && (types.has('string') || types.size === 0);
}

function rankOf({ path, isOfError }: Part): number {
  const name = path.at(-1);
  if (!isOfError) return OF_ANY_NAME + path.length;
  const depth = path.length * MESSAGES.length;
  if (name === undefined || name === 0) return depth;
  const ofName = MESSAGES.findIndex((each) => each.test(name));
  if (ofName >= 0) return depth + ofName;
  return TITLE.test(name) ? OF_TITLE : OF_ANY_NAME + path.length;
}

function isStart(start: Path, path: Path): boolean {
  return start.every((each, at) => each === path[at]);
}

function rolesOf(shape: Shape, path: Path): ErrorPart[] {
  return [...shape.names].flatMap((name) => {
    const { types } = shape.property(name);
    const isNumber = types.has('integer') || types.has('number');
    const part = types.has('string')
      ? textFor(name, shape.required.has(name))
      : isNumber && STATUS_NAME.test(name) && (({ status }: Problem) => status);
    return part ? [{ path: [...path, name], valueOf: part }] : [];
  });
}

function textFor(name: string, isRequired: boolean): ErrorPart['valueOf'] | undefined {
  if (isRequired && MESSAGES.slice(0, -1).some((each) => each.test(name))) {
    return ({ message }) => message;
  }
  if (TITLE.test(name)) return ({ title }) => title;
  if (STATUS_NAME.test(name)) return ({ status }) => String(status);
  if (isRequired && TIME.test(name)) return () => new Date().toISOString();
  if (name !== 'type') return undefined;
  return ({ type }) => (isRequired || type !== 'about:blank' ? type : undefined);
}

/** The violations, where the schema does not declare them (RFC 9457, section 3). */
const ERRORS: ErrorPart = {
  path: ['errors'],
  valueOf: ({ violations }) => (violations.length > 0 ? violations.map(errorMember) : undefined),
};

/** @returns false if a property of the schema is for the status, and the body does not have it there */
export function hasStatus(body: unknown, { names }: Shape, status: number): boolean {
  const declared = [...names].filter((name) => STATUS_NAME.test(name));
  if (declared.length === 0 || typeof body !== 'object' || body === null) return true;
  const properties = body as Record<string, unknown>;
  return declared.some((name) => String(properties[name]) === String(status));
}
