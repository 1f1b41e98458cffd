// A contract as an editor asks about it: the kind of each value, and which name leads where.
import { relative } from 'node:path';
import {
  buffersOver,
  ContractFiles,
  type ContractModel,
  kindOfProperty,
  loadMockable,
  modelOf,
  type Positions,
  pointerOf,
  referrerOf,
  type SourceFile,
  type Visit,
} from '@stubwright/cli/editor';
import { type Contract, escapeToken, isObject, tokensOf } from '@stubwright/contract';
import type { FieldKind } from '@stubwright/contract/openapi-table';
import type { Position, Range } from 'vscode-languageserver-types';
import { type ContractOfProject, shownRange } from './findings.ts';

/** A value in a file. */
export interface Place {
  /** Absolute. */
  readonly path: string;
  readonly pointer: string;
}

/** A name that leads to another value. */
export interface NameLink extends Place {
  /** True if the name is the key of the value. */
  readonly isKey: boolean;
  readonly target: Place;
  /** True for a URI reference, whose fragment has the name. */
  readonly isReference: boolean;
}

export interface KindAt {
  readonly kind: FieldKind;
  readonly node: unknown;
}

interface Cursor extends Place {
  readonly tokens: readonly string[];
  readonly positions: Positions;
  readonly isInKey: boolean;
}

const COMPONENT = /^\/components\/[^/]+\/[^/]+$/;

export class EditedContract {
  readonly files: ContractFiles;
  readonly contract: ContractModel;
  readonly #project: ContractOfProject;
  readonly #kinds = new Map<string, Visit>();
  #links: readonly NameLink[] | undefined;
  #definition: Promise<Contract> | undefined;

  private constructor(files: ContractFiles, contract: ContractModel, project: ContractOfProject) {
    this.files = files;
    this.contract = contract;
    this.#project = project;
    for (const visit of [...contract.referrers, ...contract.visits]) {
      this.#kinds.set(keyOf({ path: visit.file.path, pointer: pointerOf(visit) }), visit);
    }
  }

  /** @returns undefined for a contract that cannot be read */
  static async of(
    project: ContractOfProject,
    texts: ReadonlyMap<string, string>,
  ): Promise<EditedContract | undefined> {
    const { cwd, contract: path } = project;
    const files = new ContractFiles(relative(cwd, path), { cwd, sources: buffersOver(texts) });
    const contract = await modelOf(files);
    return contract && new EditedContract(files, contract, project);
  }

  get minor(): number {
    return this.contract.minor;
  }

  /** Checked, without the operations that have errors. @throws {ContractErrors} */
  get definition(): Promise<Contract> {
    const { cwd, contract } = this.#project;
    const access = { cwd, sources: this.files.sources, files: this.files };
    this.#definition ??= loadMockable(relative(cwd, contract), {
      ...{ ...access, isWithoutWarnings: true },
    }).then(({ definition }) => definition);
    return this.#definition;
  }

  /** @returns the JSON pointer in the contract in one piece */
  bundled({ path, pointer }: Place): string | undefined {
    const { origins } = this.files;
    if (path === this.contract.root.path) return pointer;
    for (const [at, origin] of origins ?? []) {
      if (origin.file.path !== path) continue;
      if (`${pointer}/`.startsWith(`${origin.pointer}/`)) {
        return at + pointer.slice(origin.pointer.length);
      }
    }
    return undefined;
  }

  fileAt(path: string): SourceFile | undefined {
    const file = this.files.known(path);
    return file !== undefined && 'value' in file ? file : undefined;
  }

  cursorAt(path: string, { line, character }: Position): Cursor | undefined {
    const positions = this.fileAt(path)?.positions;
    if (positions === undefined) return undefined;
    const offset = positions.offsetAt({ line: line + 1, column: character + 1 });
    const tokens = positions.pathAt(offset);
    const { keyStart, keyEnd, start } = positions.find(tokens);
    // Of an array item, the key is the item.
    const isInKey = keyStart !== start && offset <= keyEnd;
    return { path, pointer: pointerTo(tokens), tokens, positions, isInKey };
  }

  /** @returns the kind of a value, also of one that does not exist yet */
  kindAt(path: string, tokens: readonly string[]): KindAt | undefined {
    for (let length = tokens.length; length >= 0; length--) {
      const visit = this.#kinds.get(keyOf({ path, pointer: pointerTo(tokens.slice(0, length)) }));
      if (visit === undefined) continue;
      let at: KindAt = visit;
      for (const token of tokens.slice(length)) {
        const parent = { kind: at.kind, node: at.node ?? {} };
        const kind = kindOfProperty(parent, token, this.minor);
        if (kind === undefined) return undefined;
        at = { kind, node: Object(at.node)[token] };
      }
      return at;
    }
    return undefined;
  }

  /** @returns the names in all files that lead to a value */
  get links(): readonly NameLink[] {
    this.#links ??= [...this.#references(), ...this.#names()];
    return this.#links;
  }

  /** @returns the value that the name at a position declares or refers to */
  targetAt(path: string, position: Position): Place | undefined {
    const cursor = this.cursorAt(path, position);
    if (cursor === undefined) return undefined;
    const { pointer, isInKey } = cursor;
    const link = this.links.find(
      (link) => link.path === path && link.pointer === pointer && link.isKey === isInKey,
    );
    if (link !== undefined) return link.target;
    const isDeclared = isInKey
      ? COMPONENT.test(pointer)
      : pointer.endsWith('/operationId') || /^\/tags\/\d+\/name$/.test(pointer);
    return isDeclared ? { path, pointer } : undefined;
  }

  /** @returns the range of the name that declares a value, and the name */
  nameOf({ path, pointer }: Place): { readonly name: string; readonly range: Range } | undefined {
    const file = this.fileAt(path);
    if (file === undefined) return undefined;
    const tokens = tokensOf(pointer);
    const isKey = COMPONENT.test(pointer);
    const found = file.positions.find(tokens);
    const name = isKey ? tokens.at(-1) : nodeAt(file.value, tokens);
    if (typeof name !== 'string') return undefined;
    return { name, range: textRange(file.positions, found, isKey) };
  }

  rangeAt({ path, pointer }: Place): Range | undefined {
    const positions = this.fileAt(path)?.positions;
    return positions && shownRange(positions, positions.find(tokensOf(pointer)));
  }

  /** @returns the range of the name, with its text */
  linkRange({ path, pointer, isKey }: NameLink): { readonly range: Range; readonly text: string } {
    const { positions } = this.fileAt(path)!;
    const found = positions.find(tokensOf(pointer));
    const [start, end] = isKey ? [found.keyStart, found.keyEnd] : [found.start, found.end];
    return { range: textRange(positions, found, isKey), text: positions.text.slice(start, end) };
  }

  *#references(): Generator<NameLink> {
    const { referrers, references } = this.contract;
    for (const visit of referrers) {
      const found = references.resolve(Object(visit.node).$ref, referrerOf(visit));
      if (found === undefined) continue;
      const pointer = `${pointerOf(visit)}/$ref`;
      const target = { path: found.file.path, pointer: found.pointer };
      yield { path: visit.file.path, pointer, isKey: false, target, isReference: true };
    }
  }

  *#names(): Generator<NameLink> {
    const { visits, root } = this.contract;
    const { tags, components } = Object(root.value);
    const operationIds = new Map<unknown, Place>();
    const tagNames = new Map<unknown, Place>();
    const list: unknown[] = Array.isArray(tags) ? tags : [];
    for (const [index, tag] of list.entries()) {
      tagNames.set(Object(tag).name, { path: root.path, pointer: `/tags/${index}/name` });
    }
    const operations = visits.filter(({ kind }) => kind.is === 'object' && kind.of === 'Operation');
    for (const visit of operations) {
      const place = { path: visit.file.path, pointer: `${pointerOf(visit)}/operationId` };
      operationIds.set(Object(visit.node).operationId, place);
    }
    const inComponents = (group: string, name: string): Place | undefined =>
      Object.hasOwn(Object(Object(components)[group]), name)
        ? { path: root.path, pointer: `/components/${group}/${escapeToken(name)}` }
        : undefined;
    for (const visit of visits) {
      if (visit.kind.is !== 'object' || !isObject(visit.node)) continue;
      const { file, node } = visit;
      const link = (below: string, target: Place | undefined, isKey = false): NameLink[] =>
        target === undefined
          ? []
          : [
              {
                ...{ path: file.path, pointer: pointerOf(visit) + below, isKey, target },
                isReference: false,
              },
            ];
      if (visit.kind.of === 'Operation' && Array.isArray(node.tags)) {
        for (const [index, tag] of node.tags.entries()) {
          yield* link(`/tags/${index}`, tagNames.get(tag));
        }
      } else if (visit.kind.of === 'SecurityRequirement') {
        for (const name of Object.keys(node)) {
          yield* link(`/${escapeToken(name)}`, inComponents('securitySchemes', name), true);
        }
      } else if (visit.kind.of === 'Link' && node.operationId !== undefined) {
        yield* link('/operationId', operationIds.get(node.operationId));
      } else if (visit.kind.of === 'Discriminator' && isObject(node.mapping)) {
        for (const [value, name] of Object.entries(node.mapping)) {
          if (typeof name !== 'string') continue;
          const below = `/mapping/${escapeToken(value)}`;
          const named = inComponents('schemas', name);
          yield* link(below, named);
          if (named !== undefined) continue;
          const found = this.contract.references.resolve(name, referrerOf(visit));
          const target = found && { path: found.file.path, pointer: found.pointer };
          for (const nameLink of link(below, target)) yield { ...nameLink, isReference: true };
        }
      }
    }
  }
}

export function pointerTo(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join('');
}

function nodeAt(value: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce<unknown>((node, token) => Object(node)[token], value);
}

function keyOf({ path, pointer }: Place): string {
  return `${path}#${pointer}`;
}

function textRange(
  positions: Positions,
  found: ReturnType<Positions['find']>,
  isKey: boolean,
): Range {
  const { keyStart, keyEnd, start, end } = found;
  const [from, to] = isKey ? [keyStart, keyEnd] : [start, end];
  return shownRange(positions, { keyStart: from, keyEnd: to, start: from, end: to });
}
