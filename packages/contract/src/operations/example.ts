// The examples of parameters, headers and media types.
import type { LocatedNode } from '../document/node.ts';
import { parseJsonText } from '../json/json.ts';
import { isJsonMediaType } from './mediaType.ts';

/** A value with its JSON pointer. */
export interface LocatedValue {
  readonly pointer: string;
  readonly value: unknown;
}

/** The value of `example`, or an Example Object of `examples`. */
export interface Example {
  /** Its key in `examples`; undefined for `example`. */
  readonly name: string | undefined;
  readonly pointer: string;
  /** The Example Object; undefined for `example`. */
  readonly object: Readonly<Record<string, unknown>> | undefined;
  /**
   * @param type the media type of the example; undefined for a parameter
   * @returns `dataValue` (OpenAPI 3.2), `value`, else the parsed `serializedValue` of JSON or text; undefined
   *   for another serialized form, and for `externalValue`
   */
  read(type?: string): LocatedValue | undefined;
}

/** @returns the value of `example` */
export function plainExample(pointer: string, value: unknown): Example {
  return { name: undefined, pointer, object: undefined, read: () => ({ pointer, value }) };
}

/** @returns an Example Object */
export function namedExample(name: string, location: LocatedNode): Example {
  const { pointer, node } = location;
  return { name, pointer, object: node, read: (type) => readValue(location, type) };
}

function readValue({ node, pointer }: LocatedNode, type?: string): LocatedValue | undefined {
  for (const keyword of ['dataValue', 'value']) {
    if (keyword in node) return { pointer: `${pointer}/${keyword}`, value: node[keyword] };
  }
  const { serializedValue } = node;
  if (typeof serializedValue !== 'string' || type === undefined) return undefined;
  const at = `${pointer}/serializedValue`;
  if (type.startsWith('text/')) return { pointer: at, value: serializedValue };
  const value = isJsonMediaType(type) ? parsedJson(serializedValue) : undefined;
  return value === undefined ? undefined : { pointer: at, value };
}

/** @returns undefined for text that is not JSON */
export function parsedJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
