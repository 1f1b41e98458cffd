// Prepares a contract for openapi-typescript: the types describe the behavior of the engine.

import {
  Contract,
  type ContractError,
  documentParts,
  isBigint,
  isBinary,
  isHidden,
  isObject,
  type Node,
  type Operation,
  type Pagination,
  pageRulesOf,
  referencedValue,
  rewriteReferences,
  type Schema,
  SchemaModel,
  schemaLocations,
  tokensOf,
  unescapeUri,
} from '@stubwright/contract';
import type { FieldKind } from '@stubwright/contract/openapi-table';
import {
  defaultOf,
  mediaContentOf,
  mediaKindOf,
  requestSchemas,
  Validators,
} from '@stubwright/contract/values';
import { hasForm } from '../loading/structure.ts';
import { isReference, isStructured, kindOfProperty } from '../loading/walk.ts';
import { expandDiscriminators } from './discriminators.ts';
import { freeName, identifierOf } from './names.ts';
import { arrangePatches } from './patches.ts';
import { arrangeSequences } from './sequences.ts';
import { DEFAULTS, HASH, type TypedPaths, typedPaths } from './typedPaths.ts';

/** The names of properties whose `enum` lists the siblings that are hidden in a direction. */
export const READ_ONLY = 'x-stubwright-read-only';
export const WRITE_ONLY = 'x-stubwright-write-only';

/** A keyword of a schema: the decimal digits of its listed integers, and null. */
export const BIGINTS = 'x-stubwright-bigints';

/** For schemas outside of a contract. */
export const SYNTHETIC = SchemaModel.of(new Contract({ openapi: '3.1.0' }));

export interface TypedDocument extends Omit<TypedPaths, 'paths'> {
  readonly document: Node;
  /** The components that the contract does not have. */
  readonly parts: ReadonlySet<string>;
  /** The types of stubwright that stand for the bodies of patches. */
  readonly patches: ReadonlySet<string>;
  /** The security schemes of each alternative, by operationId, for operations that have any. */
  readonly security: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** By operationId, for operations with `x-pagination`. */
  readonly pagination: ReadonlyMap<string, Pagination>;
}

/**
 * Prepares a copy for openapi-typescript:
 *
 * - References are JSON pointers: openapi-typescript resolves neither `$id` nor anchors.
 * - Operations that need a handler have the operationId and the parameters of the engine. Others have
 *   no operationId, which excludes them from `operations`.
 * - Callbacks are paths: openapi-typescript ignores callbacks.
 * - An operation with a method of OpenAPI 3.2 is a `post` of a path of its own: openapi-typescript ignores it.
 * - A parameter `in: querystring` is a parameter `in: query`, which is where a request has its value.
 * - A Media Type Object has no `$ref`: openapi-typescript ignores `components.mediaTypes`.
 * - Response headers have no `$ref`: openapi-typescript requires a referenced header.
 * - BIGINTS replaces `enum` and `const` of int64: openapi-typescript rounds them, and ignores the type.
 * - `nullable` beside `$ref` is an alternative: openapi-typescript ignores it.
 * - `nullable` beside an `allOf` that excludes null is absent: openapi-typescript allows null.
 * - A file is a string where only JSON, forms or text have it.
 * - A schema with a discriminator is a union with the schemas that it selects.
 * - A schema within another that a reference leads to is a component.
 * - The schema of a sequence is an array of its items: openapi-typescript ignores `itemSchema`.
 * - The schema of a patch is an object with the schema of the patched resource.
 * - DEFAULTS lists the parameters and properties that the engine sets to their default.
 * - READ_ONLY and WRITE_ONLY list properties that requests or responses do not have.
 *
 * @param original without external references
 * @param errors of single operations, which have no types
 */
export function typedDocument(
  original: Node,
  errors: readonly ContractError[] = [],
): TypedDocument {
  const document = structuredClone(original);
  removeMalformed(document);
  rewriteReferences(document);
  if (errors.length > 0) removeUnresolved(document);
  listBigints(document);
  writeNull(document);
  arrangeSequences(document);
  const patches = arrangePatches(document);
  const definition = new Contract(document, errors);
  const validators = new Validators(definition, 'request');
  const marks = marksOf(definition, validators);
  const nulls = excludedNulls(definition, validators);
  const texts = fileTexts(definition, validators);
  const { paths, methods, callbacks } = typedPaths(definition, validators);
  for (const { properties, mark, names } of marks) properties[mark] = { enum: names };
  for (const node of nulls) delete node.nullable;
  for (const node of texts) for (const keyword of FILE_KEYWORDS) delete node[keyword];
  expandDiscriminators(definition);
  removeOperationIds(document);
  const parts = nameReferencedParts(document);
  const typed = { ...document, paths };
  resolveNamed(typed);
  const idOf = ({ operationId }: Operation) => operationId.replaceAll('#', HASH);
  const security = new Map(
    definition.operations
      .filter((operation) => operation.security.length > 0)
      .map((operation) => [
        idOf(operation),
        operation.security.map((schemes) => Object.keys(schemes)),
      ]),
  );
  const pagination = new Map(
    definition.operations.flatMap((operation) => {
      const rules = pageRulesOf(operation);
      return rules === undefined ? [] : [[idOf(operation), rules.pagination] as const];
    }),
  );
  return { document: typed, parts, patches, callbacks, methods, security, pagination };
}

/** The minor version that has the structured fields of all. */
const NEWEST = 2;

/** Removes what `check` warns of in webhooks and unused components, such as a list in place of an object. */
function removeMalformed(document: Node): void {
  const pending: { readonly node: unknown; readonly kind: FieldKind }[] = [
    { node: document, kind: { is: 'object', of: 'Root' } },
  ];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const node = at.node as Node;
    const malformed: string[] = [];
    for (const [key, value] of Object.entries(node)) {
      const kind = kindOfProperty(at, key, NEWEST);
      const isUnnamed = kind === undefined && at.kind.is === 'map' && !key.startsWith('x-');
      const isEntered = kind !== undefined && isStructured(kind) && !isReference(value);
      const isFormed = !isEntered || hasForm({ node: value, kind }, NEWEST);
      if (isUnnamed || !isFormed) malformed.push(key);
      else if (isEntered && Object(value) === value) pending.push({ node: value, kind });
    }
    for (const key of malformed.reverse()) {
      if (Array.isArray(node)) node.splice(Number(key), 1);
      else delete node[key];
    }
  }
}

/** What an operation with an error refers to may not exist. */
function removeUnresolved(document: Node): void {
  for (const { node, kind } of documentParts(document)) {
    const ref: unknown = (node as Node).$ref;
    if (ref === undefined || (kind === 'names' && typeof ref !== 'string')) continue;
    const isLocal = typeof ref === 'string' && ref.startsWith('#');
    const isResolved = isLocal && referencedValue(document, node) !== undefined;
    if (!isResolved) delete (node as Node).$ref;
  }
}

function listBigints(document: Node): void {
  for (const { node } of [...schemaLocations(document)]) {
    if (!isBigint(SYNTHETIC.synthetic(node))) continue;
    if (!Array.isArray(node.enum) && !('const' in node)) continue;
    const listed: unknown[] = Array.isArray(node.enum) ? node.enum : [node.const];
    node[BIGINTS] = listed.filter(isInteger).map(String);
    if (listed.includes(null)) node[BIGINTS].push(null);
    delete node.enum;
    delete node.const;
  }
}

function writeNull(document: Node): void {
  if (String(document.openapi).startsWith('3.0')) return;
  for (const { node } of [...schemaLocations(document)]) {
    const { $ref, nullable, anyOf } = node;
    if (typeof $ref !== 'string' || nullable !== true || anyOf !== undefined) continue;
    delete node.$ref;
    delete node.nullable;
    node.anyOf = [{ $ref }, { type: 'null' }];
  }
}

function excludedNulls({ document }: Contract, validators: Validators): Node[] {
  return [...schemaLocations(document)].flatMap(({ pointer, node }) => {
    const isComposed = node.nullable === true && Array.isArray(node.allOf);
    return isComposed && !validators.at(pointer)(null) ? [node] : [];
  });
}

const FILE_KEYWORDS = ['format', 'contentMediaType'] as const;

/** @returns the binary schemas of values; in parts and bodies of bytes they are files */
function fileTexts({ operations }: Contract, validators: Validators): Node[] {
  const values = new Set<Schema>();
  const files = new Set<Schema>();
  for (const { request, responses } of operations) {
    const all = [request, ...[...responses.values()].map(({ contents }) => contents)];
    for (const { key, content } of all.flatMap(({ entries }) => entries)) {
      const { name } = mediaKindOf(key, mediaContentOf(content, validators));
      const holdsFiles = name === 'opaque' || key.startsWith('multipart/');
      for (const schema of content.schemas) (holdsFiles ? files : values).add(schema);
    }
  }
  for (const all of [values, files]) {
    for (const schema of all) for (const inner of schema.inner) all.add(inner);
  }
  return [...values].flatMap((schema) =>
    isBinary(schema) && !files.has(schema) && isObject(schema.written) ? [schema.written] : [],
  );
}

function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

interface Mark {
  readonly properties: Node;
  readonly mark: string;
  readonly names: readonly string[];
}

function marksOf(definition: Contract, validators: Validators): Mark[] {
  const isReadOnly = (property: Schema) => isHidden(property, 'request');
  const isWriteOnly = (property: Schema) => isHidden(property, 'response');
  const isSet = (property: Schema) =>
    !isReadOnly(property) && defaultOf(property, validators) !== undefined;
  const ofRequests = requestSchemas(definition);
  return [...schemaLocations(definition.document)].flatMap(({ pointer, node }) => {
    if (!isObject(node.properties)) return [];
    const schema = validators.model.at(pointer)!;
    const marked = (mark: string, isMarked: (property: Schema) => boolean): Mark[] => {
      const all = [...schema.map('properties')];
      const names = all.flatMap(([name, property]) => (isMarked(property) ? [name] : []));
      return names.length > 0 ? [{ properties: node.properties, mark, names }] : [];
    };
    return [
      ...(ofRequests.has(schema) ? marked(DEFAULTS, isSet) : []),
      ...marked(READ_ONLY, isReadOnly),
      ...marked(WRITE_ONLY, isWriteOnly),
    ];
  });
}

/** Operations of webhooks and callbacks need no handler. */
function removeOperationIds(document: Node): void {
  for (const { node, kind } of documentParts(document)) {
    if (kind === 'openapi') delete (node as Node).operationId;
  }
}

const RESOLVED = /^\/webhooks$|(?<!^\/components)\/(?:headers|content)$/;

/** Replaces the references to path items of webhooks, headers and Media Type Objects by their targets. */
function resolveNamed(document: Node): void {
  for (const { pointer, node, kind } of documentParts(document)) {
    if (kind !== 'names' || !RESOLVED.test(pointer)) continue;
    const named = node as Node;
    for (const name of Object.keys(named)) named[name] = referencedValue(document, named[name]);
  }
}

const COMPONENTS = '#/components/schemas/';

interface Reference {
  readonly schema: Node;
  readonly pointer: string;
  readonly target: unknown;
}

/**
 * Modifies the document: a schema within another, which a reference leads to, becomes a component, and a
 * reference to that. No type leads to `#/components/schemas/Event/allOf/0`. @returns the new components
 */
function nameReferencedParts(document: Node): ReadonlySet<string> {
  const added = new Set<string>();
  const names = new Map<unknown, string>();
  for (let found = partReferences(document); found.length > 0; found = partReferences(document)) {
    document.components ??= {};
    document.components.schemas ??= {};
    const { schemas } = document.components;
    const taken = new Set(Object.keys(schemas));
    const movable = new Set([...schemaLocations(document)].map(({ node }) => node));
    for (const { pointer, target } of found) {
      if (names.has(target)) continue;
      const name = freeName(nameOf(pointer), taken);
      names.set(target, name);
      added.add(name);
      schemas[name] = movable.has(target as Node) ? moved(target as Node, name) : target;
    }
    for (const { schema, target } of found) schema.$ref = COMPONENTS + names.get(target)!;
  }
  return added;
}

function partReferences(document: Node): Reference[] {
  return [...schemaLocations(document)].flatMap(({ node: schema }) => {
    const { $ref } = schema;
    if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return [];
    const pointer = unescapeUri($ref.slice(1));
    if (/^\/components\/schemas\/[^/]*$/.test(pointer)) return [];
    const target = targetOf(document, pointer);
    return target === undefined ? [] : [{ schema, pointer, target }];
  });
}

/** Also through a schema that has become a reference. */
function targetOf(document: Node, pointer: string): unknown {
  return tokensOf(pointer).reduce((value: unknown, token) => {
    const holder = Object(value);
    if (Object.hasOwn(holder, token)) return holder[token];
    return Object(referencedValue(document, value))[token];
  }, document);
}

/** `/components/schemas/Event/allOf/0` -> `EventAllOf0` */
function nameOf(pointer: string): string {
  const words = tokensOf(pointer).filter(
    (token) => !['components', 'schemas', 'properties', ''].includes(token),
  );
  return identifierOf(words.join(' '));
}

function moved(schema: Node, name: string): Node {
  const copy = { ...schema };
  for (const key of Object.keys(schema)) delete schema[key];
  schema.$ref = COMPONENTS + name;
  return copy;
}
