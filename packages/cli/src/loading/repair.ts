// Repairs in memory what violates the specification but has a clear meaning, and warns about it.

import type { Location, Oas3Preprocessor } from '@redocly/openapi-core';
import { COUNTS, isObject, keywordsOfType, type Node } from '@stubwright/contract';

const BOOLEANS = new Set([
  ...['required', 'deprecated', 'nullable', 'readOnly', 'writeOnly', 'uniqueItems', 'explode'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'allowReserved', 'additionalProperties'],
]);
const NUMBERS = new Set<string>([...keywordsOfType('number'), ...COUNTS]);
const REPAIRED_TYPES = new Set(['Schema', 'Parameter', 'Header', 'RequestBody']);

type Warn = (field: string, what: string, expected: string) => void;

export const repair: Oas3Preprocessor = () => ({
  any: {
    enter(node, { type, location, report }) {
      if (!isObject(node)) return;
      const warn: Warn = (field, what, expected) =>
        report({ message: `${what}  expected ${expected}`, location: location.child(field).key() });
      dropNulls(node, type, warn);
      if (REPAIRED_TYPES.has(type.name)) readScalars(node, warn);
      if (type.name === 'Schema') {
        dropRequiredFlag(node, warn);
        readTypes(node, warn);
        readEmptyEnum(node, warn);
      }
      if (type.name === 'RequestBody' && node.content === undefined) {
        node.content = {};
        const message = 'content is missing and read as none  expected an object of media types';
        report({ message, location: (location as Location).key() });
      }
    },
  },
});

/** The type that Redocly normalizes: a function of the value and the key. */
interface NodeType {
  readonly name: string;
  readonly properties: Readonly<Record<string, Typed>>;
  readonly additionalProperties?: Typed;
}
type Typed = NodeType | ((value: unknown, key: string) => unknown) | object | null | undefined;

/** A key without a value is null in YAML; an empty object or array was meant. */
function dropNulls(node: Node, type: NodeType, warn: Warn): void {
  for (const [field, value] of Object.entries(node)) {
    if (value !== null || field.startsWith('x-')) continue;
    const isDeclared = Object.hasOwn(type.properties, field);
    if (!isNamed(isDeclared ? type.properties[field] : type.additionalProperties, field)) continue;
    warn(
      field,
      `${field} is null and read as ${isDeclared ? 'absent' : '{}'}`,
      'an object or list',
    );
    if (isDeclared) delete node[field];
    else node[field] = {};
  }
}

function isNamed(typed: Typed, field: string): boolean {
  const type: unknown = typeof typed === 'function' ? typed({}, field) : typed;
  return isObject(type) && typeof type.name === 'string';
}

function readScalars(node: Node, warn: Warn): void {
  for (const [field, value] of Object.entries(node)) {
    if (typeof value !== 'string') continue;
    if (BOOLEANS.has(field) && /^(?:true|false)$/.test(value)) {
      node[field] = value === 'true';
      warn(field, `${field} is a string and read as ${value}`, 'true or false without quotes');
    } else if (NUMBERS.has(field) && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value)) {
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
