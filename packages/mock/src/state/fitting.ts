// Fits an item to a response: with its id, and with the required properties that only the sample has.
import { likeType } from '@stubwright/contract';
import type { MockedExchange, ValidMock } from '../exchange.ts';
import { InvalidMock } from '../mocked.ts';
import { idKeyOf } from '../replies/exchangeValues.ts';
import { isJsonValue, isPlainObject, resourceIn } from './bodyShape.ts';
import type { Item, Properties } from './items.ts';

/** Maximum number of properties of a sample that are omitted one by one. */
const MAX_PROPERTIES = 50;

/** An item for one response. */
export interface Fitted {
  /** With all properties of the sample that the item lacks. */
  readonly full: Properties;
  /** Without those that the schema does not require. */
  readonly minimal: Properties;
}

/**
 * @param sample a valid resource
 * @param idName the name of the path parameter of an item
 */
export function fitted(
  { body, id }: Pick<Item, 'body' | 'id'>,
  sample: Properties,
  idName: string,
  isValid: (resource: Properties) => boolean,
): Fitted {
  const key = idKeyOf(sample, idName);
  const isMissing = key !== undefined && !Object.hasOwn(body, key);
  const own = isMissing ? { [key]: likeType(id, sample[key]), ...body } : body;
  const full: Properties = { ...sample, ...own };
  if (isValid(own)) return { full, minimal: own };
  let minimal = full;
  const extra = Object.keys(sample).filter((name) => !Object.hasOwn(own, name));
  for (const name of isValid(full) ? extra.slice(0, MAX_PROPERTIES) : []) {
    const { [name]: _, ...less } = minimal;
    if (isValid(less)) minimal = less;
  }
  return { full, minimal };
}

/**
 * @returns the resource in the body of a request, in the envelope of the response if both have it; undefined for
 *   a body that is no object, or has parts that JSON cannot represent
 */
export function sentResource(
  { parsedBody }: MockedExchange,
  idName: string,
): Properties | undefined {
  if (parsedBody.mediaType === undefined || parsedBody.isStream) return undefined;
  const body = parsedBody.coerced();
  if (!isPlainObject(body) || !isJsonValue(body)) return undefined;
  const names = Object.keys(body);
  const shape = names.length === 1 ? resourceIn(body, idName) : undefined;
  return { ...(shape?.resource ?? body) };
}

export function bodyOf(reply: ValidMock | InvalidMock): unknown {
  return reply instanceof InvalidMock ? undefined : reply.body;
}
