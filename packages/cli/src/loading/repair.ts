// Repairs in memory what violates the specification but has a clear meaning, and warns about it.
import { isObject, type Node } from '@stubwright/contract';
import { Reporter, type ReportIssue } from './findings.ts';
import { isStructured, kindOfProperty, objectTypeOf, type Visit } from './walk.ts';

type Warn = (field: string, what: string, expected: string) => void;

/** Their values may be in quotes. */
const WITH_SCALARS = new Set(['Schema', 'Parameter', 'Header', 'RequestBody']);

export function repair(visit: Visit, minor: number, report: ReportIssue): void {
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
