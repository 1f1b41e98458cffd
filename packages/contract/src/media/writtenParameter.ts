// Serializes one parameter by its style or its media type.
import { stringifyJson } from '../json/json.ts';
import type { Header, ParameterLocation } from '../operations/describedValues.ts';
import { FORM_TYPE, isJsonMediaType } from '../operations/mediaType.ts';
import type { Validators } from '../schema/validator.ts';
import { mediaContentOf } from './mediaKinds.ts';
import { withName, writeParameter } from './styles/writeParameter.ts';
import { formTextOf } from './writeForm.ts';

/**
 * @param declared a parameter, or a header
 * @param where of a header: `header`
 * @returns the same as {@link writeParameter}
 */
export function writtenParameter(
  { content, serialization }: Header,
  { name, where }: { readonly name: string; readonly where: ParameterLocation },
  value: unknown,
  validators: Validators,
): string[] {
  if (content === undefined) return writeParameter(where, name, serialization, value);
  if (where === 'querystring' && content.key === FORM_TYPE) {
    return [formTextOf(value, mediaContentOf(content.content, validators))];
  }
  const text = isJsonMediaType(content.key) ? stringifyJson(value) : String(value);
  return withName(where, name, where === 'header' ? text : encodeURIComponent(text));
}
