// Limits the depth of a contract through its references: readers of schemas recurse as deep.
import type { Document } from '@redocly/openapi-core';
import { escapeToken, isObject, type Node, unescapeUri, valueAt } from 'stubwright/contract';
import type { Access } from './containment.ts';
import { ContractFiles } from './files.ts';

/** Nested objects and arrays, through references. The call stack suffices for 1,200; published contracts need 63. */
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

/** Maps whose values are data: a `$ref` in them is not a reference. */
const DATA = new Set(['example', 'default', 'enum', 'const', 'value']);
/** Their properties have names that the contract chooses. */
const MAPS_OF_NAMES = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'schemas'],
  ...['responses', 'headers', 'content', 'encoding', 'parameters', 'requestBodies', 'examples'],
]);

interface Located {
  readonly node: object;
  readonly file: Document;
  readonly isMapOfNames: boolean;
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

/** Reads the files that the contract refers to. */
export async function deepReference(
  root: Document,
  files: ContractFiles,
): Promise<DeepReference | undefined> {
  const graph = new Graph(files);
  await graph.read(root);
  return graph.descend(root);
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

  /** Depth first, in the order of Redocly, without recursion. */
  descend(root: Document): DeepReference | undefined {
    if (!isObject(root.parsed)) return undefined;
    const path: Step[] = [];
    const open = new Set<object>();
    const enter = ({ key, target, ...located }: Edge) => {
      open.add(located.node);
      path.push({ ...located, key, target, edges: this.#edgesOf(located), height: 0 });
    };
    enter({ node: root.parsed, file: root, isMapOfNames: false, key: undefined, target: '' });
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
      const isTooDeep = path.length >= MAX_DESCENT || path.length + (known ?? 0) > MAX_HEIGHT;
      if (isTooDeep) return deep(path, `${MAX_DESCENT} levels of nested references`);
      if (this.#isLongRow(edge.value)) return deep(path, `${MAX_REFS_IN_A_ROW} $refs in a row`);
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
      at = this.#target((at.node as Node).$ref, at.file);
      if (at?.node === edge.node) return false;
    }
    return false;
  }

  *#edgesOf({ node, file, isMapOfNames }: Located): Generator<Edge> {
    if (!isMapOfNames && isObject(node)) {
      for (const ref of refsOf(node)) {
        const target = this.#target(ref, file);
        if (target !== undefined) yield target;
      }
    }
    for (const [key, value] of childrenOf(node, isMapOfNames)) {
      yield {
        ...{ node: value, file, key, target: '' },
        isMapOfNames: !isMapOfNames && MAPS_OF_NAMES.has(key),
      };
    }
  }

  #target(ref: unknown, from: Document): Edge | undefined {
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
    return { node, file, isMapOfNames: false, key: undefined, target: pointer };
  }

  #pathOf(uri: string, from: Document): string {
    return this.#files.resolveExternalRef(from.source.absoluteRef, uri);
  }

  /** @returns the paths of other files; collects anchors */
  *#referencesOf(file: Document): Generator<string> {
    const pending: [node: unknown, isMapOfNames: boolean][] = [[file.parsed, false]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [node, isMapOfNames] = next;
      if (typeof node !== 'object' || node === null) continue;
      if (!isMapOfNames && isObject(node)) {
        for (const name of [node.$anchor, node.$dynamicAnchor]) {
          if (typeof name === 'string') {
            this.#anchors.set(`${file.source.absoluteRef}#${name}`, node);
          }
        }
        for (const ref of refsOf(node)) {
          const [uri = ''] = ref.split('#', 1);
          if (uri !== '') yield this.#pathOf(uri, file);
        }
      }
      for (const [key, value] of childrenOf(node, isMapOfNames)) {
        pending.push([value, !isMapOfNames && MAPS_OF_NAMES.has(key)]);
      }
    }
  }
}

function refsOf({ $ref, $dynamicRef, discriminator }: Node): string[] {
  const mapping = isObject(discriminator) ? discriminator.mapping : undefined;
  const mapped = Object.values(isObject(mapping) ? mapping : {});
  return [$ref, $dynamicRef, ...mapped.filter((ref) => /[/.#]/.test(String(ref)))].filter(
    (ref) => typeof ref === 'string',
  );
}

function* childrenOf(node: object, isMapOfNames: boolean): Generator<[string, object]> {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== 'object' || value === null) continue;
    if (!isMapOfNames && (DATA.has(key) || key.startsWith('x-'))) continue;
    yield [key, value];
  }
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
