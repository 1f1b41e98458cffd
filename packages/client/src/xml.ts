// Reads and writes XML by the XML Objects of a schema, as the engine does (OpenAPI 3.2.0, section 4.26).
import { type BodyWriter, isBytes } from './bodies.ts';
import { UnreadableBody } from './errors.ts';
import type { BodyReader } from './replies.ts';
import { scalarValue } from './textValues.ts';

/** A value in XML. */
export interface XmlSpec {
  /** Of its element or attribute; by default that of the property. */
  readonly name?: string;
  readonly prefix?: string;
  readonly namespace?: string;
  /** By default an element; for an array one for each item. */
  readonly as?: 'attribute' | 'text' | 'cdata' | 'wrapper';
  /** The types of a scalar, as in `TextShape`; absent if the value is an object or an array. */
  readonly types?: string;
  readonly items?: LazySpec;
  readonly properties?: Readonly<Record<string, LazySpec>>;
  /** Of other properties. */
  readonly others?: LazySpec;
  /** The names of texts and of arrays without elements that an object must have. */
  readonly required?: readonly string[];
}

/** A function for a recursive schema. */
type LazySpec = XmlSpec | (() => XmlSpec);

interface Element {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: Element[];
  text: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
/** XML 1.0, section 2.2. */
const NO_CHARACTER = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
/** The characters that delimit names. */
const NO_NAME = /^[-.\d]|[\s<>&"'/=]|^$/;

/** @returns a writer of XML; a string is XML already */
export function sendXml(spec: XmlSpec): BodyWriter {
  return (value, type) => {
    if (isBytes(value) || typeof value === 'string') return { body: value, type };
    const root = element('root', value, spec);
    return { body: `<?xml version="1.0" encoding="UTF-8"?>\n${root}`, type };
  };
}

function element(name: string, value: unknown, spec: XmlSpec): string {
  const tag = qualified(spec.name ?? name, spec);
  const { prefix, namespace } = spec;
  const attributes: Record<string, string> = {};
  if (namespace !== undefined) attributes[prefix ? `xmlns:${prefix}` : 'xmlns'] = namespace;
  const content = contentOf(name, value, spec, attributes);
  const written = Object.entries(attributes).map(([key, text]) => ` ${key}="${escaped(text)}"`);
  return `<${tag}${written.join('')}>${content}</${tag}>`;
}

/** @param attributes receives those of the element */
function contentOf(
  name: string,
  value: unknown,
  spec: XmlSpec,
  attributes: Record<string, string>,
): string {
  if (value === null) {
    attributes['xmlns:xsi'] = XSI;
    attributes['xsi:nil'] = 'true';
    return '';
  }
  if (Array.isArray(value)) return itemElements(spec.name ?? name, value, spec);
  if (typeof value !== 'object') return escaped(String(value));
  const names = new Set([...Object.keys(spec.properties ?? {}), ...Object.keys(value)]);
  let content = '';
  for (const property of names) {
    const each = (value as Record<string, unknown>)[property];
    if (each === undefined || !Object.hasOwn(value, property)) continue;
    const own = propertySpec(spec, property);
    if (own.as === 'attribute') {
      if (each === null) continue;
      if (own.prefix && own.namespace) attributes[`xmlns:${own.prefix}`] = own.namespace;
      attributes[qualified(own.name ?? property, own)] = String(each);
    } else if (own.as === 'text') content += each === null ? '' : escaped(String(each));
    else if (own.as === 'cdata') content += each === null ? '' : section(String(each));
    else if (Array.isArray(each) && own.as !== 'wrapper') {
      content += itemElements(property, each, own);
    } else content += element(property, each, own);
  }
  return content;
}

function itemElements(array: string, values: readonly unknown[], spec: XmlSpec): string {
  return values.map((each) => element(array, each, resolved(spec.items))).join('');
}

/** A section cannot contain its own end, or a carriage return. */
function section(text: string): string {
  checkCharacters(text);
  const parts = text.replaceAll(']]>', ']]]]><![CDATA[>').replaceAll('\r', ']]>&#13;<![CDATA[');
  return `<![CDATA[${parts}]]>`;
}

/** Escapes white space too, which parsers normalize. */
function escaped(text: string): string {
  checkCharacters(text);
  return text.replace(/[&<>"\t\n\r]/g, (char) => `&${ESCAPES[char] ?? `#${char.charCodeAt(0)}`};`);
}

function checkCharacters(text: string): void {
  if (NO_CHARACTER.test(text)) throw new TypeError('expected characters that XML can represent');
}

function qualified(name: string, { prefix }: XmlSpec): string {
  const tag = prefix ? `${prefix}:${name}` : name;
  if (NO_NAME.test(tag) || NO_CHARACTER.test(tag))
    throw new TypeError(`expected an XML name, got ${tag}`);
  return tag;
}

/** @returns a reader of XML; names match without prefix, and namespaces are ignored */
export function receiveXml(spec: XmlSpec): BodyReader {
  return async (response) => {
    const text = await response.text();
    const root = parseXml(text);
    if (root === undefined) throw new UnreadableBody('expected XML', { cause: text });
    return readElement(root, spec);
  };
}

function readElement(found: Element, spec: XmlSpec): unknown {
  const { attributes, children, text } = found;
  if (/^(?:true|1)$/.test(attributes.get('xsi:nil') ?? '')) return null;
  const { items, properties } = spec;
  const types = spec.types ?? (items || properties ? undefined : 'string');
  const isText = Object.values(properties ?? {}).some((each) => isTextOf(resolved(each)));
  if (isText) return objectOf(found, spec);
  if (children.length > 0) {
    if (items === undefined || properties) return objectOf(found, spec);
    return children.map((each) => readElement(each, resolved(items)));
  }
  if (text.trim() !== '' && types) return scalarOf(text, types);
  if (properties) return objectOf(found, spec);
  return types ? scalarOf(text, types) : [];
}

/** The white space of strings is theirs. */
function scalarOf(text: string, types = 'string'): unknown {
  return scalarValue(types.includes('string') ? text : text.trim(), types);
}

function objectOf(found: Element, spec: XmlSpec): Record<string, unknown> {
  const object: Record<string, unknown> = Object.create(null);
  const { properties = {}, required = [] } = spec;
  const [attributes, elements] = [new Map<string, string>(), new Map<string, string>()];
  for (const [property, each] of Object.entries(properties)) {
    const own = resolved(each);
    const names = own.as === 'attribute' ? attributes : elements;
    const add = (name: string) => names.has(name) || names.set(name, property);
    const isBare = isBareArray(own);
    if (isTextOf(own)) {
      if (found.text.trim() !== '' || required.includes(property)) {
        object[property] = scalarOf(found.text, own.types);
      }
      continue;
    }
    if (isBare) add(resolved(own.items).name ?? property);
    if (!isBare || own.properties || own.types) add(own.name ?? property);
  }
  for (const [name, text] of found.attributes) {
    const property = attributes.get(name) ?? attributes.get(localName(name));
    if (property === undefined && /^(?:xmlns(?::|$)|xml:|xsi:)/.test(name)) continue;
    object[property ?? name] = scalarOf(text, propertySpec(spec, property ?? name).types);
  }
  const groups = new Map<string, Element[]>();
  for (const child of found.children) {
    const { name } = child;
    const property = elements.get(name) ?? elements.get(localName(name)) ?? name;
    const group = groups.get(property);
    if (group === undefined) groups.set(property, [child]);
    else group.push(child);
  }
  for (const [property, group] of groups) {
    object[property] = valuesOf(group, propertySpec(spec, property));
  }
  for (const property of required) {
    if (isBareArray(propertySpec(spec, property))) object[property] ??= [];
  }
  return object;
}

/** The items of an array without wrapper, else the value of the element. */
function valuesOf(elements: readonly Element[], spec: XmlSpec): unknown {
  const isMixed = spec.properties !== undefined || spec.types !== undefined;
  const isItem = !isMixed || (!spec.properties && elements[0]!.children.length > 0);
  if (isBareArray(spec) && (isItem || elements.length > 1)) {
    return elements.map((each) => readElement(each, resolved(spec.items)));
  }
  const values = elements.map((each) => readElement(each, spec));
  return values.length === 1 ? values[0] : values;
}

function isBareArray({ items, as }: XmlSpec): boolean {
  return items !== undefined && as !== 'wrapper';
}

function isTextOf({ as }: XmlSpec): boolean {
  return as === 'text' || as === 'cdata';
}

function propertySpec({ properties = {}, others }: XmlSpec, name: string): XmlSpec {
  return resolved(Object.hasOwn(properties, name) ? properties[name] : others);
}

function resolved(spec: LazySpec = {}): XmlSpec {
  return typeof spec === 'function' ? spec() : spec;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** A comment or instruction, a CDATA section, an end tag, a start tag with its attributes, or text. */
const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([^\s<>]+)\s*>|<([^\s<>/!?=]+)((?:\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

const MAX_DEPTH = 1000;

/** @returns undefined for XML that is not well-formed, for a document type, and for deep nesting */
function parseXml(source: string): Element | undefined {
  const text = source.replace(/\r\n?/g, '\n');
  const token = new RegExp(TOKEN);
  const open: Element[] = [{ name: '', attributes: new Map(), children: [], text: '' }];
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (match === null) return undefined;
    const [, cdata, end, start, attributes = '', isEmpty, plain] = match;
    const parent = open.at(-1)!;
    if (cdata !== undefined) parent.text += cdata;
    else if (plain !== undefined) parent.text += decoded(plain);
    else if (end !== undefined) {
      if (open.pop()!.name !== end || open.length === 0) return undefined;
    } else if (start !== undefined) {
      const pairs = [...attributes.matchAll(ATTRIBUTE)].map(
        ([, name, double, single]): [string, string] => [
          name!,
          decoded((double ?? single!).replace(/[\t\n]/g, ' ')),
        ],
      );
      const child = { name: start, attributes: new Map(pairs), children: [], text: '' };
      parent.children.push(child);
      if (isEmpty === '' && open.push(child) > MAX_DEPTH) return undefined;
    }
  }
  const [document, ...unclosed] = open;
  const [root, ...others] = document!.children;
  const isWhole = unclosed.length === 0 && others.length === 0 && document!.text.trim() === '';
  return isWhole ? root : undefined;
}

function decoded(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (written, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? written;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : written;
  });
}
