// Walks over the files of a contract: repairs and checks each value, and resolves each reference.
import { isObject, type Node } from '@stubwright/contract';
import type { FieldKind } from '@stubwright/contract/openapi-table';
import type { ContractFiles, SourceFile } from './files.ts';
import { checkSiblings, checkStructure } from './structure.ts';
import {
  childOf,
  isReference,
  isStructured,
  kindOfProperty,
  objectTypeOf,
  pointerOf,
  type ReferenceResolver,
  Reporter,
  type ReportIssue,
  referrerOf,
  type Visit,
  visitAt,
} from './walk.ts';

const EXPECTED = 'expected a location in this or another file';
const DATA: ReadonlySet<string> = new Set(['data']);

export interface Walked {
  /** The objects and schemas, each once per kind. */
  readonly visits: readonly Visit[];
  readonly referrers: readonly Visit[];
  /** In discriminators: names of schemas that the file of the contract has not. */
  readonly unknownNames: readonly Visit[];
}

/** Depth first and in the order of the text, without recursion: a contract may chain thousands of values. */
export class ContractWalk {
  readonly #files: ContractFiles;
  readonly #references: ReferenceResolver;
  readonly #minor: number;
  readonly #report: ReportIssue;
  readonly #reporter: Reporter;
  readonly #schemas: Node;
  readonly #seen = new Map<string, Set<unknown>>();
  readonly #visits: Visit[] = [];
  readonly #found: Visit[] = [];
  readonly #unknownNames: Visit[] = [];
  readonly #pending: Visit[];

  constructor(
    files: ContractFiles,
    root: SourceFile,
    {
      references,
      minor,
      report,
    }: { references: ReferenceResolver; minor: number; report: ReportIssue },
  ) {
    this.#files = files;
    this.#references = references;
    this.#minor = minor;
    this.#report = report;
    this.#reporter = new Reporter(report, 'refs');
    const { components } = root.value as Node;
    this.#schemas = Object(Object(components).schemas);
    this.#pending = [visitAt(root, '', root.value, { is: 'object', of: 'Root' })];
  }

  async walk(): Promise<Walked> {
    for (let visit = this.#pending.pop(); visit !== undefined; visit = this.#pending.pop()) {
      if (typeof visit.node === 'object' && visit.node !== null && !this.#isNew(visit)) continue;
      if (visit.kind.is === 'schemaName') await this.#visitName(visit);
      else if (isReference(visit.node)) await this.#visitReference(visit, visit.node.$ref);
      else this.#visitValue(visit);
    }
    return { visits: this.#visits, referrers: this.#found, unknownNames: this.#unknownNames };
  }

  #isNew({ node, kind }: Visit): boolean {
    const name = nameOf(kind);
    const seen = this.#seen.get(name) ?? new Set();
    this.#seen.set(name, seen);
    if (seen.has(node)) return false;
    seen.add(node);
    return true;
  }

  #visitValue(visit: Visit): void {
    if (!isStructured(visit.kind)) return;
    if (visit.kind.is !== 'dependencies') {
      repair(visit, this.#minor, this.#report);
      if (!checkStructure(visit, this.#minor, this.#report)) return;
      if (visit.kind.is === 'object') this.#visits.push(visit);
    }
    this.#enter(visit);
  }

  #enter(visit: Visit): void {
    const { node } = visit;
    if (typeof node !== 'object' || node === null) return;
    const children: Visit[] = [];
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref' && typeof value === 'string') continue;
      const kind = kindOfProperty(visit, key, this.#minor);
      if (kind === undefined || DATA.has(kind.is)) continue;
      const isVisited = isStructured(kind) || kind.is === 'schemaName' || isReference(value);
      if (isVisited) children.push(childOf(visit, key, kind, this.#minor));
    }
    for (const child of children.reverse()) this.#pending.push(child);
  }

  async #visitReference(visit: Visit, ref: string): Promise<void> {
    const isScalar = !isStructured(visit.kind);
    if (visit.key === 'description' && isScalar && (await this.#readMarkdown(visit, ref))) return;
    this.#found.push(visit);
    if (!isScalar) {
      checkSiblings(visit, this.#minor, this.#report);
      this.#enter(visit);
    }
    const found = await this.#references.read(ref, referrerOf(visit));
    if ('node' in found) {
      this.#pending.push(visitAt(found.file, found.pointer, found.node, targetKind(visit.kind)));
    } else if (!found.isReported) {
      const { reason, cause } = found;
      const message = `$ref cannot be resolved: ${ref} (${reason})  ${EXPECTED}`;
      this.#reporter.error(visit, message, { keys: ['$ref'], cause });
    }
  }

  async #readMarkdown({ parent, file }: Visit, ref: string): Promise<boolean> {
    const text = await this.#files.markdown(file, ref);
    if (text === undefined || !isObject(parent?.node)) return false;
    parent.node.description = text;
    return true;
  }

  /** In a discriminator: the name of a schema, or a reference to one. */
  async #visitName(visit: Visit): Promise<void> {
    const { node, key, file } = visit;
    if (typeof node !== 'string' || Object.hasOwn(this.#schemas, node)) return;
    const what = key === 'defaultMapping' ? key : `the mapping of ${key}`;
    if (!/[/.#]/.test(node)) {
      this.#unknownNames.push(visit);
      return;
    }
    const schema: FieldKind = { is: 'object', of: 'Schema' };
    const from = { file, pointer: () => pointerOf(visit), isSchema: true };
    const found = await this.#references.read(node, from);
    if ('node' in found) {
      this.#pending.push(visitAt(found.file, found.pointer, found.node, schema));
      return;
    }
    this.#reporter.warning(visit, `${what} cannot be resolved: ${node}  ${EXPECTED}`);
  }
}

/** Only in place, a list may take the place of one schema. */
function targetKind(kind: FieldKind): FieldKind {
  return kind.is === 'object' && kind.orList ? { is: 'object', of: kind.of } : kind;
}

const names = new WeakMap<FieldKind, string>();

function nameOf(kind: FieldKind): string {
  const known = names.get(kind);
  if (known !== undefined) return known;
  const name =
    'of' in kind
      ? `${kind.is} ${typeof kind.of === 'string' ? kind.of : nameOf(kind.of)}`
      : kind.is;
  names.set(kind, name);
  return name;
}

type Warn = (field: string, what: string, expected: string) => void;

/** Their values may be in quotes. */
const WITH_SCALARS = new Set(['Schema', 'Parameter', 'Header', 'RequestBody']);

function repair(visit: Visit, minor: number, report: ReportIssue): void {
  const { node, kind } = visit;
  if (!isObject(node)) return;
  const reporter = new Reporter(report, 'repair');
  const warn: Warn = (field, what, expected) =>
    reporter.warning(visit, `${what}  expected ${expected}`, { keys: [field], isKey: true });
  dropNulls(visit, minor, warn);
  const name = kind.is === 'object' ? kind.of : '';
  if (WITH_SCALARS.has(name)) readScalars(visit, minor, warn);
  if (name === 'Schema') {
    dropRequiredFlag(node, warn);
    readTypes(node, warn);
    readEmptyEnum(node, warn);
  }
  if (name === 'RequestBody' && node.content === undefined && typeof node.$ref !== 'string') {
    node.content = {};
    const message = 'content is missing and read as none  expected an object of media types';
    reporter.warning(visit, message, { isKey: true });
  }
}

/** A key without a value is null in YAML; an empty object or array was meant. */
function dropNulls(visit: Visit, minor: number, warn: Warn): void {
  const node = visit.node as Node;
  const isField = objectTypeOf(visit, minor)?.others === undefined && visit.kind.is === 'object';
  for (const [field, value] of Object.entries(node)) {
    if (value !== null || (isField && field.startsWith('x-'))) continue;
    const kind = kindOfProperty(visit, field, minor);
    if (kind === undefined || !isStructured(kind)) continue;
    warn(field, `${field} is null and read as ${isField ? 'absent' : '{}'}`, 'an object or list');
    if (isField) delete node[field];
    else node[field] = {};
  }
}

function readScalars(visit: Visit, minor: number, warn: Warn): void {
  const node = visit.node as Node;
  for (const [field, value] of Object.entries(node)) {
    if (typeof value !== 'string') continue;
    const kind = kindOfProperty(visit, field, minor);
    const is = field === 'required' ? 'boolean' : kind?.is;
    const isFlag =
      is === 'boolean' || is === 'exclusive' || (kind?.is === 'object' && kind.orBoolean);
    if (isFlag && /^(?:true|false)$/.test(value)) {
      node[field] = value === 'true';
      warn(field, `${field} is a string and read as ${value}`, 'true or false without quotes');
    } else if (
      (is === 'number' || is === 'count' || is === 'exclusive') &&
      /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value)
    ) {
      node[field] = Number(value);
      warn(field, `${field} is a string and read as ${value}`, 'a number without quotes');
    }
  }
}
/** Draft 3 of JSON Schema had `required: true` at the property; later ones list names at the object. */
function dropRequiredFlag(schema: Node, warn: Warn): void {
  const { required } = schema;
  if (required === undefined || Array.isArray(required)) return;
  delete schema.required;
  warn('required', 'required is not an array and is ignored', 'the names of required properties');
}

/** The schemas of type names from other type systems. */
const OTHER_TYPES: Readonly<Record<string, Node>> = {
  ...Object.fromEntries(
    ['int32', 'int64'].map((format) => [format, { type: 'integer', format }] as const),
  ),
  ...Object.fromEntries(
    ['float', 'double'].map((format) => [format, { type: 'number', format }] as const),
  ),
  int: { type: 'integer' },
  long: { type: 'integer', format: 'int64' },
  bool: { type: 'boolean' },
  ...Object.fromEntries(
    ['date', 'date-time', 'uuid', 'uri'].map(
      (format) => [format, { type: 'string', format }] as const,
    ),
  ),
  file: { type: 'string', format: 'binary' },
  any: {},
};

function readTypes(schema: Node, warn: Warn): void {
  const { type } = schema;
  if (typeof type !== 'string' || !Object.hasOwn(OTHER_TYPES, type)) return;
  const { type: read, ...rest } = OTHER_TYPES[type]!;
  delete schema.type;
  Object.assign(schema, { ...rest, ...schema }, read === undefined ? {} : { type: read });
  const meaning = [read ?? 'any type', rest.format].filter(Boolean).join(' of format ');
  warn('type', `type is ${type} and read as ${meaning}`, 'a type of JSON Schema');
}

/** JSON Schema validators reject an empty enum. */
function readEmptyEnum(schema: Node, warn: Warn): void {
  if (!Array.isArray(schema.enum) || schema.enum.length > 0) return;
  delete schema.enum;
  schema.allOf = [...(Array.isArray(schema.allOf) ? schema.allOf : []), { not: {} }];
  warn('enum', 'enum is empty and accepts no value', 'one value at least');
}
