// The values of the files of a contract: each with its kind, as the table of objects has it, its findings, and the
// targets of references: in this and other files, by JSON pointer, `$id` and anchor.
import {
  escapeToken,
  Identifiers,
  isObject,
  type Node,
  tokensOf,
  unescapeUri,
} from '@stubwright/contract';
import {
  ENFORCED,
  type FieldKind,
  type ObjectType,
  objectType,
} from '@stubwright/contract/openapi-table';
import type { ContractFiles, SourceFile, Target, Unresolved } from './files.ts';

/** A value with its kind, at its location. */
export interface Visit {
  readonly file: SourceFile;
  readonly node: unknown;
  readonly kind: FieldKind;
  /** Undefined for a file, and for the target of a reference. */
  readonly parent: Visit | undefined;
  /** From the parent; without one, the JSON pointer. */
  readonly key: string;
  /** True in requests that the service would send, not receive. */
  readonly isOutgoing: boolean;
  /** True for a value that no request depends on. */
  readonly isDocumentation: boolean;
}

const SCHEMA: FieldKind = { is: 'object', of: 'Schema', orBoolean: true };
const NAMES: FieldKind = { is: 'strings' };
/** Minor version. */
const NEWEST = 2;
const OUTGOING = new Set(['webhooks', 'callbacks']);

export function pointerOf(visit: Visit): string {
  const keys: string[] = [];
  let at: Visit = visit;
  for (; at.parent !== undefined; at = at.parent) keys.push(`/${escapeToken(at.key)}`);
  return at.key + keys.reverse().join('');
}

/** @param pointer of the node; the file of a contract has the kind `Root` */
export function visitAt(file: SourceFile, pointer: string, node: unknown, kind: FieldKind): Visit {
  const isOutgoing = pointer
    .split('/')
    .slice(1, -1)
    .some((part) => OUTGOING.has(part));
  return { file, node, kind, parent: undefined, key: pointer, isOutgoing, isDocumentation: false };
}

export function isReference(node: unknown): node is Node {
  return isObject(node) && typeof node.$ref === 'string';
}

/** The object of the table, for a value of a kind that is one. */
export function objectTypeOf({ kind }: Visit, minor: number): ObjectType | undefined {
  return kind.is === 'object' ? objectType(kind.of, minor) : undefined;
}

/** @returns the kind of a property that is declared, in a value of a kind */
export function kindOfProperty(
  { kind, node }: Pick<Visit, 'kind' | 'node'>,
  name: string,
  minor: number,
): FieldKind | undefined {
  if (kind.is === 'list') return kind.of;
  if (kind.is === 'dependencies') return Array.isArray((node as Node)[name]) ? NAMES : SCHEMA;
  if (kind.is === 'map') {
    return kind.names === undefined || kind.names.test(name) ? kind.of : undefined;
  }
  if (kind.is !== 'object') return undefined;
  if (Array.isArray(node)) return { is: 'object', of: kind.of };
  const type = objectType(kind.of, minor);
  const isEntry = type.others !== undefined && !name.startsWith('x-');
  const kindOfField = type.fields.get(name) ?? (isEntry ? type.others : undefined);
  if (kindOfField !== undefined) return kindOfField;
  // The engine reads these in each version.
  if (kind.of === 'PathItem') return objectType(kind.of, NEWEST).fields.get(name);
  return kind.of === 'Schema' ? ENFORCED.get(name) : undefined;
}

export function childOf(parent: Visit, key: string, kind: FieldKind, minor: number): Visit {
  const node = (parent.node as Node)[key];
  const type = objectTypeOf(parent, minor);
  return {
    ...{ file: parent.file, node, kind, parent, key },
    isOutgoing: parent.isOutgoing || (parent.kind.is === 'map' && OUTGOING.has(parent.key)),
    isDocumentation: type?.isDocumentation || type?.documentation.has(key) || false,
  };
}

export function isStructured({ is }: FieldKind): boolean {
  return is === 'object' || is === 'list' || is === 'map' || is === 'dependencies';
}

export interface Issue {
  /** The innermost visited value that has the location. */
  readonly visit: Visit;
  /** A stable name of the rule. */
  readonly code: string;
  readonly isError: boolean;
  /** As in ContractError. */
  readonly isMockable?: boolean;
  /** JSON pointer in the file. */
  readonly pointer: string;
  /** True for the key of the value. */
  readonly isKey?: boolean;
  /** `error  expectation` */
  readonly message: string;
  /** What errors at several locations have in common. */
  readonly cause?: string | undefined;
}

export type ReportIssue = (issue: Issue) => void;

interface At {
  /** The keys below the visited value. */
  readonly keys?: readonly string[];
  readonly isKey?: boolean;
  readonly isMockable?: boolean;
  readonly cause?: string | undefined;
}

/** @param message `error  expectation` */
export function issueAt(
  visit: Visit,
  message: string,
  { keys = [], ...at }: At & Pick<Issue, 'code' | 'isError'>,
): Issue {
  const below = keys.map((key) => `/${escapeToken(key)}`).join('');
  return { visit, pointer: pointerOf(visit) + below, message, ...at };
}

/** Reports at a visited value, or below it. */
export class Reporter {
  readonly #report: ReportIssue;
  readonly #code: string;

  constructor(report: ReportIssue, code: string) {
    this.#report = report;
    this.#code = code;
  }

  error(visit: Visit, message: string, at: At = {}): void {
    this.#report(issueAt(visit, message, { ...at, code: this.#code, isError: true }));
  }

  /** At a key by default. */
  warning(visit: Visit, message: string, at: At = {}): void {
    this.#report(issueAt(visit, message, { ...at, code: this.#code, isError: false }));
  }
}

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

export function referrerOf(visit: Visit): Referrer {
  const isSchema = visit.kind.is === 'object' && visit.kind.of === 'Schema';
  return { file: visit.file, pointer: () => pointerOf(visit), isSchema };
}

/** @returns the target of a reference */
export function targetOf(visit: Visit, references: ReferenceResolver): Visit | undefined {
  if (!isReference(visit.node)) return undefined;
  const found = references.resolve(visit.node.$ref, referrerOf(visit));
  return found && visitAt(found.file, found.pointer, found.node, visit.kind);
}
