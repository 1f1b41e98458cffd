// Parses XML to elements, with limits. Rejects a DOCTYPE, so no entities are expanded.
import { isUtf8 } from 'node:buffer';
import { setImmediate as turn } from 'node:timers/promises';
import { malformedBody } from '../../errors/problem.ts';
import { MAX_DEPTH } from '../../json/json.ts';

export interface XmlElement {
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
