// Fills a sample of a declared error body with the status and the message of a problem.
import type { Problem } from '../errors/problem.ts';

/** Maximum number of properties that are tried. */
const MAX_PROPERTIES = 50;

/**
 * Replaces the properties with a conventional name, where the body stays valid.
 *
 * @param sample a valid body
 * @returns a valid body
 */
export function fillErrorBody(
  sample: unknown,
  problem: Problem,
  isValid: (body: unknown) => boolean,
): unknown {
  if (typeof sample === 'string') return isValid(problem.message) ? problem.message : sample;
  return fillProperties(sample, (name, value) => valueFor(name, value, problem), isValid);
}

/**
 * Replaces scalar properties at any depth, where the body stays valid.
 *
 * @param sample a valid body
 * @param replacement returns undefined for a property that is kept
 * @returns a valid copy
 */
export function fillProperties(
  sample: unknown,
  replacement: (name: string, value: unknown) => unknown,
  isValid: (body: unknown) => boolean,
): unknown {
  const body = structuredClone(sample);
  let tried = 0;
  const fill = (holder: unknown) => {
    if (typeof holder !== 'object' || holder === null) return;
    const properties = holder as Record<string, unknown>;
    for (const [name, value] of Object.entries(properties)) {
      if (tried++ > MAX_PROPERTIES) return;
      const filled = replacement(name, value);
      if (filled === undefined) {
        fill(value);
        continue;
      }
      properties[name] = filled;
      if (!isValid(body)) properties[name] = value;
    }
  };
  fill(body);
  return body;
}

/** The names of properties that hold an HTTP status. */
export const STATUS = /^(?:http_?)?(?:status|code)(?:_?code)?$/i;
const MESSAGE = /^(?:error_?)?(?:message|msg|details?|description|reason)$/i;
const TITLE = /^(?:title|error|name)$/i;

/** @returns undefined for a property that is kept */
function valueFor(name: string, value: unknown, { status, message, title }: Problem): unknown {
  if (typeof value === 'number') return STATUS.test(name) ? status : undefined;
  if (typeof value !== 'string') return undefined;
  if (MESSAGE.test(name)) return message;
  if (TITLE.test(name)) return title;
  return STATUS.test(name) ? String(status) : undefined;
}
