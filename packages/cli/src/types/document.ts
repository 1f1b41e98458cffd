// Prepares a contract for openapi-typescript, so that its types describe what the engine does.
import {
  type ContractObject,
  Definition,
  documentParts,
  isBigint,
  isHidden,
  isObject,
  type Node,
  type Operation,
  operationKeys,
  referencedValue,
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
  readonly pathItem: ContractObject;
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
  for (const { pathItem, path } of callbacks) paths[path] = fieldsOf(pathItem);
  for (const { properties, mark, names } of marks) properties[mark] = { enum: names };
  expandDiscriminators(definition);
  removeOperationIds(document);
  const typed = { ...document, paths };
  resolveNamed(typed);
  const security = new Map(
    definition.operations
      .filter((each) => each.security.length > 0)
      .map((each) => [each.operationId, each.security.map((schemes) => Object.keys(schemes))]),
  );
  return { document: typed, callbacks, methods, security };
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
  for (const operation of definition.operations) {
    const { operationId, method, path, pathItem, responses } = operation;
    paths[path] ??= withoutOperations(fieldsOf(pathItem));
    const parameters = parametersOf(operation, validators);
    const declared = Object.fromEntries(
      [...responses].map(([status, each]) => [status, fieldsOf(each)]),
    );
    const typed = { responses: declared, ...fieldsOf(operation), operationId, parameters };
    if (TYPED_METHODS.has(method)) paths[path][method] = typed;
    else {
      const key = `${SYNTHETIC_PATH}${method}${path}`;
      paths[key] = { post: typed };
      methods.push({ path, method, key });
    }
  }
  return { paths, methods };
}

function fieldsOf(object: ContractObject): Node {
  return Object.fromEntries(object.fields.map((name) => [name, object.field(name)]));
}

function withoutOperations(item: Node): Node {
  const operations = new Set(operationKeys(item).map(([, key]) => key));
  return Object.fromEntries(Object.entries(item).filter(([key]) => !operations.has(key)));
}

function parametersOf({ parameters }: Operation, validators: Validators): Node[] {
  const names = new Map<string, string[]>();
  const typed = parameters.flatMap((parameter) => {
    if (parameter.isReserved) return [];
    const { name, isRequired, described } = parameter;
    const where = parameter.in === 'querystring' ? 'query' : parameter.in;
    const fields = { ...fieldsOf(parameter), in: where };
    const { schema } = described;
    if (schema === undefined) return [fields];
    if (!isRequired && defaultOf(schema, validators) !== undefined) {
      names.set(where, [...(names.get(where) ?? []), name]);
    }
    return [{ ...fields, content: undefined, schema: described.field('schema') }];
  });
  const marks = [...names].map(([where, list]) => ({
    name: DEFAULTS,
    in: where,
    schema: { enum: list },
  }));
  return [...typed, ...marks];
}

function callbacksOf(definition: Definition): CallbackItem[] {
  const found = definition.operations.flatMap((operation) => {
    const { operationId } = operation;
    // An item has several operations.
    const items = Map.groupBy(
      definition.callbacksOf(operation),
      ({ name, expression }) => `${name} ${expression}`,
    );
    return Array.from(items.values(), ([first]) => {
      const { name, expression, pathItem } = first!;
      return { operationId, name, expression: expression!, pathItem };
    });
  });
  return found.map((each, at) => ({ ...each, path: `${SYNTHETIC_PATH}callback/${at}` }));
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
