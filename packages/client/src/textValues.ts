// Reads values from text: headers, text bodies and forms.
import { type Exact, exactNumber, fromJson } from './json.ts';

/**
 * The types of a value: `bigint`, `number`, `boolean`, `null` and `string`, separated by spaces; the items
 * of an array; the properties of an object; JSON.
 */
export type TextShape =
  | string
  | { readonly items: TextShape }
  | { readonly properties: Readonly<Record<string, TextShape>>; readonly others?: TextShape }
  | { readonly json: Exact | 0 };

/** RFC 8259, section 6. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Reads `style: simple`. */
export function simpleValue(
  text: string,
  shape: TextShape,
  explode = false,
  delimiter: string | RegExp = /\s*,\s*/,
): unknown {
  if (typeof shape === 'string') return scalarValue(text, shape);
  if ('json' in shape) return fromJson(text, shape.json || undefined);
  const parts = text === '' ? [] : text.split(delimiter);
  if ('items' in shape) return parts.map((part) => simpleValue(part, shape.items));
  const { properties, others = 'string' } = shape;
  const pairs = explode
    ? parts.map((part) => part.split(/=(.*)/s))
    : parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1] ?? '']] : []));
  return Object.fromEntries(
    pairs.map(([name = '', value = '']) => [name, simpleValue(value, properties[name] ?? others)]),
  );
}

export function scalarValue(text: string, types: string): unknown {
  const allowed = types.split(' ');
  if (NUMBER.test(text)) {
    const number = Number(text);
    const exact = exactNumber(text, number);
    const isInteger = typeof exact === 'bigint' || Number.isInteger(number);
    if (allowed.includes('bigint') && isInteger) return BigInt(exact);
    if (allowed.includes('number')) return number;
  }
  if (allowed.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true';
  if (!allowed.includes('string') && allowed.includes('null') && /^(?:null)?$/.test(text)) {
    return null;
  }
  return text;
}

/** Reads the fields of a form: arrays repeat the name, and objects are JSON. */
export function formValue(
  fields: Iterable<readonly [name: string, value: unknown]>,
  shape: TextShape,
): Record<string, unknown> {
  const { properties = {}, others = 'string' } =
    typeof shape === 'object' && 'properties' in shape ? shape : {};
  const form: Record<string, unknown> = Object.create(null);
  for (const [name, value] of fields) {
    const own = Object.hasOwn(properties, name) ? properties[name]! : others;
    const isList = typeof own === 'object' && 'items' in own;
    const read = typeof value === 'string' ? fieldValue(value, isList ? own.items : own) : value;
    const before = form[name];
    if (isList || name in form) form[name] = [...[before ?? []].flat(), read];
    else form[name] = read;
  }
  return form;
}

function fieldValue(text: string, shape: TextShape): unknown {
  if (typeof shape === 'string') return scalarValue(text, shape);
  return fromJson(text, 'json' in shape ? shape.json || undefined : undefined);
}
