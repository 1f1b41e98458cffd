// Prepares a contract for openapi-typescript, so that its types describe what the engine does.
import {
  contentsOf,
  Definition,
  isBigint,
  isHidden,
  isObject,
  isReservedHeader,
  type LocatedNode,
  type Node,
  type Operation,
  operationKeys,
  rewriteReferences,
  type Schema,
  SchemaModel,
  schemaLocations,
} from '@stubwright/contract';
import { defaultOf, requestSchemas, Validators } from '@stubwright/contract/values';
import { expandDiscriminators } from './discriminators.ts';
import { arrangeSequences } from './sequences.ts';

/** The name of a property or parameter whose `enum` lists the siblings that have a default. */
export const DEFAULTS = 'x-stubwright-defaults';

/** The names of properties whose `enum` lists the siblings that are hidden in a direction. */
export const READ_ONLY = 'x-stubwright-read-only';
export const WRITE_ONLY = 'x-stubwright-write-only';

/** A keyword of a schema: the decimal digits of its listed integers, and null. */
export const BIGINTS = 'x-stubwright-bigints';

/** The start of keys in `paths` that are not paths of the contract. */
export const SYNTHETIC_PATH = '/x-stubwright-';

/** The methods that openapi-typescript reads. */
const TYPED_METHODS = new Set([
  ...['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'],
]);

const SYNTHETIC = SchemaModel.of(new Definition({ openapi: '3.1.0' }));

export interface TypedDocument {
  readonly document: Node;
  readonly callbacks: readonly Callback[];
  /** The operations whose method openapi-typescript ignores. */
  readonly methods: readonly SyntheticMethod[];
  /** The security schemes of each alternative, by operationId, for operations that have any. */
  readonly security: ReadonlyMap<string, readonly (readonly string[])[]>;
}

/** An operation that openapi-typescript reads as `post` of a path of its own. */
export interface SyntheticMethod {
  readonly path: string;
  /** In lower case. */
  readonly method: string;
  /** Its key in `paths`. */
  readonly key: string;
}

/** A callback of an operation, which openapi-typescript reads as a path. */
export interface Callback {
  readonly operationId: string;
  readonly name: string;
  /** The runtime expression of its URL. */
  readonly expression: string;
  /** Its key in `paths`. */
  readonly path: string;
}

interface CallbackItem extends Callback {
  /** A Path Item Object. */
  readonly item: Node;
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
 * - A schema with a discriminator is a union with the schemas that it selects.
 * - The schema of a sequence is an array of its items: openapi-typescript ignores `itemSchema`.
 * - DEFAULTS lists the parameters and properties that the engine sets to their default.
 * - READ_ONLY and WRITE_ONLY list properties that requests or responses do not have.
 *
 * @param original without external references
 */
export function typedDocument(original: Node): TypedDocument {
  const document = structuredClone(original);
  rewriteReferences(document);
  listBigints(document);
  writeNull(document);
  arrangeSequences(document);
  const definition = new Definition(document);
  const validators = new Validators(definition, 'request');
  const marks = marksOf(definition, validators);
  const { paths, methods } = pathsOf(definition, validators);
  const callbacks = callbacksOf(definition);
  const components = { pointer: '/components', node: document.components ?? {} };
  for (const [name, { node }] of definition.children(root(document), 'webhooks')) {
    document.webhooks[name] = node;
    prepareOutgoing(definition, node);
  }
  for (const { node } of definition.children(components, 'pathItems').values()) {
    prepareOutgoing(definition, node);
  }
  for (const { item, path } of callbacks) {
    paths[path] = item;
    prepareOutgoing(definition, item);
  }
  for (const kind of ['responses', 'requestBodies', 'parameters']) {
    resolveContents(definition, definition.children(components, kind).values());
  }
  for (const { properties, mark, names } of marks) properties[mark] = { enum: names };
  expandDiscriminators(definition);
  const security = new Map(
    definition.operations
      .filter((each) => each.security.length > 0)
      .map((each) => [each.operationId, each.security.map((schemes) => Object.keys(schemes))]),
  );
  return { document: { ...document, paths }, callbacks, methods, security };
}

function listBigints(document: Node): void {
  for (const { node } of [...schemaLocations(document)]) {
    if (!isBigint(SYNTHETIC.synthetic(node))) continue;
    const listed = Array.isArray(node.enum)
      ? node.enum
      : 'const' in node
        ? [node.const]
        : undefined;
    if (listed === undefined) continue;
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

function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function root(node: Node): LocatedNode {
  return { pointer: '', node };
}

interface Mark {
  /** Of the schema. */
  readonly properties: Node;
  readonly mark: string;
  readonly names: readonly string[];
}

function marksOf(definition: Definition, validators: Validators): Mark[] {
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
      const names = all.flatMap(([name, each]) => (isMarked(each) ? [name] : []));
      return names.length > 0 ? [{ properties: node.properties, mark, names }] : [];
    };
    return [
      ...(ofRequests.has(schema) ? marked(DEFAULTS, isSet) : []),
      ...marked(READ_ONLY, isReadOnly),
      ...marked(WRITE_ONLY, isWriteOnly),
    ];
  });
}

function pathsOf(
  definition: Definition,
  validators: Validators,
): { readonly paths: Node; readonly methods: readonly SyntheticMethod[] } {
  const paths: Node = {};
  const methods: SyntheticMethod[] = [];
  const items = definition.children(root(definition.document), 'paths');
  for (const operation of definition.operations) {
    const { operationId, method, path, location, responses, requestBody } = operation;
    paths[path] ??= withoutOperations(items.get(path)?.node ?? {});
    const parameters = parametersOf(operation, definition, validators);
    const declared = Object.fromEntries([...responses].map(([status, { node }]) => [status, node]));
    const typed = { responses: declared, ...location.node, operationId, parameters };
    if (TYPED_METHODS.has(method)) paths[path][method] = typed;
    else {
      const key = `${SYNTHETIC_PATH}${method}${path}`;
      paths[key] = { post: typed };
      methods.push({ path, method, key });
    }
    resolveContents(definition, [...responses.values(), ...(requestBody ? [requestBody] : [])]);
  }
  return { paths, methods };
}

function withoutOperations(item: Node): Node {
  const operations = new Set(operationKeys(item).map(([, key]) => key));
  return Object.fromEntries(Object.entries(item).filter(([key]) => !operations.has(key)));
}

function parametersOf(
  { parameters }: Operation,
  definition: Definition,
  validators: Validators,
): Node[] {
  const names = new Map<string, string[]>();
  const typed = parameters.flatMap((location) => {
    const { node } = location;
    if (isReservedHeader(node)) return [];
    const where = node.in === 'querystring' ? 'query' : node.in;
    const [content] = contentsOf(definition, location).values();
    const holder = content ?? location;
    if (holder.node.schema === undefined) return [{ ...node, in: where }];
    const schema = validators.model.at(`${holder.pointer}/schema`)!;
    if (node.required !== true && defaultOf(schema, validators) !== undefined) {
      names.set(where, [...(names.get(where) ?? []), node.name]);
    }
    const { content: _, ...rest } = node;
    return [{ ...rest, in: where, schema: holder.node.schema }];
  });
  const marks = [...names].map(([where, list]) => ({
    name: DEFAULTS,
    in: where,
    schema: { enum: list },
  }));
  return [...typed, ...marks];
}

function callbacksOf(definition: Definition): CallbackItem[] {
  const found: Omit<CallbackItem, 'path'>[] = [];
  for (const { operationId, location } of definition.operations) {
    for (const [name, callback] of definition.children(location, 'callbacks')) {
      for (const expression of Object.keys(callback.node)) {
        if (expression.startsWith('x-')) continue;
        const item = definition.child(callback, expression)!.node;
        found.push({ operationId, name, expression, item });
      }
    }
  }
  return found.map((each, at) => ({ ...each, path: `${SYNTHETIC_PATH}callback/${at}` }));
}

/** Removes the operationIds of operations that need no handler. */
function prepareOutgoing(definition: Definition, item: Node): void {
  for (const [, ...keys] of operationKeys(item)) {
    const operation = definition.descendant(root(item), keys);
    if (operation === undefined) continue;
    delete operation.node.operationId;
    const requestBody = definition.child(operation, 'requestBody');
    const responses = definition.children(operation, 'responses').values();
    resolveContents(definition, [...responses, ...(requestBody ? [requestBody] : [])]);
  }
}

/** Replaces the references to headers and Media Type Objects by their targets. */
function resolveContents(definition: Definition, holders: Iterable<LocatedNode>): void {
  for (const holder of holders) {
    for (const keyword of ['headers', 'content']) {
      for (const [name, { node }] of definition.children(holder, keyword)) {
        holder.node[keyword][name] = node;
      }
    }
  }
}
