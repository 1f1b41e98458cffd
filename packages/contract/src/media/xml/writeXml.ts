// Serializes a value to XML by the XML Objects of its schema; the names of elements and attributes (OpenAPI 3.0.4 and 3.1.1).

import { memo } from '../../document/memo.ts';
import { unescapeToken } from '../../document/node.ts';
import { NotSerializable } from '../../json/json.ts';
import type { Schema } from '../../schema/model.ts';
import type { MediaContent } from '../form.ts';
import type { Shape } from '../styles/shape.ts';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
/** XML 1.0, section 2.3. */
const NAME_START =
  ':A-Z_a-z\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}';
const NAME = new RegExp(
  `^[${NAME_START}][-.0-9\\xb7\\u0300-\\u036f\\u203f\\u2040${NAME_START}]*$`,
  'u',
);
/** Section 2.2. */
const NO_CHARACTER = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/**
 * Serializes a value as an XML document. The root element is named by `xml.name`, else by the component
 * of the schema, else `root`. null becomes `xsi:nil`.
 *
 * @throws {NotSerializable} for a property that is not an XML name, and for characters that XML excludes
 */
export function writeXml(
  value: unknown,
  { schema, shape }: Pick<MediaContent, 'schema' | 'shape'>,
): string {
  const component = componentOf(schema);
  const isUsable = component !== undefined && NAME.test(component);
  return DECLARATION + element(shape.xml.name ?? (isUsable ? component : 'root'), value, shape);
}

function element(name: string, value: unknown, shape: Shape): string {
  const { prefix, namespace } = shape.xml;
  const attributes = new Map<string, string>();
  if (namespace !== undefined) attributes.set(prefix ? `xmlns:${prefix}` : 'xmlns', namespace);
  const tag = qualified(name, prefix);
  const content = contentOf(name, value, shape, attributes);
  const written = [...attributes].map(([key, text]) => ` ${key}="${escaped(text, key)}"`).join('');
  return content === '' ? `<${tag}${written}/>` : `<${tag}${written}>${content}</${tag}>`;
}

/** @param attributes the attributes of the element; the function adds those of its properties */
function contentOf(
  name: string,
  value: unknown,
  shape: Shape,
  attributes: Map<string, string>,
): string {
  if (value === null) {
    attributes.set('xmlns:xsi', XSI);
    attributes.set('xsi:nil', 'true');
    return '';
  }
  if (Array.isArray(value)) return items(itemName(name, shape), value, shape);
  if (typeof value !== 'object') return escaped(String(value), name);
  const parts = inOrder(value as Record<string, unknown>, shape).map(([property, value]) => {
    const own = shape.property(property);
    if (isText(own)) return textOf(property, value, own);
    if (own.xml.attribute !== true) return propertyElements(property, value, own);
    addAttribute(property, value, own, attributes);
    return '';
  });
  return parts.join('');
}

function propertyElements(property: string, value: unknown, shape: Shape): string {
  if (Array.isArray(value) && !isWrapped(shape)) {
    return items(itemName(property, shape), value, shape);
  }
  return element(elementName(property, shape), value, shape);
}

function items(name: string, values: readonly unknown[], shape: Shape): string {
  return values.map((value) => element(name, value, shape.items())).join('');
}

/** Text cannot be nil. */
function textOf(property: string, value: unknown, { xml }: Shape): string {
  if (value === null) return '';
  if (typeof value === 'object') {
    throw new NotSerializable(`/${property} expected a scalar for XML text`);
  }
  const text = String(value);
  const written = escaped(text, property);
  // A section cannot contain its own end, or a carriage return.
  const section = text.replaceAll(']]>', ']]]]><![CDATA[>').replaceAll('\r', ']]>&#13;<![CDATA[');
  return xml.nodeType === 'text' ? written : `<![CDATA[${section}]]>`;
}

function addAttribute(
  property: string,
  value: unknown,
  shape: Shape,
  attributes: Map<string, string>,
): void {
  // An attribute cannot be nil.
  if (value === null) return;
  if (typeof value === 'object') {
    throw new NotSerializable(`/${property} expected a scalar for an XML attribute`);
  }
  const { prefix, namespace } = shape.xml;
  if (prefix && namespace !== undefined) attributes.set(`xmlns:${prefix}`, namespace);
  attributes.set(qualified(elementName(property, shape), prefix), String(value));
}

/** @returns the properties in the order of the contract: clients may expect an xs:sequence */
function inOrder(value: Record<string, unknown>, shape: Shape): [string, unknown][] {
  const declared = [...shape.names].filter((name) => Object.hasOwn(value, name));
  const others = Object.keys(value).filter((name) => !shape.names.has(name));
  const entries = [...declared, ...others].map((name): [string, unknown] => [name, value[name]]);
  return entries.filter(([, value]) => value !== undefined);
}

function qualified(name: string, prefix: string | undefined): string {
  const tag = prefix ? `${prefix}:${name}` : name;
  if (!NAME.test(tag)) throw new NotSerializable(`"${tag}" is not an XML name`);
  return tag;
}

/** Escapes white space too, which parsers normalize (XML 1.0, sections 2.11 and 3.3.3). */
function escaped(text: string, name: string): string {
  if (NO_CHARACTER.test(text)) {
    throw new NotSerializable(`${name} expected characters that XML can represent`);
  }
  return text.replace(/[&<>"\t\n\r]/g, (char) => ESCAPES[char] ?? `&#${char.charCodeAt(0)};`);
}

function componentOf(schema: Schema | undefined): string | undefined {
  const [, name] = /^\/components\/schemas\/([^/]+)$/.exec(schema?.ref?.pointer ?? '') ?? [];
  return name && unescapeToken(name);
}

/** Names of elements and attributes -> property. */
interface PropertyNames {
  /** By name without prefix. */
  readonly elements: ReadonlyMap<string, string>;
  readonly attributes: ReadonlyMap<string, string>;
  /** The property that is the text of the element. */
  readonly text: string | undefined;
}

const known = new WeakMap<Shape, PropertyNames>();

/** @returns the names of the declared properties; the first property of a name takes precedence */
export function propertyNames(shape: Shape): PropertyNames {
  return memo(known, shape, () => compile(shape));
}

/** @returns the element name of a property */
function elementName(property: string, shape: Shape): string {
  return shape.xml.name ?? property;
}

/** @returns the element name of an item; by default that of the array */
function itemName(array: string, shape: Shape): string {
  return shape.items().xml.name ?? array;
}

/** True if the shape allows the kind. */
export function allows({ readings }: Shape, kind: Shape['kind']): boolean {
  return readings.some((reading) => reading.kind === kind);
}

/** True for an array with a wrapper element. */
export function isWrapped(shape: Shape): boolean {
  return shape.xml.wrapped === true;
}

/** True for a value that is text of the parent's element. */
function isText(shape: Shape): boolean {
  return shape.xml.nodeType !== undefined;
}

function compile(shape: Shape): PropertyNames {
  const elements = new Map<string, string>();
  const attributes = new Map<string, string>();
  let text: string | undefined;
  const add = (names: Map<string, string>, name: string, property: string) => {
    if (!names.has(name)) names.set(name, property);
  };
  for (const property of shape.names) {
    const own = shape.property(property);
    if (isText(own)) {
      text ??= property;
      continue;
    }
    if (own.xml.attribute === true) {
      add(attributes, elementName(property, own), property);
      continue;
    }
    const isUnwrappedArray = allows(own, 'array') && !isWrapped(own);
    if (isUnwrappedArray) add(elements, itemName(property, own), property);
    // Without a wrapper the name of the array is ignored.
    if (!isUnwrappedArray || own.readings.length > 1) {
      add(elements, elementName(property, own), property);
    }
  }
  return { elements, attributes, text };
}
