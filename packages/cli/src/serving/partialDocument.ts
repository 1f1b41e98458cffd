// A copy of a contract with the operations and components that converters have types for.
import {
  type Contract,
  escapeToken,
  isObject,
  type Node,
  type Operation,
  operationKeys,
  rewriteReferences,
  schemaLocations,
  unescapeToken,
} from '@stubwright/contract';
import { TYPE } from '../types/generateTypes.ts';

export interface PartialDocumentOptions {
  readonly operations: ReadonlySet<Operation>;
  /** The names of components, besides those that the operations reach. */
  readonly schemas: Iterable<string>;
  /** Components -> the TypeScript type that stands for each reference to them. */
  readonly converted?: ReadonlyMap<string, string>;
  /** JSON pointers of schemas -> the TypeScript types that stand for them. */
  readonly named?: ReadonlyMap<string, string>;
}

export function partialDocument(
  { document }: Contract,
  { operations, schemas, converted = new Map(), named = new Map() }: PartialDocumentOptions,
): Node {
  const copy: Node = structuredClone(document);
  rewriteReferences(copy);
  for (const { pointer, node } of [...schemaLocations(copy)]) {
    const type = named.get(pointer) ?? convertedType(pointer, node, converted);
    // openapi-typescript asks for the types of items and alternatives only if they have a `type`.
    if (type !== undefined) replace(node, { type: 'string', [TYPE]: type });
  }
  delete copy.webhooks;
  copy.paths = pathsWith(copy.paths ?? {}, operations);
  const roots = [copy.paths, ...[...schemas].map((name) => copy.components?.schemas?.[name])];
  if (copy.components !== undefined) copy.components = reachedFrom(roots, copy.components);
  return copy;
}

const REFERENCE = '#/components/schemas/';

/** A part of a component with a converter of its own is left to that one. */
function convertedType(
  pointer: string,
  { $ref }: Node,
  converted: ReadonlyMap<string, string>,
): string | undefined {
  if (typeof $ref !== 'string' || !$ref.startsWith(REFERENCE)) return undefined;
  const name = unescapeToken($ref.slice(REFERENCE.length));
  const [, outer] = /^\/components\/schemas\/([^/]+)(?:\/allOf\/\d+)*$/.exec(pointer) ?? [];
  const isPart = outer !== undefined && converted.has(unescapeToken(outer));
  return isPart ? undefined : converted.get(name);
}

function replace(node: Node, content: Node): void {
  for (const key of Object.keys(node)) delete node[key];
  Object.assign(node, content);
}

function pathsWith(paths: Node, operations: ReadonlySet<Operation>): Node {
  const methods = Map.groupBy(operations, (each) => keyOf(each, paths));
  const kept = [...methods].map(([path, own]) => {
    const wanted = new Set(own.map(({ method }) => method));
    const copy = { ...paths[path] };
    for (const [method, key] of operationKeys(copy)) {
      if (key === undefined || key === 'additionalOperations') continue;
      if (!wanted.has(method)) delete copy[key];
      else if (isObject(copy[key])) copy[key] = { ...copy[key], callbacks: undefined };
    }
    return [path, copy] as const;
  });
  return Object.fromEntries(kept);
}

/** A path of an operation has no fragment, its key in the document may have one. */
function keyOf({ path, pointer }: Operation, paths: Node): string {
  const [, , own = ''] = pointer.split('/');
  const key = unescapeToken(own);
  return Object.hasOwn(paths, key) ? key : path;
}

/** @returns the components that the roots reach by references, and all security schemes */
function reachedFrom(roots: readonly unknown[], components: Node): Node {
  const reached = new Set<string>();
  const queue = new Set<unknown>(roots);
  const reach = (reference: string) => {
    const [, kind, name] = /^#\/components\/([^/]+)\/([^/]+)/.exec(reference) ?? [];
    if (kind === undefined || name === undefined) return;
    const target = components[kind]?.[unescapeToken(name)];
    if (target === undefined) return;
    reached.add(`${kind}/${unescapeToken(name)}`);
    queue.add(target);
    // A discriminator selects among the components that are composed of its schema.
    if (isObject(target) && target['discriminator'] !== undefined) {
      for (const each of composedOf(reference, components)) reach(each);
    }
  };
  for (const [name, each] of Object.entries(components['schemas'] ?? {})) {
    if (roots.includes(each)) reach(`${REFERENCE}${escapeToken(name)}`);
  }
  for (const each of queue) {
    if (typeof each !== 'object' || each === null) continue;
    for (const [key, value] of Object.entries(each)) {
      if (typeof value !== 'string') queue.add(value);
      else if (value.startsWith('#/components/')) reach(value);
      else if (key === 'propertyName' || isObject(components['schemas']?.[value])) {
        reach(`${REFERENCE}${escapeToken(value)}`);
      }
    }
  }
  const kept = Object.entries<Node>(components).map(([kind, all]) => {
    const isKept = (name: string) => kind === 'securitySchemes' || reached.has(`${kind}/${name}`);
    return [kind, Object.fromEntries(Object.entries(all).filter(([name]) => isKept(name)))];
  });
  return Object.fromEntries(kept);
}

function composedOf(reference: string, { schemas = {} }: Node): string[] {
  return Object.entries<Node>(schemas).flatMap(([name, { allOf }]) => {
    const isComposed = Array.isArray(allOf) && allOf.some((each) => each?.$ref === reference);
    return isComposed ? [`${REFERENCE}${escapeToken(name)}`] : [];
  });
}
