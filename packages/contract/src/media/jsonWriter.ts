// JSON serializers for the declared properties of a schema: compiled by fast-json-stringify if possible.
import { createRequire } from 'node:module';
import type fastJson from 'fast-json-stringify';
import { memo } from '../document/memo.ts';
import type { Node } from '../document/node.ts';
import { stringifyJson } from '../json/json.ts';
import { selectableBy } from '../schema/discriminator.ts';
import {
  commonTypes,
  isBigint,
  isBinary,
  isHidden,
  type JsonType,
  type Schema,
} from '../schema/model.ts';
import { canGenerateCode } from '../schema/rules/codeGeneration.ts';
import { describeErrors, type Validators } from '../schema/validator.ts';
import { type DeclaredOptions, type DeclaredPart, declaredOnly } from './declaration.ts';

const require = createRequire(import.meta.url);

/** Loaded by the first serializer: with the Ajv that it loads it takes 50 ms of a command that needs none. */
function fastJsonStringify(): typeof fastJson {
  return require('fast-json-stringify');
}

/** Serializes the declared properties of a valid value. @throws {NotSerializable} */
export type Writer = (value: unknown) => string;

/** A valid value that has no serialization, or that is invalid without its undeclared properties. */
export class NotSerializable extends Error {
  override readonly name = 'NotSerializable';
}

/** @returns the JSON serializer of a schema */
export function serializerOf(validators: Validators, schema: Schema): Writer {
  return fastWriter(schema) ?? slowWriter(validators, schema);
}

/** @returns undefined if the declared properties depend on the value */
export function fastWriter(schema: Schema): Writer | undefined {
  const shape = canGenerateCode ? shapeOf([schema], []) : undefined;
  if (shape === undefined) return undefined;
  return hasNumbers(shape) ? exactWriter(shape) : fastJsonStringify()(shape as fastJson.Schema);
}

/** fast-json-stringify serializes `type: number` as a double, and rounds a bigint. */
function exactWriter(shape: Node): Writer {
  const stringify = fastJsonStringify();
  const compiled = stringify(shape as fastJson.AnySchema, { mode: 'debug' });
  // See "Debug Mode" in its README; its types omit the serializer and the parameter of `restore`.
  Object.assign((compiled as unknown as { serializer: object }).serializer, { asNumber: String });
  return stringify.restore(compiled as never) as Writer;
}

export function slowWriter(validators: Validators, schema: Schema): Writer {
  const declaredIn = declaredParts(validators, schema, {});
  return (value) => {
    const { declared, hasBigint } = declaredIn(value);
    // A replacer, which bigints require, takes most of the time.
    return hasBigint ? stringifyJson(declared) : JSON.stringify(declared);
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
      `without what is not declared: ${describeErrors(validate.errorsOf(more.declared), '')}`,
    );
  };
}

/** fast-json-stringify supports at most 100 levels. */
const MAX_DEPTH = 90;
const DEPENDENT = ['minProperties', 'dependentRequired', 'uniqueItems'];
const CHILDREN = [
  ...(['not', 'if', 'contains', 'additionalProperties'] as const),
  ...(['unevaluatedProperties', 'unevaluatedItems'] as const),
] as const;
const LISTS = ['anyOf', 'oneOf', 'prefixItems'] as const;
const MAPS = ['patternProperties', 'dependentSchemas'] as const;
const SCALARS: ReadonlySet<JsonType> = new Set(['string', 'integer', 'number', 'boolean', 'null']);

/**
 * @returns the properties of a value that is valid against all `schemas`, as a schema for
 *   fast-json-stringify without assertions; undefined if they depend on the value
 */
function shapeOf(schemas: readonly Schema[], above: readonly Schema[]): Node | undefined {
  const parts = [...new Set(schemas.flatMap(({ conjuncts }) => conjuncts))];
  if (above.length > MAX_DEPTH) return undefined;
  if (schemas.some((each) => selectableBy(each).length > 0)) return undefined;
  if (parts.some((each) => above.includes(each) || isDependent(each))) return undefined;
  const types = commonTypes(parts) ?? [];
  const [type, ...others] = types.filter((each) => each !== 'null');
  if (type === undefined || others.length > 0) return undefined;
  const shape = shapeOfType(type, parts, [...above, ...parts]);
  return shape && (types.includes('null') ? { ...shape, nullable: true } : shape);
}

function shapeOfType(
  type: JsonType,
  parts: readonly Schema[],
  above: readonly Schema[],
): Node | undefined {
  if (type === 'object') return objectShape(parts, above);
  if (type !== 'array') return { type: parts.some(isBigint) ? 'integer' : type };
  const schemas = parts.flatMap((each) => each.child('items') ?? []);
  const items = schemas.length === 0 ? undefined : shapeOf(schemas, above);
  return items && { type, items };
}

function objectShape(parts: readonly Schema[], above: readonly Schema[]): Node | undefined {
  const schemas = new Map<string, Schema[]>();
  for (const [name, each] of parts.flatMap((part) => [...part.map('properties')])) {
    memo(schemas, name, (): Schema[] => []).push(each);
  }
  const required = parts.flatMap(({ keywords }): string[] => keywords.required ?? []);
  if (schemas.size === 0 || !required.every((name) => schemas.has(name))) return undefined;
  // Generated code would assign the prototype.
  if (schemas.has('__proto__')) return undefined;
  const properties: Node = {};
  for (const [name, each] of schemas) {
    if (each.some((property) => isHidden(property, 'response'))) continue;
    const shape = shapeOf(each, above);
    if (shape === undefined) return undefined;
    properties[name] = shape;
  }
  return { type: 'object', properties };
}

function hasNumbers({ type, properties = {}, items }: Node): boolean {
  const inner = [...Object.values<Node>(properties), ...(items === undefined ? [] : [items])];
  return type === 'number' || inner.some(hasNumbers);
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
