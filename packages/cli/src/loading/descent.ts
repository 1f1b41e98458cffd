// Limits the nesting of a contract: Redocly recurses as deep.

import type { Document } from '@redocly/openapi-core';
import {
  COMPOSITIONS,
  type DocumentPart,
  escapeToken,
  isObject,
  type NamedPart,
  type Node,
  partsIn,
  rootPart,
  SAME_VALUE,
  unescapeUri,
  valueAt,
} from '@stubwright/contract';
import type { Access } from './containment.ts';
import { ContractFiles } from './files.ts';
import { isSchemaComponent } from './schemaReferences.ts';

/** Nested objects and arrays, through the references that Redocly follows. The call stack suffices for 1,200; published contracts need 63. */
export const MAX_DESCENT = 1_000;
/** The same, also through visited nodes. Published contracts need 156. */
const MAX_HEIGHT = 10_000;
/** A `$ref` to a `$ref`, and so on: resolvers take quadratic time. */
export const MAX_REFS_IN_A_ROW = 50;

/** A reference beyond the limit. */
export interface DeepReference {
  readonly file: Document;
  /** Starts with `#`. */
  readonly pointer: string;
  readonly message: string;
}

/** The edges that lead deeper: `nested`: not the references to component schemas; `inPlace`: to the same value. */
type Edges = 'all' | 'nested' | 'inPlace';

/** The keywords of subschemas for the same value. */
const IN_PLACE = new Set<string>([...SAME_VALUE, ...COMPOSITIONS, 'dependentSchemas']);

interface Located extends DocumentPart {
  readonly file: Document;
}

/** A node on the way from the root. */
interface Step extends Located {
  /** From the previous step; undefined for a reference. */
  readonly key: string | undefined;
  /** Of the target of the reference to this node. */
  readonly target: string;
  readonly edges: Iterator<Edge>;
  height: number;
}

interface Edge extends Located {
  readonly key: string | undefined;
  readonly target: string;
}

/** How deep a contract is nested. */
export interface Descent {
  /** The first node that is nested too deep. */
  readonly deep: DeepReference | undefined;
  /** True if only the references between schemas are too many in a row. */
  readonly isConnected: boolean;
}

/**
 * Reads the files that the contract refers to. In a contract of one file, schemas may be connected by any
 * number of references: `withoutSchemaReferences`.
 */
export async function descend(root: Document, files: ContractFiles): Promise<Descent> {
  const graph = new Graph(files);
  await graph.read(root);
  const deep = graph.descend(root, 'all');
  if (deep === undefined || !files.isOne) return { deep, isConnected: false };
  return { deep: graph.descend(root, 'nested') ?? graph.deepInPlace(root), isConnected: true };
}

/** @returns the absolute paths of the files that a contract consists of, which are not checked */
export async function filesOf(path: string, access?: Access): Promise<string[]> {
  const files = new ContractFiles(path, access);
  // One overload returns an error by its type, but throws it.
  await new Graph(files).read((await files.resolveDocument(null, files.root, true)) as Document);
  return [...files.hashes.keys()];
}

class Graph {
  readonly #files: ContractFiles;
  readonly #documents = new Map<string, Document>();
  /** `path#anchor` -> node. */
  readonly #anchors = new Map<string, object>();
  readonly #heights = new Map<object, number>();

  constructor(files: ContractFiles) {
    this.#files = files;
  }

  /** Also reads each referenced file. */
  async read(root: Document): Promise<void> {
    const pending = [root];
    this.#documents.set(root.source.absoluteRef, root);
    for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
      for (const path of this.#referencesOf(file)) {
        if (this.#documents.has(path)) continue;
        const found = await this.#files.resolveDocument(null, path).catch(() => undefined);
        if (found === undefined || found instanceof Error) continue;
        this.#documents.set(path, found);
        pending.push(found);
      }
    }
  }

  /** @returns the first node of the document that is too deep */
  descend(root: Document, edges: Edges): DeepReference | undefined {
    this.#heights.clear();
    return isObject(root.parsed)
      ? this.#descendFrom(rootPart(root.parsed), '', root, edges)
      : undefined;
  }

  /** @returns the first component schema from which a value has too many schemas in a row */
  deepInPlace(root: Document): DeepReference | undefined {
    this.#heights.clear();
    const schemas = valueAt(root.parsed, '/components/schemas');
    for (const [name, node] of Object.entries(Object(schemas))) {
      if (!isObject(node)) continue;
      const pointer = `/components/schemas/${escapeToken(name)}`;
      const deep = this.#descendFrom({ node, kind: 'schema' }, pointer, root, 'inPlace');
      if (deep !== undefined) return deep;
    }
    return undefined;
  }

  /** Depth first, in the order of Redocly, without recursion. */
  #descendFrom(
    start: DocumentPart,
    pointer: string,
    root: Document,
    edges: Edges,
  ): DeepReference | undefined {
    const path: Step[] = [];
    const open = new Set<object>();
    const enter = ({ key, target, ...located }: Edge) => {
      open.add(located.node);
      path.push({ ...located, key, target, edges: this.#edgesOf(located, edges), height: 0 });
    };
    enter({ ...start, file: root, key: undefined, target: pointer });
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const edge = step.edges.next();
      if (edge.done) {
        path.pop();
        open.delete(step.node);
        this.#heights.set(step.node, step.height + 1);
        const before = path.at(-1);
        if (before !== undefined) before.height = Math.max(before.height, step.height + 1);
        continue;
      }
      const { node } = edge.value;
      if (open.has(node)) continue;
      const known = this.#heights.get(node);
      if (this.#isLongRow(edge.value)) return deep(path, `${MAX_REFS_IN_A_ROW} $refs in a row`);
      const isReference = edge.value.key === undefined;
      if (isReference && edges === 'nested' && isSchemaComponent(`#${edge.value.target}`)) continue;
      const maxHeight = edges === 'inPlace' ? MAX_DESCENT : MAX_HEIGHT;
      const isTooDeep = path.length >= MAX_DESCENT || path.length + (known ?? 0) > maxHeight;
      if (isTooDeep) return deep(path, `${MAX_DESCENT} levels of nested references`);
      if (known === undefined) enter(edge.value);
      else step.height = Math.max(step.height, known);
    }
    return undefined;
  }

  #isLongRow(edge: Edge): boolean {
    let at: Edge | undefined = edge;
    for (let row = 0; at !== undefined && edge.key === undefined; row++) {
      if (row >= MAX_REFS_IN_A_ROW) return true;
      if (this.#heights.has(at.node)) return false;
      at = this.#target((at.node as Node).$ref, at);
      if (at?.node === edge.node) return false;
    }
    return false;
  }

  *#edgesOf(part: Located, edges: Edges): Generator<Edge> {
    for (const ref of refsOf(part)) {
      const target = this.#target(ref, part);
      if (target !== undefined) yield target;
    }
    const isSchema = part.kind === 'schema' && !Array.isArray(part.node);
    for (const { name: key, ...inner } of innerParts(part)) {
      if (edges === 'inPlace' && isSchema && !IN_PLACE.has(key)) continue;
      yield { ...inner, file: part.file, key, target: '' };
    }
  }

  /** @returns an object of the kind of the reference; undefined if the target is none */
  #target(ref: unknown, { file: from, kind }: Located): Edge | undefined {
    if (typeof ref !== 'string') return undefined;
    const [uri = '', fragment = ''] = ref.split('#', 2);
    const file = uri === '' ? from : this.#documents.get(this.#pathOf(uri, from));
    if (file === undefined) return undefined;
    const pointer = unescapeUri(fragment);
    const node =
      pointer === '' || pointer.startsWith('/')
        ? valueAt(file.parsed, pointer)
        : this.#anchors.get(`${file.source.absoluteRef}#${pointer}`);
    if (typeof node !== 'object' || node === null) return undefined;
    return { node, kind, file, key: undefined, target: pointer };
  }

  #pathOf(uri: string, from: Document): string {
    return this.#files.resolveExternalRef(from.source.absoluteRef, uri);
  }

  /** @returns the paths of other files; collects anchors */
  *#referencesOf(file: Document): Generator<string> {
    const pending: DocumentPart[] = isContainer(file.parsed) ? [rootPart(file.parsed)] : [];
    for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
      if (part.kind === 'schema' || part.kind === 'unknown') {
        const { $anchor, $dynamicAnchor } = part.node as Node;
        for (const name of [$anchor, $dynamicAnchor]) {
          if (typeof name === 'string') {
            this.#anchors.set(`${file.source.absoluteRef}#${name}`, part.node);
          }
        }
      }
      for (const ref of refsOf(part)) {
        const [uri = ''] = ref.split('#', 1);
        if (uri !== '') yield this.#pathOf(uri, file);
      }
      pending.push(...innerParts(part));
    }
  }
}

/** @returns the references of a part itself: also a map may be in another file */
function refsOf({ node, kind }: DocumentPart): string[] {
  if (kind === 'other') return [];
  const { $ref, $dynamicRef, discriminator } = node as Node;
  const mapping = isObject(discriminator) ? discriminator.mapping : undefined;
  const mapped = Object.values(isObject(mapping) ? mapping : {});
  return [$ref, $dynamicRef, ...mapped.filter((ref) => /[/.#]/.test(String(ref)))].filter(
    (ref) => typeof ref === 'string',
  );
}

function* innerParts(part: DocumentPart): Generator<NamedPart> {
  for (const inner of partsIn(part)) if (inner.kind !== 'data') yield inner;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** @returns the location of the last step */
function deep(path: readonly Step[], limit: string): DeepReference {
  const last = path.at(-1)!;
  const start = path.findLastIndex(({ key }) => key === undefined);
  const keys = path.slice(start + 1).map(({ key }) => `/${escapeToken(key!)}`);
  return {
    file: last.file,
    pointer: `#${path[start]!.target}${keys.join('')}`,
    message: `the contract is nested too deep  expected at most ${limit}`,
  };
}
