// Checks the fields of a value against the table of objects: unknown, missing, invalid, excluded ones.
import { isObject, type Node } from '@stubwright/contract';
import {
  ENFORCED,
  type FieldKind,
  type ObjectType,
  objectType,
} from '@stubwright/contract/openapi-table';
import {
  isReference,
  isStructured,
  kindOfProperty,
  objectTypeOf,
  Reporter,
  type ReportIssue,
  type Visit,
} from './walk.ts';

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
const NOT_OF_VERSION =
  'is not a keyword of this version, but is enforced  expected a keyword of this version';

/** @returns true for a value of its kind, whose properties may be visited */
export function checkStructure(visit: Visit, minor: number, report: ReportIssue): boolean {
  const reporter = new Reporter(report, 'struct');
  if (!hasForm(visit, minor)) {
    const { kind, node, isOutgoing } = visit;
    const isError = !isOutgoing && !visit.isDocumentation && !isForReaders(kind, minor);
    const message = `got ${typeName(node)}  expected ${expectation(kind)}`;
    if (isError) reporter.error(visit, message);
    else reporter.warning(visit, message);
    return false;
  }
  const type = objectTypeOf(visit, minor);
  if (type !== undefined && isObject(visit.node)) new Fields(visit, type, reporter).check(minor);
  else if (visit.kind.is === 'map') checkEntries(visit, visit.kind.of, reporter);
  if (minor === 0) checkNullable(visit, reporter);
  return true;
}

/** Keywords beside a reference: the specification ignores them, or JSON Schema evaluates them. */
export function checkSiblings(visit: Visit, minor: number, report: ReportIssue): void {
  const { kind, node } = visit;
  if (kind.is !== 'object' || !isObject(node)) return;
  const reporter = new Reporter(report, 'struct');
  if (kind.of === 'Schema' && minor > 0 && 'nullable' in node) {
    reporter.warning(visit, `nullable ${NOT_OF_VERSION}`, { keys: ['nullable'], isKey: true });
  }
  for (const field of ['summary', 'description']) {
    const value: unknown = node[field];
    if (value === undefined || typeof value === 'string' || isReference(value)) continue;
    reporter.warning(visit, `${field} is not a string  expected a string`, { keys: [field] });
  }
}

/** OpenAPI 3.0.3 refuses null here, generators in use allow it. */
function checkNullable(visit: Visit, reporter: Reporter): void {
  const { kind, node } = visit;
  if (kind.is !== 'object' || kind.of !== 'Schema' || !isObject(node)) return;
  const { nullable, enum: values } = node;
  if (nullable !== true || !Array.isArray(values) || values.includes(null)) return;
  const message = 'nullable allows null, which enum does not list  expected null in enum';
  reporter.warning(visit, message, { keys: ['enum'] });
}

/** @returns false for a value that is no object or array as its kind demands */
export function hasForm({ kind, node }: Pick<Visit, 'kind' | 'node'>, minor: number): boolean {
  if (kind.is === 'list') return Array.isArray(node);
  if (kind.is !== 'object') return isObject(node);
  if (typeof node === 'boolean') return kind.of === 'Schema' && (minor > 0 || !!kind.orBoolean);
  return isObject(node) || (Array.isArray(node) && kind.orList === true);
}

function isForReaders(kind: FieldKind, minor: number): boolean {
  if (kind.is === 'list' || kind.is === 'map') return isForReaders(kind.of, minor);
  return kind.is === 'object' && objectType(kind.of, minor).isDocumentation;
}

function checkEntries(visit: Visit, of: FieldKind, reporter: Reporter): void {
  if (isStructured(of) || of.is === 'data') return;
  for (const [name, value] of Object.entries(visit.node as Node)) {
    if (isReference(value) || isValid(value, of)) continue;
    reporter.warning(visit, `got ${typeName(value)}  expected ${expectation(of)}`, {
      keys: [name],
    });
  }
}

/** The fields of one object. */
class Fields {
  readonly #visit: Visit;
  readonly #node: Node;
  readonly #type: ObjectType;
  readonly #reporter: Reporter;

  constructor(visit: Visit, type: ObjectType, reporter: Reporter) {
    this.#visit = visit;
    this.#node = visit.node as Node;
    this.#type = type;
    this.#reporter = reporter;
  }

  check(minor: number): void {
    this.#checkRequired();
    this.#checkVariant();
    for (const [field, other] of this.#type.exclusive) {
      if (this.#node[field] === undefined || this.#node[other] === undefined) continue;
      const message = `${other} and ${field} exclude each other  expected one of them`;
      this.#reporter.warning(this.#visit, message, { keys: [other], isKey: true });
    }
    for (const [name, value] of Object.entries(this.#node)) {
      if (!this.#type.fields.has(name) && !name.startsWith('x-')) this.#checkUnknown(name);
      const kind = kindOfProperty(this.#visit, name, minor);
      if (kind !== undefined && value !== undefined) this.#checkValue(name, value, kind, minor);
    }
  }

  #checkRequired(): void {
    const { required, requiredOneOf } = this.#type;
    const isMissing = (field: string) => !Object.hasOwn(this.#node, field);
    for (const field of required.filter(isMissing)) this.#missing(field, 'it here');
    if (requiredOneOf.length === 0 || !requiredOneOf.every(isMissing)) return;
    if (required.some((field) => requiredOneOf.includes(field))) return;
    const [first = '', ...others] = requiredOneOf;
    const last = others.pop();
    this.#missing(first, `${[first, ...others].join(', ')} or ${last}`);
  }

  #missing(field: string, expected: string): void {
    const kind = this.#type.fields.get(field);
    const isNeeded = this.#isNeeded(field);
    const isScalar = isNeeded && kind !== undefined && !isStructured(kind);
    const message = `${field} is missing  expected ${isScalar ? expectation(kind) : expected}`;
    this.#add(message, isNeeded, { isKey: true });
  }

  /** Requests that the service would send depend on nothing but parameters and security schemes. */
  #isNeeded(field: string): boolean {
    const { needed, name } = this.#type;
    return needed.has(field) && !(this.#visit.isOutgoing && name === 'Operation');
  }

  #add(message: string, isError: boolean, at: Parameters<Reporter['error']>[2]): void {
    if (!isError) this.#reporter.warning(this.#visit, message, at);
    else {
      const isMockable = this.#type.name === 'SecurityScheme';
      this.#reporter.error(this.#visit, message, { ...at, isMockable });
    }
  }

  #checkVariant(): void {
    const { variants, fields } = this.#type;
    if (variants === undefined) return;
    const own = Object.hasOwn(variants, this.#node.type) ? variants[this.#node.type]! : [];
    for (const field of own) {
      if (!Object.hasOwn(this.#node, field)) this.#missing(field, 'it here');
    }
    const ofOthers = new Set(Object.values(variants).flat());
    ofOthers.add('bearerFormat').add('oauth2MetadataUrl');
    if (this.#node.type === 'http') ofOthers.delete('bearerFormat');
    if (this.#node.type === 'oauth2') ofOthers.delete('oauth2MetadataUrl');
    for (const field of Object.keys(this.#node)) {
      if (!ofOthers.has(field) || own.includes(field) || !fields.has(field)) continue;
      const message = `${field} is ignored here  expected no such field`;
      this.#reporter.warning(this.#visit, message, { keys: [field], isKey: true });
    }
  }

  #checkUnknown(name: string): void {
    const { others, fields, isDocumentation } = this.#type;
    if (name === '$ref' && typeof this.#node.$ref !== 'string') {
      const isError = !this.#visit.isOutgoing && !this.#visit.isDocumentation && !isDocumentation;
      const message = `got ${typeName(this.#node.$ref)}  expected a URI reference`;
      this.#add(message, isError, { keys: [name] });
      return;
    }
    if (others !== undefined) return;
    const at = { keys: [name], isKey: true };
    if (this.#type.name === 'Schema' && ENFORCED.has(name)) {
      this.#reporter.warning(this.#visit, `${name} ${NOT_OF_VERSION}`, at);
      return;
    }
    const near = nearest(name, [...fields.keys()]).join(' or ');
    const meant = near === '' ? 'a field of the specification or x-…' : near;
    const message = `${name} is unknown here and ignored  expected ${meant}`;
    this.#reporter.warning(this.#visit, message, at);
  }

  #checkValue(field: string, value: unknown, kind: FieldKind, minor: number): void {
    if (isStructured(kind) && kind.is !== 'dependencies') return;
    if (isReference(value)) return;
    const at = { keys: [field] };
    if (this.#type.variants !== undefined && field !== 'type' && !this.#isOfVariant(field)) return;
    if (kind.is === 'strings' && Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (typeof item === 'string') continue;
        const message = `got ${typeName(item)}  expected a string`;
        this.#reporter.warning(this.#visit, message, { keys: [field, String(index)] });
      }
      return;
    }
    if (!isValid(value, kind)) {
      const isNeeded = this.#type.needed.has(field);
      const got = isNeeded ? `${field} is ${shown(value)}` : `got ${typeName(value)}`;
      if (kind.is === 'oneOf' && !isNeeded) this.#unknownValue(field, kind.values);
      else this.#add(`${got}  expected ${expectation(kind)}`, isNeeded, at);
    } else if (kind.is === 'oneOf' && kind.isOpen && !kind.values.includes(String(value))) {
      this.#unknownValue(field, kind.values);
    } else this.#checkVersion(field, value, kind, minor);
  }

  #unknownValue(field: string, values: readonly string[]): void {
    const message = `${field} has an unknown value  expected one of ${values.join(', ')}`;
    this.#reporter.warning(this.#visit, message, { keys: [field] });
  }

  #isOfVariant(field: string): boolean {
    const variants = this.#type.variants!;
    const own = Object.hasOwn(variants, this.#node.type) ? variants[this.#node.type]! : [];
    return own.includes(field) || !Object.values(variants).flat().includes(field);
  }

  /** Values that the engine reads in each version. */
  #checkVersion(field: string, value: unknown, { is }: FieldKind, minor: number): void {
    if (is === 'type' && minor === 0 && (Array.isArray(value) || value === 'null')) {
      this.#unknownValue(field, TYPES.slice(0, -1));
    }
    const isFlag = typeof value === 'boolean';
    const expected = {
      count: typeof value === 'bigint' || Number.isInteger(value) ? undefined : 'an integer',
      exclusive: isFlag === (minor === 0) ? undefined : minor === 0 ? 'a boolean' : 'a number',
    };
    const other = is === 'count' || is === 'exclusive' ? expected[is] : undefined;
    if (other === undefined) return;
    const message = `got ${typeName(value)}  expected ${other}`;
    this.#reporter.warning(this.#visit, message, { keys: [field] });
  }
}

function isValid(value: unknown, kind: FieldKind): boolean {
  switch (kind.is) {
    case 'string':
    case 'uri':
    case 'schemaName':
      return typeof value === 'string';
    case 'name':
    case 'scheme':
      return typeof value === 'string' && value !== '';
    case 'oneOf':
      return kind.isOpen
        ? typeof value === 'string' && value !== ''
        : kind.values.includes(value as string);
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
      return isNumber(value);
    case 'exclusive':
      return isNumber(value) || typeof value === 'boolean';
    case 'count':
      return isNumber(value) && (value as number) >= 0;
    case 'array':
    case 'strings':
      return Array.isArray(value);
    case 'type':
      return [value].flat().every((type) => TYPES.includes(type as string));
    case 'namesByName':
      return isObject(value) && Object.values(value).every(isNames);
    case 'dependencies':
      return (
        isObject(value) &&
        Object.values(value).every((names) => !Array.isArray(names) || isNames(names))
      );
    default:
      return true;
  }
}

function isNumber(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isFinite(value);
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

const EXPECTED: Readonly<Record<string, string>> = {
  ...{ string: 'a string', uri: 'a string', schemaName: 'a string', name: 'a name' },
  scheme: 'bearer, basic or another scheme of HTTP',
  ...{ boolean: 'a boolean', number: 'a number', exclusive: 'a number', array: 'an array' },
  ...{ count: 'a number of 0 or more', strings: 'an array', type: `one of ${TYPES.join(', ')}` },
  ...{ namesByName: 'lists of names by name', dependencies: 'lists of names or schemas by name' },
};

/** @returns the kind as a noun: `a map of Header objects` */
function expectation(kind: FieldKind): string {
  if (kind.is === 'oneOf') return `one of ${kind.values.join(', ')}`;
  if (kind.is === 'object')
    return `${/^(?:[AEIO]|Xml)/.test(kind.of) ? 'an' : 'a'} ${kind.of} object`;
  if (kind.is === 'list' || kind.is === 'map') {
    const of = kind.of.is === 'object' ? `${kind.of.of} objects` : 'strings';
    return kind.is === 'list' ? `a list of ${of}` : `a map of ${of}`;
  }
  return EXPECTED[kind.is] ?? kind.is;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (Number.isInteger(value) || typeof value === 'bigint') return 'an integer';
  return `a ${typeof value}`;
}

/** A value in a message. */
function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? typeName(value) : String(value);
}

/** Of the length of the name, and in all. */
const MAX_DISTANCE = 3;

/** @returns the names that differ from a misspelled one by few letters, the nearest first */
function nearest(name: string, names: readonly string[]): string[] {
  const limit = Math.min(MAX_DISTANCE, Math.floor(name.length / 2));
  const near = names
    .filter((text) => Math.abs(text.length - name.length) <= limit)
    .map((text) => ({ name: text, distance: distanceOf(name.toLowerCase(), text.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((one, other) => one.distance - other.distance);
  return near.filter(({ distance }) => distance === near[0]!.distance).map((each) => each.name);
}

/** The number of letters to add, to remove or to replace. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to++) {
      const replaced = row[to]! + (letter === other[to] ? 0 : 1);
      next.push(Math.min(replaced, row[to + 1]! + 1, next[to]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
