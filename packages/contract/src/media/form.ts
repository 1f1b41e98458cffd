// Parses application/x-www-form-urlencoded, and the text fields of multipart/form-data.

import { malformedBody } from '../errors/problem.ts';
import { parseJsonText } from '../json/json.ts';
import type { Content, Encoding, Serialization } from '../operations/describedValues.ts';
import { isJsonMediaType } from '../operations/mediaType.ts';
import type { Schema } from '../schema/model.ts';
import type { Validators } from '../schema/validator.ts';
import {
  BadText,
  decode,
  isExplodedObject,
  ofBody,
  type Pair,
  Pairs,
  pairsOf,
  scalar,
} from './styles/parameterText.ts';
import { bestReading, type Shape, shapeOf, UNKNOWN } from './styles/shape.ts';

/** The declared fields of a form. */
export interface FormFields {
  readonly shape: Shape;
  /** By name of the property. */
  readonly encodings: ReadonlyMap<string, Encoding>;
}

/** One entry of a `content` map. */
export interface MediaContent extends FormFields {
  readonly schema: Schema | undefined;
  /** Of the items of a sequential media type; undefined for other bodies. */
  readonly item: Schema | undefined;
  readonly validators: Validators;
}

/** Without an Encoding Object: arrays repeat the name. */
const FORM_STYLE = { style: 'form', explode: true };

/** Limits the memory for entries. */
const MAX_FIELDS = 10_000;

/** @param content a form @returns its properties and how each is serialized */
export function formFieldsOf({ schema, encodings }: Content, validators: Validators): FormFields {
  return { shape: shapeOf(schema, validators), encodings };
}

/** @returns the parts of a Media Type Object that its readers and writers need */
export function mediaContentOf(content: Content, validators: Validators): MediaContent {
  const { schema, item } = content;
  return { ...formFieldsOf(content, validators), schema, item, validators };
}

/**
 * Parses application/x-www-form-urlencoded.
 *
 * @throws {Problem} 40004 for a malformed form and more than MAX_FIELDS fields
 */
export function readForm(text: string, { shape, encodings }: FormFields): Record<string, unknown> {
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) {
    throw malformedBody(`expected at most ${MAX_FIELDS} form fields`);
  }
  const pairs = new Pairs(pairsOf(text));
  const read = (shape: Shape) => readFields(pairs, shape, encodings);
  return ofBody(() => {
    const form = read(bestReading(shape, read));
    if (pairs.malformed.size > 0) throw new BadText('expected percent-encoded UTF-8');
    return form;
  }, 'form field ');
}

function readFields(
  pairs: Pairs,
  shape: Shape,
  encodings: FormFields['encodings'],
): Record<string, unknown> {
  const form = newForm();
  for (const name of shape.names) {
    const value = readProperty(pairs, name, shape.property(name), encodings.get(name));
    if (value !== undefined) form[name] = value;
  }
  for (const [name, values] of pairs.rest()) {
    const texts = values.map(decode);
    const read = (shape: Shape) => {
      if (shape.kind === 'array') return texts.map((text, at) => scalar(text, shape.items(at)));
      return texts.length === 1 ? scalar(texts[0]!, shape) : texts;
    };
    form[name] = read(bestReading(shape.property(name), read));
  }
  return form;
}

function readProperty(
  pairs: Pairs,
  name: string,
  shape: Shape,
  encoding: Encoding | undefined,
): unknown {
  const isPlain = encoding?.serialization === undefined;
  const styled = encoding?.serialization ?? FORM_STYLE;
  const isText = isPlain && isJsonMediaType(encoding?.contentTypes.join());
  // The properties of an object would collide with the fields of the form.
  const own = (shape: Shape) => (isText || (isPlain && shape.kind === 'object') ? UNKNOWN : shape);
  const whole = (value: unknown, shape: Shape) =>
    styled.style === 'form' && !isText ? withObjects(value, shape) : value;
  const property = bestReading(shape, (shape) =>
    whole(pairs.read(name, styled, own(shape)), shape),
  );
  const value = whole(pairs.take(name, styled, own(property)), property);
  return isText && value !== undefined ? parseJsonText(String(value)) : value;
}

/** Without a prototype: a client may send a field `__proto__`. */
export function newForm(): Record<string, unknown> {
  return Object.create(null);
}

/** Parses a text part of multipart/form-data. @param isJsonText true for a media type of JSON */
export function readField(text: string, isJsonText: boolean, property: Shape): unknown {
  const read = (shape: Shape) => (isJsonText ? parseJsonText(text) : readText(text, shape));
  const whole = (shape: Shape) => (shape.kind === 'array' ? [read(shape)] : read(shape));
  return read(bestReading(property, whole));
}

/** Parses one part of a form; an array property has one part per item. */
function readText(text: string, own: Shape): unknown {
  if (own.kind === 'object') return parseJsonText(text);
  if (own.kind === 'scalar') return bodyScalar(text, own);
  const read = (item: Shape) =>
    item.kind === 'object' ? parseJsonText(text) : bodyScalar(text, item);
  return read(bestReading(own.items(), read));
}

/** Objects are JSON by default (OpenAPI 3.1.1, Encoding Object), and in arrays with `style: form`. */
function withObjects(value: unknown, shape: Shape): unknown {
  if (shape.kind === 'object') return typeof value === 'string' ? parseJsonText(value) : value;
  const holdsObjects = shape.kind === 'array' && shape.items().kind === 'object';
  if (!holdsObjects || !Array.isArray(value)) return value;
  return value.map((each) => (typeof each === 'string' ? readText(each, shape) : each));
}

/** Converts a text to a type that the schema allows. @throws {Problem} 40004 for a number beyond the limits */
export function bodyScalar(text: string, shape: Shape): unknown {
  return ofBody(() => scalar(text, shape));
}

/**
 * @returns the style of a property; undefined for a file, and in OpenAPI 3.0, where only
 *   application/x-www-form-urlencoded has styles
 */
export function multipartStyleOf(
  { encodings, shape, validators }: Pick<MediaContent, 'encodings' | 'shape' | 'validators'>,
  name: string,
): Serialization | undefined {
  const styled = encodings.get(name)?.serialization;
  if (styled === undefined || !shape.names.has(name)) return undefined;
  if (validators.model.definition.isVersion30) return undefined;
  const property = shape.property(name);
  const { isBinary } = property.kind === 'array' ? property.items() : property;
  return isBinary ? undefined : styled;
}

interface StyledProperty {
  readonly styled: Serialization;
  readonly name: string;
  readonly shape: Shape;
}

/** The properties of one form that have a style. */
export class StyledParts {
  readonly #properties: readonly StyledProperty[];

  constructor(content: MediaContent) {
    this.#properties = [...content.encodings.keys()].flatMap((name) => {
      const styled = multipartStyleOf(content, name);
      return styled === undefined ? [] : [{ name, styled, shape: content.shape.property(name) }];
    });
  }

  /** @param part the name of a part @returns true for a part of a property with a style */
  includes(part: string): boolean {
    return this.#properties.some(({ name, styled, shape }) => {
      if (styled.style === 'deepObject') return part.startsWith(`${name}[`);
      return isExplodedObject(styled, shape) ? shape.names.has(part) : part === name;
    });
  }

  /**
   * @param parts the text of each part, percent-encoded
   * @returns the values by name of the property
   * @throws {Problem} 40004 for text that is invalid in its style
   */
  read(parts: readonly Pair[]): [name: string, value: unknown][] {
    // The names of parts are not percent-encoded.
    const pairs = new Pairs(parts.map(([name, text]) => [name.replaceAll('%', '%25'), text]));
    return this.#properties.flatMap(({ name, styled, shape }) => {
      const read = (shape: Shape) => {
        const value = pairs.read(name, styled, shape);
        return styled.style === 'form' ? withObjects(value, shape) : value;
      };
      const value = ofBody(() => read(bestReading(shape, read)), `form field ${name} `);
      return value === undefined ? [] : [[name, value]];
    });
  }
}
