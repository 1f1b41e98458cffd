// The changes that a request makes to an item: a patch, or the properties of a JSON body.
import { jsonPatch, mergePatch } from '@stubwright/contract/patch';
import type { MockedExchange } from '../exchange.ts';
import { isPlainObject } from './bodyShape.ts';
import { sentResource } from './fitting.ts';
import type { Item, Properties } from './items.ts';

/**
 * @returns the body of the item with the changes of a request; undefined for a body that changes nothing
 * @throws {Problem} the errors of a JSON patch
 */
export function patchedBody(
  item: Item,
  exchange: MockedExchange,
  idName: string,
): Properties | undefined {
  const { mediaType, isStream } = exchange.parsedBody;
  if (mediaType?.startsWith('application/json-patch') && !isStream) {
    const body = jsonPatch(item.body, exchange.parsedBody.coerced());
    return isPlainObject(body) ? body : undefined;
  }
  const patch = sentResource(exchange, idName);
  if (patch === undefined) return undefined;
  const removesNull = mediaType?.startsWith('application/merge-patch');
  return mergePatch(item.body, patch, removesNull ? 'remove' : 'keep') as Properties;
}
