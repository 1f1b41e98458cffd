// The values of the files of a contract: each with its kind, as the table of objects has it, and its findings.
import { escapeToken, isObject, type Node } from '@stubwright/contract';
import {
  ENFORCED,
  type FieldKind,
  type ObjectType,
  objectType,
} from '@stubwright/contract/openapi-table';
import type { Positions, Ranges } from './parse.ts';

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

/** Reports at a visited value, or below it. */
export class Reporter {
  readonly #report: ReportIssue;
  readonly #code: string;

  constructor(report: ReportIssue, code: string) {
    this.#report = report;
    this.#code = code;
  }

  error(visit: Visit, message: string, at: At = {}): void {
    this.#add(visit, message, true, at);
  }

  /** At a key by default. */
  warning(visit: Visit, message: string, at: At = {}): void {
    this.#add(visit, message, false, at);
  }

  #add(visit: Visit, message: string, isError: boolean, { keys = [], ...at }: At): void {
    const below = keys.map((key) => `/${escapeToken(key)}`).join('');
    const pointer = pointerOf(visit) + below;
    this.#report({ code: this.#code, isError, visit, pointer, message, ...at });
  }
}

/** A file of a contract that is read and parsed. */
export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly value: unknown;
  readonly positions: Positions;
  /** Of the value with its overlays; undefined without overlays. */
  readonly ranges?: Ranges | undefined;
  /** True if the value has parts that the text has not. */
  readonly isChanged?: boolean;
}

/** A value in a file. */
export interface Target {
  readonly file: SourceFile;
  readonly pointer: string;
  readonly node: unknown;
}

/** Why a reference has no target. */
export interface Unresolved {
  readonly reason: string;
  /** What unresolved references at several locations have in common. */
  readonly cause?: string | undefined;
  /** True if the file has errors of its own, which are reported. */
  readonly isReported?: boolean;
}
