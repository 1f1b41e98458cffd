// Deserializes XML to the value of a schema.

import { isUtf8 } from 'node:buffer';
import { setImmediate as turn } from 'node:timers/promises';
import { memo } from '../../document/memo.ts';
import { malformedBody } from '../../errors/problem.ts';
import { MAX_DEPTH } from '../../json/json.ts';
import { ofBody, scalar } from '../styles/parameterText.ts';
import { bestReading, type Shape } from '../styles/shape.ts';
import { allows, isWrapped, propertyNames } from './writeXml.ts';

const TEXT = /[^ \t\r\n]/;
/** Attributes that describe the document: namespaces, `xml:lang`, `xsi:schemaLocation`. */
const RESERVED = /^(?:xmlns$|xmlns:|xml:|xsi:)/;

/**
 * Deserializes an XML document. Names are matched without prefix; namespaces are ignored.
 *
 * @throws {Problem} 40004 for the errors of parseXml, an unexpected element, and text between elements
 */
export async function readXml(bytes: Buffer, shape: Shape): Promise<unknown> {
  const root = await parseXml(bytes);
  expectName(root, shape.xml.name, 'as the root');
  return readElement(root, shape);
}

/** Selects the kind by the content of the element if the schema allows several. */
function readElement(element: XmlElement, shape: Shape): unknown {
  const { attributes, children, text } = element;
  if (isTrue(attributes['xsi:nil'])) return null;
  if (allows(shape, 'object') && propertyNames(shape).text !== undefined) {
    return objectOf(element, shape);
  }
  if (children.length > 0) {
    if (TEXT.test(text))
      throw malformedBody(`expected no text between elements in ${tag(element)}`);
    return allows(shape, 'array') && !allows(shape, 'object')
      ? itemsOf(element, shape)
      : objectOf(element, shape);
  }
  if (TEXT.test(text)) return scalarOf(text, shape);
  if (allows(shape, 'object')) return objectOf(element, shape);
  return allows(shape, 'scalar') ? scalarOf(text, shape) : [];
}

function itemsOf(element: XmlElement, shape: Shape): unknown[] {
  const items = shape.items();
  return element.children.map((child) => {
    expectName(child, items.xml.name, `in ${tag(element)}`);
    return readElement(child, items);
  });
}

function objectOf(element: XmlElement, shape: Shape): Record<string, unknown> {
  const names = propertyNames(shape);
  // Without a prototype: a client may send a name `__proto__`.
  const object: Record<string, unknown> = Object.create(null);
  for (const [name, text] of Object.entries(element.attributes)) {
    const property = names.attributes.get(name) ?? names.attributes.get(localName(name));
    if (property === undefined && RESERVED.test(name)) continue;
    if (property === undefined && shape.names.has(name)) {
      throw malformedBody(`expected no attribute ${name} in ${tag(element)}`);
    }
    object[property ?? name] = scalarOf(text, shape.property(property ?? name));
  }
  for (const [property, children] of childrenByProperty(element, shape)) {
    const values = valuesOf(children, shape.property(property));
    object[property] = property in object ? [object[property], values] : values;
  }
  const { text } = names;
  if (text !== undefined && (TEXT.test(element.text) || shape.required.has(text))) {
    object[text] = scalarOf(element.text, shape.property(text));
  }
  return withEmptyArrays(object, shape);
}

function childrenByProperty(element: XmlElement, shape: Shape): Map<string, XmlElement[]> {
  const { elements } = propertyNames(shape);
  const found = new Map<string, XmlElement[]>();
  for (const child of element.children) {
    const property = elements.get(child.name) ?? elements.get(localName(child.name));
    if (property === undefined && shape.names.has(child.name)) {
      throw malformedBody(`expected no element ${tag(child)} in ${tag(element)}`);
    }
    memo(found, property ?? child.name, (): XmlElement[] => []).push(child);
  }
  return found;
}

/** @returns the value of a property: the items of an unwrapped array, else the value of its element */
function valuesOf(children: readonly XmlElement[], shape: Shape): unknown {
  if (allows(shape, 'array') && !isWrapped(shape)) {
    const [first] = children;
    const isItem =
      shape.readings.length === 1 || (!allows(shape, 'object') && first!.children.length > 0);
    if (isItem || children.length > 1)
      return children.map((child) => readElement(child, shape.items()));
  }
  const values = children.map((child) => readElement(child, shape));
  return values.length === 1 ? values[0] : values;
}

/** An empty unwrapped array has no element: adds required arrays that are missing. */
function withEmptyArrays(object: Record<string, unknown>, shape: Shape): Record<string, unknown> {
  for (const property of shape.required) {
    const own = shape.property(property);
    const isList = own.kind === 'array' && own.readings.length === 1 && !isWrapped(own);
    if (isList && !(property in object)) object[property] = [];
  }
  return object;
}

/** Trims white space except for strings. */
function scalarOf(text: string, shape: Shape): unknown {
  const read = (reading: Shape) => {
    const isString = reading.types.size === 0 || reading.types.has('string');
    return scalar(isString ? text : text.trim(), reading);
  };
  return ofBody(() => read(bestReading(shape, read)));
}

function expectName(element: XmlElement, name: string | undefined, where: string): void {
  if (name === undefined || element.name === name || localName(element.name) === name) return;
  throw malformedBody(`expected <${name}> ${where}, found ${tag(element)}`);
}

function tag({ name }: XmlElement): string {
  return `<${name.length > 100 ? `${name.slice(0, 100)}…` : name}>`;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function isTrue(text: string | undefined): boolean {
  return text === 'true' || text === '1';
}

interface XmlElement {
  /** With its prefix. */
  readonly name: string;
  /** By name with prefix; without a prototype. */
  readonly attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  /** Concatenated text and CDATA. */
  text: string;
}

const MAX_MESSAGE_LENGTH = 200;
/** Characters per event loop iteration: about 10 ms for the slowest XML. */
const SLICE_LENGTH = 16 * 1024;
/** Shared, to save memory: a megabyte may contain 260,000 leaf elements. */
const NO_ATTRIBUTES: XmlElement['attributes'] = Object.freeze(Object.create(null));
const NO_CHILDREN: readonly XmlElement[] = [];

/**
 * Parses an XML document (XML 1.0, fifth edition). Loads the parser lazily.
 *
 * @returns the root element
 * @throws {Problem} 40004 for malformed XML, another encoding than UTF-8, a DOCTYPE, and nesting deeper
 *   than MAX_DEPTH
 */
export async function parseXml(bytes: Buffer): Promise<XmlElement> {
  // saxes is strict and linear. fast-xml-parser accepts two root elements and undefined entities, and
  // rejects an element `constructor`.
  const { SaxesParser } = await import('saxes');
  if (!isUtf8(bytes)) throw malformedBody('expected XML in UTF-8');
  const parser = new SaxesParser();
  const document = newElement('', NO_ATTRIBUTES);
  const open = [document];
  parser.on('error', ({ message }) => {
    throw malformedBody(`expected well-formed XML: ${message.slice(0, MAX_MESSAGE_LENGTH)}`);
  });
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (!/^(?:utf-8|us-ascii)$/i.test(encoding)) throw malformedBody('expected XML in UTF-8');
  });
  parser.on('doctype', () => {
    throw malformedBody('expected XML without a DOCTYPE');
  });
  let hasAttributes = false;
  parser.on('attribute', () => {
    hasAttributes = true;
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > MAX_DEPTH) {
      throw malformedBody(`expected elements nested at most ${MAX_DEPTH} deep`);
    }
    const element = newElement(name, hasAttributes ? attributes : NO_ATTRIBUTES);
    hasAttributes = false;
    addChild(open.at(-1)!, element);
    open.push(element);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  const addText = (text: string) => {
    open.at(-1)!.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  const xml = bytes.toString();
  for (let at = 0; at < xml.length; at += SLICE_LENGTH) {
    if (at > 0) await turn();
    parser.write(xml.slice(at, at + SLICE_LENGTH));
  }
  parser.close();
  return document.children[0]!;
}

function newElement(name: string, attributes: XmlElement['attributes']): XmlElement {
  return { name, attributes, children: NO_CHILDREN, text: '' };
}

function addChild(parent: XmlElement, child: XmlElement): void {
  if (parent.children === NO_CHILDREN) parent.children = [child];
  else (parent.children as XmlElement[]).push(child);
}
