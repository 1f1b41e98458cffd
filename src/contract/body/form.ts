// Forms: application/x-www-form-urlencoded, and the fields of multipart/form-data that are text.
// Each property is read in the style that the contract's `encoding` gives it.
import type { Definition, Place } from '../definition/definition.ts';
import { parseJsonText } from '../json.ts';
import { fromPairs, pairsOf, safeDecode } from '../parameters/pairs.ts';
import { BadText, decode, scalar } from '../parameters/parameterText.ts';
import { type Shape, shapeOf, UNKNOWN } from '../parameters/shape.ts';
import { malformedBody } from '../problem.ts';
import { isJson, parseMediaType } from './mediaType.ts';

/** What one media type of a contract says of its form's fields. */
export interface FormFields {
  readonly shape: Shape;
  readonly encoding: Readonly<
    Record<string, { style?: string; explode?: boolean; contentType?: string }>
  >;
}

export function formFieldsOf(definition: Definition, content: Place): FormFields {
  const schema = content.node.schema === undefined ? undefined : definition.step(content, 'schema');
  return { shape: shapeOf(definition, schema), encoding: content.node.encoding ?? {} };
}

/**
 * Reads application/x-www-form-urlencoded.
 *
 * @throws {Problem} 40004 when the text is no such form
 */
export function readForm(text: string, { shape, encoding }: FormFields): Record<string, unknown> {
  const pairs = pairsOf(text);
  const taken = new Set<string>();
  const form: Record<string, unknown> = {};
  try {
    for (const name of shape.names) {
      const { style = 'form', explode = style === 'form', contentType } = encoding[name] ?? {};
      const isText = isJsonField(contentType);
      const own = isText ? UNKNOWN : ownShape(shape.property(name), style);
      const value = fromPairs(pairs, taken, name, style, own, explode);
      if (value !== undefined) form[name] = isText ? parseField(String(value)) : value;
    }
    for (const [key, value] of pairs) if (!taken.has(safeDecode(key))) addText(form, key, value);
  } catch (error) {
    throw error instanceof BadText ? malformedBody(`form field ${error.message}`) : error;
  }
  return form;
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
  if (isJson(sent) || isComposed || isJsonField(encoding[name]?.contentType)) {
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

function addText(form: Record<string, unknown>, key: string, value: string): void {
  const name = decode(key);
  const text = decode(value);
  if (!Object.hasOwn(form, name)) form[name] = text;
  else form[name] = [form[name], text].flat();
}
