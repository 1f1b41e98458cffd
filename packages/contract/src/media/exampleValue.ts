// The values of Example Objects.

import type { LocatedNode } from '../document/definition.ts';
import { parseJsonText } from '../json/json.ts';
import { isJsonMediaType } from './mediaType.ts';

/**
 * @param type the media type of the example; undefined for a parameter
 * @returns the value: `dataValue` (OpenAPI 3.2), `value`, else the parsed `serializedValue` of JSON or text;
 *   undefined for another serialized form
 */
export function exampleValue(
  { node, pointer }: LocatedNode,
  type?: string,
): LocatedNode | undefined {
  for (const keyword of ['dataValue', 'value']) {
    if (keyword in node) return { pointer: `${pointer}/${keyword}`, node: node[keyword] };
  }
  const { serializedValue } = node;
  if (typeof serializedValue !== 'string' || type === undefined) return undefined;
  const at = `${pointer}/serializedValue`;
  if (type.startsWith('text/')) return { pointer: at, node: serializedValue as never };
  const value = isJsonMediaType(type) ? parsedJson(serializedValue) : undefined;
  return value === undefined ? undefined : { pointer: at, node: value as never };
}

/** @returns undefined for text that is not JSON */
export function parsedJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
