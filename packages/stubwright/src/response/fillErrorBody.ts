// Writes the status and the message of a problem in the properties that a declared schema has for them.
import type { Problem } from '../errors/problem.ts';
import type { Shape } from '../media/styles/shape.ts';

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

/** Levels of objects in which the properties are found. */
const MAX_LEVELS = 3;

/**
 * @param shape of the schema
 * @returns a body, which may be invalid, of the properties with a conventional name; undefined if none is
 *   for the message
 */
export function conventionalBody(
  shape: Shape,
  problem: Problem,
  levels = MAX_LEVELS,
): Record<string, unknown> | undefined {
  if (shape.kind !== 'object' || levels === 0) return undefined;
  const body: Record<string, unknown> = Object.create(null);
  let hasMessage = false;
  for (const name of shape.names) {
    const property = shape.property(name);
    const isMessage = MESSAGE.test(name);
    if (isMessage && hasMessage && !shape.required.has(name)) continue;
    const value = isObjectOnly(property)
      ? conventionalBody(property, problem, levels - 1)
      : valueFor(name, emptyValue(property), problem);
    if (value === undefined) continue;
    body[name] = value;
    hasMessage ||= isMessage || typeof value === 'object';
  }
  return hasMessage ? body : undefined;
}

function isObjectOnly({ kind, readings }: Shape): boolean {
  return kind === 'object' && readings.length === 1;
}

function emptyValue({ types }: Shape): unknown {
  if (types.has('integer') || types.has('number')) return 0;
  return types.has('string') ? '' : undefined;
}

/** @returns false if a property of the schema is for the status, and the body does not have it there */
export function hasStatus(body: unknown, { names }: Shape, status: number): boolean {
  const declared = [...names].filter((name) => STATUS.test(name));
  if (declared.length === 0 || typeof body !== 'object' || body === null) return true;
  const properties = body as Record<string, unknown>;
  return declared.some((name) => String(properties[name]) === String(status));
}

/** @returns undefined for a property that is kept */
function valueFor(name: string, value: unknown, { status, message, title }: Problem): unknown {
  if (typeof value === 'number') return STATUS.test(name) ? status : undefined;
  if (typeof value !== 'string') return undefined;
  if (MESSAGE.test(name)) return message;
  if (TITLE.test(name)) return title;
  return STATUS.test(name) ? String(status) : undefined;
}
