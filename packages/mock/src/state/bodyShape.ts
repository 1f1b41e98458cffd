// Finds the resource, or the list of resources, in a JSON body with or without an envelope.
import { isPrimitive } from '@stubwright/contract';
import { idKeyOf } from '../replies/exchangeValues.ts';
import type { Properties } from './items.ts';

export interface ResourceShape {
  readonly resource: Properties;
  /** @returns the body with another resource */
  readonly with: (resource: Properties) => Properties;
}

/**
 * Finds a resource: the body, or its only property that is an object if the body has no id.
 *
 * @param idName the name of the path parameter of an item
 * @returns undefined for a body that is no object
 */
export function resourceIn(body: unknown, idName: string): ResourceShape | undefined {
  if (!isPlainObject(body)) return undefined;
  const inner = Object.entries(body).filter(([, value]) => isPlainObject(value));
  const [name, resource] = inner.find(([key]) => key === 'data') ?? inner[0] ?? [];
  const isEnvelope = (inner.length === 1 || name === 'data') && idKeyOf(body, idName) === undefined;
  if (name === undefined || !isEnvelope || hasScalars(body)) {
    return { resource: body, with: (other) => other };
  }
  return {
    resource: resource as Properties,
    with: (other) => ({ ...body, [name]: other }),
  };
}

export interface ListShape {
  readonly items: readonly unknown[];
  /** @returns the body with other items, and the number of all as `total` or `count` */
  readonly with: (items: readonly unknown[], total: number) => unknown;
}

const TOTAL = /^(?:total|count)(?:_?(?:count|items|results|elements))?$/i;

/** @returns undefined for a body that is neither an array nor an object with one property that is an array */
export function listIn(body: unknown): ListShape | undefined {
  if (Array.isArray(body)) return { items: body, with: (items) => items };
  if (!isPlainObject(body)) return undefined;
  const arrays = Object.entries(body).filter(([, value]) => Array.isArray(value));
  if (arrays.length !== 1) return undefined;
  const [name, items] = arrays[0]! as [string, unknown[]];
  return { items, with: (others, total) => ({ ...withTotal(body, total), [name]: others }) };
}

/** @returns the body with the number of all items as `total` or `count` */
export function withTotal(body: Properties, total: number): Properties {
  const totals = Object.keys(body).filter(
    (key) => TOTAL.test(key) && typeof body[key] === 'number',
  );
  return { ...body, ...Object.fromEntries(totals.map((key) => [key, total])) };
}

/** @returns false for a value with parts that JSON cannot represent, such as a file */
export function isJsonValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isJsonValue);
  if (isPlainObject(value)) return Object.values(value).every(isJsonValue);
  return value === null || isPrimitive(value);
}

/** True for an object that is no array, file or bytes. */
export function isPlainObject(value: unknown): value is Properties {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function hasScalars(body: Properties): boolean {
  return Object.values(body).some((value) => ['string', 'number'].includes(typeof value));
}
