// Writes the status and the path parameters of an exchange into a mocked body.
import { likeType, STATUS_NAME } from '@stubwright/contract';

/** `example`: written by the author of the contract; `sample`: generated from the schema. */
export type MockSource = 'example' | 'sample';

type IsValid = (body: unknown) => boolean;
type Properties = Record<string, unknown>;

/**
 * Replaces the properties that hold an HTTP status by their name. In an example, only values from 100 to 599
 * are a status.
 */
export function withStatus(
  body: object,
  status: number,
  source: MockSource,
  isValid: IsValid,
): unknown {
  const replacement = (name: string, value: unknown) => {
    if (!STATUS_NAME.test(name)) return undefined;
    const isStatus = /^[1-5]\d\d$/.test(String(value));
    if (typeof value === 'string') return isStatus ? String(status) : undefined;
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    return isNumber && (isStatus || source === 'sample') ? status : undefined;
  };
  return fillProperties(body, replacement, isValid);
}

/** Maximum number of properties that are tried. */
const MAX_PROPERTIES = 50;

/**
 * Replaces scalar properties at any depth, where the body stays valid.
 *
 * @param replacement returns undefined for a property that is kept
 */
function fillProperties(
  sample: object,
  replacement: (name: string, value: unknown) => unknown,
  isValid: IsValid,
): unknown {
  const body = structuredClone(sample);
  let tried = 0;
  const fill = (holder: unknown) => {
    if (typeof holder !== 'object' || holder === null) return;
    const properties = holder as Properties;
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

/**
 * Replaces the properties that a path parameter identifies: in the body, in its only property that is an
 * object or an array, and in the items of an array.
 *
 * @param template the path template: the last parameter of `/toys/{toyId}` is the `id` of the body
 * @param parameters by name; each is written only where the body stays valid
 */
export function withPathParameters(
  body: object,
  template: string,
  parameters: Readonly<Record<string, unknown>>,
  isValid: IsValid,
): unknown {
  if (Object.keys(parameters).length === 0) return body;
  const changed: object = structuredClone(body);
  const last = /\{([^{}/]+)\}$/.exec(template)?.[1];
  for (const [name, value] of Object.entries(parameters)) {
    const targets = targetsIn(changed, name, name === last);
    const before = targets.map(({ holder, key }) => holder[key]);
    for (const { holder, key } of targets) holder[key] = likeType(value, holder[key]);
    if (targets.length === 0 || isValid(changed)) continue;
    for (const [at, { holder, key }] of targets.entries()) holder[key] = before[at];
  }
  return changed;
}

interface Target {
  readonly holder: Properties;
  readonly key: string;
}

function targetsIn(body: object, name: string, isLast: boolean): Target[] {
  for (const holder of holdersIn(body)) {
    // The items of an array have ids of their own.
    const mayBeId = isLast && !Array.isArray(holder);
    const targets = [holder].flat().flatMap((object): Target[] => {
      const key = keyFor(object, name, mayBeId);
      return key === undefined ? [] : [{ holder: object as Properties, key }];
    });
    if (targets.length > 0) return targets;
  }
  return [];
}

/** @returns the body, then its only property that is an object or an array */
function holdersIn(body: object): object[] {
  if (Array.isArray(body)) return [body];
  const inner = Object.values(body).filter((value) => typeof value === 'object' && value !== null);
  return inner.length === 1 ? [body, inner[0]] : [body];
}

function keyFor(holder: unknown, name: string, mayBeId: boolean): string | undefined {
  if (mayBeId) return idKeyOf(holder, name);
  return plainName(name) === 'id' ? undefined : sameKey(holder, name);
}

/**
 * @param name of the path parameter that identifies the resource
 * @returns the property with the same name in any case style, else with the last words of the name: `toyId` may
 *   be `id`, and `event_type_name` may be `name`
 */
export function idKeyOf(resource: unknown, name: string): string | undefined {
  const words = name.match(/[A-Z]?[^A-Z_-]+|[A-Z]+/g) ?? [];
  const names = [...words.keys()].map((at) => words.slice(at).join(''));
  if (/id$/i.test(name)) names.push('id');
  for (const text of names) {
    const key = sameKey(resource, text);
    if (key !== undefined) return key;
  }
  return undefined;
}

function sameKey(holder: unknown, name: string): string | undefined {
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return undefined;
  const keys = Object.keys(holder).filter((key) => isScalar((holder as Properties)[key]));
  return keys.find((key) => plainName(key) === plainName(name));
}

/** `toy_id`, `toy-id` and `toyId` are one name. */
export function plainName(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
