// The one walk over a document: finds schemas and data, as opposed to values that only look like schemas.
import { escapeToken, type LocatedNode, type Node } from './node.ts';
import { LIST_KEYWORDS, MAP_KEYWORDS, SCHEMA_KEYWORDS } from './vocabulary.ts';

/** Keywords of JSON Schema with one schema; `items` is an array of schemas before 2020-12. */
const WITH_SCHEMA = new Set<string>([...SCHEMA_KEYWORDS, 'contentSchema', 'additionalItems']);
const WITH_LIST = new Set<string>([...LIST_KEYWORDS, 'items']);
const WITH_MAP = new Set<string>([...MAP_KEYWORDS, 'dependencies', '$defs', 'definitions']);
/** Properties of OpenAPI objects: maps of OpenAPI objects with names that the contract chooses. */
const NAMES = new Set([
  ...['webhooks', 'pathItems', 'additionalOperations', 'callbacks', 'content', 'headers'],
  ...['parameters', 'requestBodies', 'encoding', 'mediaTypes', 'securitySchemes'],
]);
const HOLDERS = new Set(['schema', 'itemSchema', 'x-item-schema', 'x-patch-of']);
const DATA = new Set(['example', 'examples', 'enum', 'const', 'default']);
const DATA_OF_EXAMPLE = new Set(['value', 'dataValue']);
const DATA_OF_LINK = new Set(['parameters', 'requestBody']);

/**
 * A part of a document:
 *
 * - `openapi`: an OpenAPI object, or an array of them; `components`: the object of that name
 * - `names`: a map of OpenAPI objects; `extensible`: one with `x-` extensions
 * - `schema`, `example`, `link`: such an object; `schemas`, `examples`, `links`: a map of them
 * - `unknown`: an OpenAPI object, a schema, or a map of them
 * - `data`: a value in which `$ref` is no reference
 * - `other`: an object or array without schemas, or an unknown keyword of a schema
 */
type Kind =
  | ('openapi' | 'components' | 'names' | 'extensible' | 'schema' | 'schemas' | 'unknown')
  | ('example' | 'examples' | 'link' | 'links' | 'data' | 'other');

export interface DocumentPart {
  readonly node: object;
  readonly kind: Kind;
}

export interface NamedPart extends DocumentPart {
  /** The property, or the index in an array. */
  readonly name: string;
}

interface LocatedPart extends LocatedNode {
  readonly kind: Kind;
}

/** @param document an OpenAPI document; any other file is a schema, or a part of an OpenAPI document */
export function rootPart(document: object): DocumentPart {
  return { node: document, kind: 'openapi' in document ? 'openapi' : 'unknown' };
}

/** @yields the objects and arrays in a part; those in data are data */
export function* partsIn({ node, kind }: DocumentPart): Generator<NamedPart> {
  for (const [name, child] of Object.entries(node)) {
    if (typeof child !== 'object' || child === null) continue;
    yield { name, node: child, kind: kindOf(node, kind, name, child) };
  }
}

/** @yields the parts of a document, each before those in it; data is not entered */
export function* documentParts(document: Node): Generator<LocatedPart> {
  const pending: LocatedPart[] = [{ ...rootPart(document), pointer: '' }];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    yield part;
    if (part.kind === 'data' || part.kind === 'other') continue;
    for (const { name, ...inner } of partsIn(part)) {
      pending.push({ ...inner, pointer: `${part.pointer}/${escapeToken(name)}` });
    }
  }
}

/**
 * @param document an OpenAPI document; any other file is a schema, or a part of an OpenAPI document
 * @yields its schemas that are objects, each before its subschemas
 */
export function* schemaLocations(document: Node): Generator<LocatedNode> {
  yield* locationsOf(document, SCHEMAS);
}

/** @yields the OpenAPI objects and schemas of a document: no maps, extensions, examples and defaults */
export function* objectLocations(document: Node): Generator<LocatedNode> {
  yield* locationsOf(document, OBJECTS);
}

const SCHEMAS: ReadonlySet<Kind> = new Set(['schema', 'unknown']);
const OBJECTS: ReadonlySet<Kind> = new Set([...SCHEMAS, 'openapi', 'components', 'link']);

function* locationsOf(document: Node, kinds: ReadonlySet<Kind>): Generator<LocatedNode> {
  for (const { pointer, node, kind } of documentParts(document)) {
    if (kinds.has(kind) && !Array.isArray(node)) yield { pointer, node };
  }
}

function kindOf(holder: object, kind: Kind, name: string, child: object): Kind {
  switch (kind) {
    case 'data':
    case 'other':
      return kind;
    case 'schemas':
      return 'schema';
    case 'names':
      return 'openapi';
    case 'extensible':
      return isExtension(name) ? 'data' : 'openapi';
    case 'examples':
      return 'example';
    case 'links':
      return 'link';
    case 'example':
      return DATA_OF_EXAMPLE.has(name) || isExtension(name) ? 'data' : 'other';
    case 'link':
      return DATA_OF_LINK.has(name) || isExtension(name) ? 'data' : 'openapi';
  }
  if (Array.isArray(holder)) return kind;
  const ofSchema = kind === 'schema' || kind === 'unknown' ? schemaKind(name, child) : undefined;
  if (ofSchema !== undefined) return ofSchema;
  if (kind === 'schema') return isData(name) ? 'data' : 'other';
  if (HOLDERS.has(name)) return 'schema';
  if (NAMES.has(name)) return 'names';
  if (name === 'examples' && !Array.isArray(child)) return name;
  if (name === 'schemas' || name === 'links' || name === 'components') return name;
  if (name === 'responses') return kind === 'components' ? 'names' : 'extensible';
  if (name === 'paths') return 'extensible';
  if (isData(name)) return 'data';
  return kind === 'components' ? 'openapi' : kind;
}

function schemaKind(name: string, child: object): Kind | undefined {
  if (WITH_MAP.has(name)) return 'schemas';
  if (Array.isArray(child)) return WITH_LIST.has(name) ? 'schema' : undefined;
  return WITH_SCHEMA.has(name) ? 'schema' : undefined;
}

function isData(name: string): boolean {
  return DATA.has(name) || isExtension(name);
}

function isExtension(name: string): boolean {
  return name.startsWith('x-');
}
