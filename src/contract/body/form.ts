// Forms: application/x-www-form-urlencoded, and text fields of multipart/form-data.
import type { Definition, Place } from '../definition/definition.ts';
import { parseJsonText } from '../json.ts';
import { Pairs, pairsOf } from '../parameters/pairs.ts';
import { BadText, decode, scalar } from '../parameters/parameterText.ts';
import { type Shape, shapeOf, UNKNOWN } from '../parameters/shape.ts';
import { malformedBody } from '../problem.ts';
import { isJson, parseMediaType } from './mediaType.ts';

/** The fields of a form, as one media type of a contract declares them. */
export interface FormFields {
  readonly shape: Shape;
  /** The Encoding Objects, by name of their property. */
  readonly encoding: ReadonlyMap<string, Encoding>;
}

interface Encoding {
  readonly style?: string;
  readonly explode?: boolean;
  readonly contentType?: string;
}

/** Above the largest forms that people fill in; each field costs an entry. */
const MAX_FIELDS = 10_000;

export function formFieldsOf(definition: Definition, content: Place): FormFields {
  const schema = content.node.schema === undefined ? undefined : definition.step(content, 'schema');
  return {
    shape: shapeOf(definition, schema),
    encoding: new Map(Object.entries(content.node.encoding ?? {})),
  };
}

/**
 * Reads application/x-www-form-urlencoded.
 *
 * @throws {Problem} 40004 for malformed text and for more than MAX_FIELDS fields
 */
export function readForm(text: string, { shape, encoding }: FormFields): Record<string, unknown> {
  if (hasMore(text, '&', MAX_FIELDS - 1)) {
    throw malformedBody(`expected at most ${MAX_FIELDS} form fields`);
  }
  const pairs = new Pairs(pairsOf(text));
  const form = newForm();
  try {
    for (const name of shape.names) {
      const { style = 'form', explode = style === 'form', contentType } = encoding.get(name) ?? {};
      const isText = isJsonField(contentType);
      const own = isText ? UNKNOWN : ownShape(shape.property(name), style);
      const value = pairs.take(name, style, own, explode);
      if (value !== undefined) form[name] = isText ? parseField(String(value)) : value;
    }
    if (pairs.malformed.size > 0) throw new BadText('expected percent-encoded UTF-8');
    for (const [name, values] of pairs.rest()) {
      const texts = values.map(decode);
      form[name] = texts.length === 1 ? texts[0] : texts;
    }
  } catch (error) {
    throw error instanceof BadText ? malformedBody(`form field ${error.message}`) : error;
  }
  return form;
}

/** Without a prototype: its names come from the request, and `__proto__` is one of them. */
export function newForm(): Record<string, unknown> {
  return Object.create(null);
}

function hasMore(text: string, char: string, count: number): boolean {
  let found = 0;
  for (let at = text.indexOf(char); at >= 0; at = text.indexOf(char, at + 1)) {
    if (++found > count) return true;
  }
  return false;
}

/** Reads one text field of multipart/form-data, which has a media type of its own. */
export function readField(
  name: string,
  text: string,
  type: string,
  { shape, encoding }: FormFields,
): unknown {
  const own = shape.property(name);
  const isComposed =
    own.kind === 'object' || (own.kind === 'array' && own.items().kind === 'object');
  const sent = parseMediaType(type)?.type ?? 'text/plain';
  if (isJson(sent) || isComposed || isJsonField(encoding.get(name)?.contentType)) {
    return parseField(text);
  }
  return scalar(text, own.kind === 'array' ? own.items() : own);
}

/** An object would spread over names of its own, which in a form are the form's. */
function ownShape(shape: Shape, style: string): Shape {
  return shape.kind === 'object' && style === 'form' ? UNKNOWN : shape;
}

function isJsonField(contentType: string | undefined): boolean {
  return isJson(parseMediaType(contentType)?.type ?? '');
}

function parseField(text: string): unknown {
  return parseJsonText(text);
}
