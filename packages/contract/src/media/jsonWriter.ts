// JSON serializers for the declared properties of a schema.
import { memo } from '../document/memo.ts';
import { setOwn } from '../document/node.ts';
import {
  arrayText,
  digitsOf,
  isUnescaped,
  NotSerializable,
  plainData,
  writeJson,
} from '../json/json.ts';
import { selectableBy } from '../schema/discriminator.ts';
import { commonTypes, isBinary, isHidden, type JsonType, type Schema } from '../schema/model.ts';
import { canGenerateCode } from '../schema/rules/rule.ts';
import { describeErrors, type Validators } from '../schema/validator.ts';
import { type DeclaredOptions, type DeclaredPart, declaredOnly } from './declaration.ts';

/** Serializes the declared properties of plain data: of valid data the text is valid, of all data it is JSON. */
export interface Writer {
  /** @throws {NotSerializable} */
  (value: unknown): string;
  /** As `plainData`; faster for objects without undeclared properties. */
  readonly plain?: (value: unknown) => unknown;
}

/** @returns the JSON serializer of a schema */
export function serializerOf(validators: Validators, schema: Schema): Writer {
  return fastWriter(schema) ?? slowWriter(validators, schema);
}

/** @returns undefined if the declared properties depend on the value */
export function fastWriter(schema: Schema): Writer | undefined {
  return writerOf([schema], []);
}

export function slowWriter(validators: Validators, schema: Schema): Writer {
  const declaredIn = declaredParts(validators, schema, {});
  return (value) => {
    if (value === undefined) throw new NotSerializable('expected a JSON value');
    const { declared, hasBigint } = declaredIn(value);
    return hasBigint ? writeJson(declared) : JSON.stringify(declared);
  };
}

/** @returns a function that removes the undeclared properties of a valid value; it throws NotSerializable */
export function declaredPart(
  validators: Validators,
  schema: Schema,
  options: DeclaredOptions = {},
): (value: unknown) => unknown {
  const declaredIn = declaredParts(validators, schema, options);
  return (value) => declaredIn(value).declared;
}

function declaredParts(
  validators: Validators,
  schema: Schema,
  options: DeclaredOptions,
): (value: unknown) => DeclaredPart {
  const cut = declaredOnly(validators, schema, options);
  const cutByAll = declaredOnly(validators, schema, { ...options, branches: 'all' });
  const validate = validators.at(schema.pointer);
  return (value) => {
    const part = cut(value);
    if (!part.isCut || validate(part.declared)) return part;
    // Removed properties may have distinguished oneOf branches or uniqueItems. Retry with the properties
    // of all branches.
    const more = cutByAll(value);
    if (validate(more.declared)) return more;
    throw new NotSerializable(
      `without undeclared properties: ${describeErrors(validate.errorsOf(more.declared), '')}`,
    );
  };
}

const DEPENDENT = ['minProperties', 'dependentRequired', 'uniqueItems'];
const CHILDREN = [
  ...(['not', 'if', 'contains', 'additionalProperties'] as const),
  ...(['unevaluatedProperties', 'unevaluatedItems'] as const),
] as const;
const LISTS = ['anyOf', 'oneOf', 'prefixItems'] as const;
const MAPS = ['patternProperties', 'dependentSchemas'] as const;
const SCALARS: ReadonlySet<JsonType> = new Set(['string', 'integer', 'number', 'boolean', 'null']);

/**
 * @param above the schemas that contain these
 * @returns the writer of values that are valid against all `schemas`, in the order of the contract; undefined
 *   if the declared properties depend on the value
 */
function writerOf(schemas: readonly Schema[], above: readonly Schema[]): Writer | undefined {
  const parts = [...new Set(schemas.flatMap(({ conjuncts }) => conjuncts))];
  if (schemas.some((schema) => selectableBy(schema).length > 0)) return undefined;
  if (parts.some((part) => above.includes(part) || isDependent(part))) return undefined;
  const types = commonTypes(parts) ?? [];
  const [type, ...others] = types.filter((jsonType) => jsonType !== 'null');
  if (type === undefined || others.length > 0) return undefined;
  const path = [...above, ...parts];
  if (type === 'object') return objectWriter(parts, path);
  if (type === 'array') return arrayWriter(parts, path);
  return type === 'string' ? writeText : writeScalar;
}

/** Writes a value whose type is string; the generated code of its object tests it itself. */
function writeText(value: unknown): string {
  return writeJson(value);
}

/** Writes a number, a bigint or a boolean: V8 inlines a short function. */
function writeScalar(value: unknown): string {
  if (typeof value === 'bigint') return digitsOf(value);
  return typeof value === 'number' && value - value === 0 ? `${value}` : writeJson(value);
}

/** Calls take longer than tests of the type. @returns a condition for a value that is its own copy */
function isPlainCode(write: Writer, value: string): string | undefined {
  if (write === writeText) return `typeof ${value} === 'string'`;
  if (write !== writeScalar) return undefined;
  return `typeof ${value} === 'bigint' || typeof ${value} === 'boolean' || (typeof ${value} === 'number' && ${value} - ${value} === 0)`;
}

function arrayWriter(parts: readonly Schema[], path: readonly Schema[]): Writer | undefined {
  const schemas = parts.flatMap((part) => part.child('items') ?? []);
  const write = schemas.length === 0 ? undefined : writerOf(schemas, path);
  if (write === undefined) return undefined;
  const own = (value: unknown) =>
    Array.isArray(value) ? arrayText(value, write) : writeJson(value);
  return generated(arrayCode, { write, ...SHARED, plain: write.plain ?? plainData }) ?? own;
}

interface WrittenProperty {
  readonly name: string;
  /** The name in JSON, with the colon. */
  readonly start: string;
  /** True for a name that objects inherit. */
  readonly isInherited: boolean;
  readonly write: Writer;
}

function objectWriter(parts: readonly Schema[], path: readonly Schema[]): Writer | undefined {
  const schemas = new Map<string, Schema[]>();
  for (const [name, schema] of parts.flatMap((part) => [...part.map('properties')])) {
    memo(schemas, name, (): Schema[] => []).push(schema);
  }
  const required = parts.flatMap(({ keywords }): string[] => keywords.required ?? []);
  if (schemas.size === 0 || !required.every((name) => schemas.has(name))) return undefined;
  const properties: WrittenProperty[] = [];
  for (const [name, schema] of schemas) {
    if (schema.some((property) => isHidden(property, 'response'))) continue;
    const write = writerOf(schema, path);
    if (write === undefined) return undefined;
    const isInherited = name in Object.prototype;
    properties.push({ name, start: `${JSON.stringify(name)}:`, isInherited, write });
  }
  const own = (value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return writeJson(value);
    return propertiesText(value as Readonly<Record<string, unknown>>, properties);
  };
  const isGenerated = properties.length > 0 && properties.length <= MAX_GENERATED;
  // A literal with `__proto__` would have a prototype.
  if (!isGenerated || properties.some((property) => property.isInherited)) return own;
  const names = properties.map((property) => property.name);
  const inner = properties.flatMap(({ write }, at) => [
    [`write${at}`, write] as const,
    [`plain${at}`, write.plain ?? plainData] as const,
  ]);
  const constants = { ...SHARED, ...Object.fromEntries(inner), names };
  return generated(objectCode(properties), constants) ?? own;
}

function propertiesText(
  value: Readonly<Record<string, unknown>>,
  properties: readonly WrittenProperty[],
): string {
  let text = '';
  for (let at = 0; at < properties.length; at++) {
    const { name, start, isInherited, write } = properties[at]!;
    const inner = value[name];
    if (inner === undefined || (isInherited && !Object.hasOwn(value, name))) continue;
    text += (text === '' ? '{' : ',') + start + write(inner);
  }
  return text === '' ? '{}' : `${text}}`;
}

/** Objects with more properties are written without generated code. */
const MAX_GENERATED = 100;
const SHARED = { plainData, plainOthers, isUnescaped, writeJson };

/**
 * V8 inlines the property reads and calls of generated code: it has seen one kind of value there.
 *
 * @param source of an object with `write` and `plain`, of constants with these names
 * @returns a writer with the same output as the closure; undefined if V8 may not compile strings
 */
function generated(
  source: string,
  constants: Readonly<Record<string, unknown>>,
): Writer | undefined {
  if (!canGenerateCode()) return undefined;
  const { write, plain } = new Function(...Object.keys(constants), `return {${source}};`)(
    ...Object.values(constants),
  );
  return Object.assign(write, { plain });
}

const arrayCode = `
plain(value) {
  if (!Array.isArray(value) || Object.getPrototypeOf(value) !== Array.prototype) return plainData(value);
  if (typeof value.toJSON === 'function') return plainData(value);
  const { length } = value;
  const copy = new Array(length);
  for (let at = 0; at < length; at++) copy[at] = plain(value[at]) ?? null;
  return copy;
},
write(value) {
  if (!Array.isArray(value)) return writeJson(value);
  let text = '[';
  for (let at = 0; at < value.length; at++) text += at === 0 ? write(value[at]) : ',' + write(value[at]);
  return text + ']';
}`;

/** Strings of a contract occur in the source text as JSON only. */
function objectCode(properties: readonly WrittenProperty[]): string {
  const each = (code: (key: string, at: number) => string, delimiter = '\n') =>
    properties.map(({ name }, at) => code(JSON.stringify(name), at)).join(delimiter);
  const copyOf = (at: number) => {
    const condition = isPlainCode(properties[at]!.write, `v${at}`);
    return condition === undefined
      ? `plain${at}(v${at})`
      : `(${condition} ? v${at} : plainData(v${at}))`;
  };
  return `
plain(value) {
  if (typeof value !== 'object' || value === null) return plainData(value);
  if (Object.getPrototypeOf(value) !== Object.prototype || typeof value.toJSON === 'function') {
    return plainData(value);
  }
  let size = 0;
  for (const _ in value) size++;
  ${each((key, at) => `const v${at} = value[${key}]; if (v${at} !== undefined) size--;`)}
  if (size !== 0) return plainOthers(value, names, [${each((_, at) => `v${at}`, ', ')}]);
  if (${each((_, at) => `v${at} !== undefined`, ' && ')}) {
    return {${each((key, at) => `${key}: ${copyOf(at)}`, ', ')}};
  }
  const copy = {};
  ${each((key, at) => `if (v${at} !== undefined) copy[${key}] = ${copyOf(at)};`)}
  return copy;
},
write(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return writeJson(value);
  let text = '';
  ${each((key, at) => `const v${at} = value[${key}];\n${writeCode(properties[at]!, at)}`)}
  return text === '' ? '{}' : text + '}';
}`;
}

/** @returns statements that append a property to `text` */
function writeCode({ start, write }: WrittenProperty, at: number): string {
  const startOf = (end: string) => {
    const [first, next] = ['{', ','].map((delimiter) => JSON.stringify(delimiter + start + end));
    return at === 0 ? first : `(text === '' ? ${first} : ${next})`;
  };
  const other = `if (v${at} !== undefined) text += ${startOf('')} + write${at}(v${at});`;
  if (write !== writeText) return other;
  const condition = `typeof v${at} === 'string' && isUnescaped(v${at})`;
  return `if (${condition}) text += ${startOf('"')} + v${at} + '"';\nelse ${other}`;
}

/** @param values of the properties with these names, which have been read */
function plainOthers(
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
  values: readonly unknown[],
): unknown {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const at = names.indexOf(name);
    setOwn(copy, name, plainData(at < 0 ? value[name] : values[at]));
  }
  return copy;
}

/** True if the declared properties, or the validity without the others, depend on the value. */
function isDependent(schema: Schema): boolean {
  const { keywords, isNever, isNullable, dynamicRefs } = schema;
  const isListed = keywords.enum !== undefined || keywords.const !== undefined;
  const isScalar = [...(schema.types ?? ['object'])].every((type) => SCALARS.has(type as JsonType));
  return (
    isNever ||
    isNullable ||
    isBinary(schema) ||
    dynamicRefs.length > 0 ||
    (isListed && !isScalar) ||
    DEPENDENT.some((keyword) => keywords[keyword] !== undefined) ||
    CHILDREN.some((keyword) => schema.child(keyword)?.isNever === false) ||
    LISTS.some((keyword) => schema.list(keyword).length > 0) ||
    MAPS.some((keyword) => schema.map(keyword).size > 0)
  );
}
