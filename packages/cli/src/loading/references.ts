// Resolves the references of a contract: to this and other files, by JSON pointer, `$id` and anchor.
import { escapeToken, Identifiers, tokensOf, unescapeUri } from '@stubwright/contract';
import type { ContractFiles } from './files.ts';
import type { SourceFile, Target, Unresolved } from './walk.ts';
import { isReference } from './walk.ts';

/** A `$ref` to a `$ref`, and so on. */
export const MAX_REFS_IN_A_ROW = 50;

/** A file that is not read yet. */
interface Unread {
  readonly path: string;
}

/** The holder of a reference. */
export interface Referrer {
  readonly file: SourceFile;
  /** Called for schemas in documents with identifiers. */
  readonly pointer: () => string;
  readonly isSchema: boolean;
}

const NOT_FOUND: Unresolved = { reason: 'target not found' };
const IDENTIFIERS = /\$(?:id|anchor|dynamicAnchor|self)\b|\\[ux]/;

export class ReferenceResolver {
  /** False once a reference has named a file, this one or another. */
  isOne = true;
  readonly #files: ContractFiles;
  readonly #identifiers = new Map<SourceFile, Identifiers | undefined>();
  /** The targets of references that are the same for each referrer in a file. */
  readonly #known = new Map<SourceFile, Map<string, Target | Unresolved>>();

  constructor(files: ContractFiles) {
    this.#files = files;
  }

  /** Reads the files that the reference leads to. */
  async read(ref: string, from: Referrer): Promise<Target | Unresolved> {
    for (;;) {
      const found = this.#find(ref, from, 0);
      if (!('path' in found)) return found;
      await this.#files.read(found.path);
    }
  }

  /** Of a reference whose files are read. */
  resolve(ref: string, from: Referrer): Target | undefined {
    const found = this.#find(ref, from, 0);
    return 'node' in found ? found : undefined;
  }

  /** True for a target in the schema resource (`$id`) of the referrer. */
  isInResource({ file, pointer }: Referrer, target: Target): boolean {
    const identifiers = target.file === file ? this.#identifiersOf(file) : undefined;
    const resource = identifiers?.resourceOf(pointer());
    if (resource === undefined) return false;
    // A file may be a schema with an `$id`.
    const isResource = resource !== '' || typeof Object(file.value).$id === 'string';
    return isResource && `${target.pointer}/`.startsWith(`${resource}/`);
  }

  #find(ref: string, from: Referrer, depth: number): Target | Unresolved | Unread {
    const { file } = from;
    const identifiers = this.#identifiersOf(file);
    if (from.isSchema && identifiers !== undefined) {
      const pointer = identifiers.resolve(ref, from.pointer());
      const found = pointer === undefined ? NOT_FOUND : this.#at(file, pointer, depth);
      if (!('reason' in found)) return found;
    }
    const known = this.#known.get(file)?.get(ref);
    if (known !== undefined) return known;
    const [uri = ''] = ref.split('#', 1);
    if (uri !== '') this.isOne = false;
    const path = uri === '' ? file.path : this.#files.pathOf(file, uri);
    const target = uri === '' ? file : this.#files.known(path);
    if (target === undefined) return { path };
    if (!('value' in target)) return target;
    const found = this.#inFile(target, ref.slice(uri.length + 1), depth);
    if ('path' in found) return found;
    const targets = this.#known.get(file) ?? new Map<string, Target | Unresolved>();
    this.#known.set(file, targets.set(ref, found));
    return found;
  }

  #inFile(file: SourceFile, fragment: string, depth: number): Target | Unresolved | Unread {
    const pointer = unescapeUri(fragment);
    if (pointer === '' || pointer.startsWith('/')) return this.#at(file, pointer, depth);
    const found = this.#identifiersOf(file)?.resolve(`#${pointer}`, '');
    return found === undefined ? NOT_FOUND : this.#at(file, found, depth);
  }

  /** A pointer may lead through references. */
  #at(file: SourceFile, pointer: string, depth: number): Target | Unresolved | Unread {
    let at: Target = { file, pointer: '', node: file.value };
    for (const token of tokensOf(pointer)) {
      while (!Object.hasOwn(Object(at.node), token) && isReference(at.node)) {
        if (depth++ > MAX_REFS_IN_A_ROW) return { reason: 'it is circular' };
        const { file: own, pointer: holder } = at;
        const from = { file: own, pointer: () => holder, isSchema: true };
        const found = this.#find(at.node.$ref, from, depth);
        if (!('node' in found)) return found;
        at = found;
      }
      if (!Object.hasOwn(Object(at.node), token)) return NOT_FOUND;
      const node: unknown = (at.node as Record<string, unknown>)[token];
      at = { file: at.file, pointer: `${at.pointer}/${escapeToken(token)}`, node };
    }
    return at;
  }

  /** @returns undefined for a file without identifiers */
  #identifiersOf(file: SourceFile): Identifiers | undefined {
    if (this.#identifiers.has(file)) return this.#identifiers.get(file);
    const { text, value } = file;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const hasAny = isObject && (file.isChanged || IDENTIFIERS.test(text));
    const found = hasAny ? new Identifiers(value as Record<string, unknown>) : undefined;
    const used = found?.isEmpty ? undefined : found;
    this.#identifiers.set(file, used);
    return used;
  }
}
