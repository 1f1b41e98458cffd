// Serializes one parameter, as its style or its media type says.

import type { Definition, LocatedNode } from '../document/definition.ts';
import { stringifyJson } from '../json/json.ts';
import type { Validators } from '../schema/validator.ts';
import { contentsOf } from './contents.ts';
import { mediaContentOf } from './mediaKinds.ts';
import { isJsonMediaType } from './mediaType.ts';
import { serializationOf, withName, writeParameter } from './styles/serialization.ts';
import { formTextOf } from './writeForm.ts';

const FORM = 'application/x-www-form-urlencoded';

/**
 * @param location a Parameter Object
 * @param validators for requests
 * @returns the same as {@link writeParameter}
 */
export function writtenParameter(
  definition: Definition,
  location: LocatedNode,
  value: unknown,
  validators: Validators,
): string[] {
  const { name, in: where, allowReserved } = location.node;
  const [media] = contentsOf(definition, location);
  if (media === undefined) {
    const serialization = { ...serializationOf(location.node), allowReserved };
    return writeParameter(where, name, serialization, value);
  }
  const [type, holder] = media;
  if (where === 'querystring' && type === FORM) {
    return [formTextOf(value, mediaContentOf(holder, validators))];
  }
  const text = isJsonMediaType(type) ? stringifyJson(value) : String(value);
  return withName(where, name, where === 'header' ? text : encodeURIComponent(text));
}
