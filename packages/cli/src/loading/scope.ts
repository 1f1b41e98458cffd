// Finds the operations that an error affects: those that refer to its location.

import type { Document } from '@redocly/openapi-core';
import {
  isObject,
  type Node,
  operationKeys,
  unescapeToken,
  unescapeUri,
} from '@stubwright/contract';
import type { ContractFiles } from './files.ts';

/** A location in one of the files; the pointer starts with `#`. */
interface Located {
  readonly file: string;
  readonly pointer: string;
}

/** Their properties have names that the contract chooses. */
const MAPS_OF_NAMES = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'responses'],
  ...['headers', 'content', 'encoding', 'schemas', 'securitySchemes', 'variables'],
]);
/** Fields that the engine does not read to serve a request. */
const NOT_SERVED = new Set([
  ...['example', 'examples', 'default', 'enum', 'const', 'callbacks', 'links', 'externalDocs'],
]);

/** @returns for each location the operations that refer to it, each as `get /toys` */
export async function operationsLeadingTo<T extends Located>(
  things: readonly T[],
  root: Document,
  files: ContractFiles,
): Promise<ReadonlyMap<T, readonly string[]>> {
  if (things.length === 0) return new Map();
  const documents = await files.documents();
  const wanted = new Map<object, T[]>();
  for (const thing of things) {
    const holder = holderAt(documents.get(thing.file), thing.pointer);
    if (holder !== undefined) wanted.set(holder, [...(wanted.get(holder) ?? []), thing]);
  }
  const found = new Map<T, string[]>(things.map((each) => [each, []]));
  const walk = new Walk(documents, files);
  for (const { name, items, nodes } of operationsIn(root, walk)) {
    for (const holder of new Set([...items, ...walk.reachedFrom(nodes)])) {
      for (const thing of wanted.get(holder) ?? []) found.get(thing)!.push(name);
    }
  }
  return found;
}

type InFile = readonly [node: unknown, file: string];

/** The innermost object on the way to a pointer. */
function holderAt(document: unknown, pointer: string): object | undefined {
  let holder: object | undefined;
  let node = document;
  for (const token of ['', ...pointer.replace(/^#\/?/, '').split('/').filter(Boolean)]) {
    node = token === '' ? node : (node as Node)[unescapeToken(token)];
    if (typeof node !== 'object' || node === null) return holder;
    holder = node;
  }
  return holder;
}

interface InDocument {
  /** `get /toys` */
  readonly name: string;
  /** The path items, without their other operations. */
  readonly items: readonly object[];
  /** The nodes of the operation. */
  readonly nodes: readonly InFile[];
}

function* operationsIn({ parsed, source }: Document, walk: Walk): Generator<InDocument> {
  const root = parsed as Node;
  const file = source.absoluteRef;
  for (const [path, value] of Object.entries(isObject(root.paths) ? root.paths : {})) {
    const own: InFile = [value, file];
    const items = [own, walk.follow(own)].filter(([item]) => isObject(item)) as [Node, string][];
    const shared = (name: string) => items.map(([item, at]): InFile => [item[name], at]);
    const operations = new Map<string, InFile>();
    for (const [item, at] of items) {
      for (const [method, ...keys] of operationKeys(item)) {
        const own = keys.reduce((node: Node, key) => node[key], item);
        if (!operations.has(method)) operations.set(method, [own, at]);
      }
    }
    for (const [method, written] of operations) {
      const operation = walk.follow(written);
      const { security, servers } = Object(operation[0]);
      const requirements = security ?? root.security;
      const schemes = schemesOf(requirements, root);
      yield {
        name: `${method} ${path}`,
        items: items.map(([item]) => item),
        nodes: [
          operation,
          ...shared('parameters'),
          ...(servers === undefined ? [...shared('servers'), [root.servers, file] as const] : []),
          ...[requirements, ...schemes].map((node): InFile => [node, file]),
        ],
      };
    }
  }
}

function schemesOf(requirements: unknown, { components }: Node): unknown[] {
  if (!Array.isArray(requirements)) return [];
  const names = requirements.filter(isObject).flatMap(Object.keys);
  return names.map((name) => components?.securitySchemes?.[name]);
}

class Walk {
  readonly #documents: ReadonlyMap<string, unknown>;
  readonly #files: ContractFiles;

  constructor(documents: ReadonlyMap<string, unknown>, files: ContractFiles) {
    this.#documents = documents;
    this.#files = files;
  }

  /** @returns the objects and arrays in the nodes, also through references */
  reachedFrom(nodes: readonly InFile[]): Set<object> {
    const reached = new Set<object>();
    const pending: [unknown, string, boolean][] = nodes.map(([node, file]) => [node, file, false]);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [node, file, isMapOfNames] = next;
      if (typeof node !== 'object' || node === null || reached.has(node)) continue;
      reached.add(node);
      if (!isMapOfNames && typeof (node as Node).$ref === 'string') {
        pending.push([...this.follow([node, file]), false]);
      }
      for (const [name, value] of Object.entries(node)) {
        if (!isMapOfNames && (name.startsWith('x-') || NOT_SERVED.has(name))) continue;
        pending.push([value, file, !isMapOfNames && MAPS_OF_NAMES.has(name)]);
      }
    }
    return reached;
  }

  /** @returns the target of a chain of `$ref`s; the node itself without one */
  follow([node, file]: InFile): InFile {
    let at: InFile = [node, file];
    for (const seen = new Set<unknown>(); isObject(at[0]) && !seen.has(at[0]); ) {
      seen.add(at[0]);
      const ref: unknown = at[0].$ref;
      if (typeof ref !== 'string') return at;
      const [uri = '', pointer = ''] = ref.split('#');
      const target = uri === '' ? at[1] : this.#files.resolveExternalRef(at[1], uri);
      at = [this.#nodeAt(target, pointer), target];
    }
    return at;
  }

  #nodeAt(file: string, pointer: string): unknown {
    return pointer
      .split('/')
      .slice(1)
      .map((token) => unescapeToken(unescapeUri(token)))
      .reduce((node: unknown, token) => Object(node)[token], this.#documents.get(file));
  }
}
