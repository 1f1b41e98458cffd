// The schemas that discriminators select by the value of a property. They never change a validation.
import { memo } from '../document/memo.ts';
import { escapeToken, isObject, isPrimitive, unescapeToken } from '../document/node.ts';
import type { Schema, SchemaModel } from './model.ts';

/** A Discriminator Object that applies to the values of a schema. */
export interface Discriminator {
  /** The schema with the Discriminator Object. */
  readonly holder: Schema;
  readonly propertyName: string;
  /** The schemas by the value of the property: those of `mapping` first. */
  readonly schemas: ReadonlyMap<string, Schema>;
  /** The schema of values without a schema in `schemas` (OpenAPI 3.2, `defaultMapping`). */
  readonly fallback: Schema | undefined;
}

/** The property that names an alternative of `oneOf` or `anyOf`. */
export interface AlternativeKeys {
  readonly property: string;
  /** The indexes of the alternatives by the value of the property. */
  readonly indexes: Readonly<Record<string, number>>;
  /** The index of the alternative for other values. */
  readonly fallback: number | undefined;
}

/** Schemas by their names in components. */
type Components = Map<string, Schema>;

const COMPONENTS = '/components/schemas/';
const NONE: readonly Discriminator[] = [];

const known = new WeakMap<Schema, readonly Discriminator[]>();
const mappings = new WeakMap<Schema, ReadonlyMap<string, Schema | undefined>>();
const hierarchies = new WeakMap<SchemaModel, ReadonlyMap<Schema, Components>>();

/**
 * Returns the discriminators of a schema and of its `$ref` and `allOf`. A value selects the schemas of
 * `mapping`, and by their names in components the branches of `oneOf` and `anyOf`, or without them the schemas
 * that include the schema by `allOf`, directly or through others. If `schema` itself extends the schema with
 * the discriminator, a value selects only schemas that extend `schema` too.
 */
export function discriminatorsOf(schema: Schema): readonly Discriminator[] {
  return known.get(schema) ?? memo(known, schema, () => compiledFor(schema));
}

function compiledFor(schema: Schema): readonly Discriminator[] {
  const holders = schema.conjuncts.filter((conjunct) => propertyOf(conjunct) !== undefined);
  return holders.length === 0 ? NONE : holders.map((holder) => discriminatorOf(holder, schema));
}

/**
 * @returns the schemas that the discriminators of a schema, and of the selected schemas, select for a value;
 *   without those that always apply
 */
export function selectedBy(schema: Schema, value: unknown): readonly Schema[] {
  if (!isObject(value)) return [];
  return targetsFrom(schema, (discriminator) => [
    selected(discriminator, value[discriminator.propertyName]),
  ]);
}

/** @returns the schemas that `selectedBy` may return */
export function selectableBy(schema: Schema): readonly Schema[] {
  return targetsFrom(schema, ({ schemas, fallback }) => [...schemas.values(), fallback]);
}

/** @returns the targets of the discriminators of a schema and of its targets, without those that always apply */
function targetsFrom(
  schema: Schema,
  targetsOf: (discriminator: Discriminator) => readonly (Schema | undefined)[],
): readonly Schema[] {
  if (discriminatorsOf(schema).length === 0) return [];
  const all = new Set([schema]);
  for (const root of all) {
    for (const target of discriminatorsOf(root).flatMap(targetsOf)) {
      if (target !== undefined && !schema.conjuncts.includes(target)) all.add(target);
    }
  }
  all.delete(schema);
  return [...all];
}

/** @returns the keys of `oneOf` or `anyOf` of a schema with a Discriminator Object, for messages */
export function alternativeKeysOf(schema: Schema): AlternativeKeys | undefined {
  const found = discriminatorsOf(schema).find(({ holder }) => holder === schema);
  const lists = [schema.list('oneOf'), schema.list('anyOf')].filter((list) => list.length > 0);
  const [list, other] = lists;
  if (found === undefined || list === undefined || other !== undefined) return undefined;
  const mapped = new Set(Object.keys(schema.keywords.discriminator.mapping ?? {}));
  const indexes = new Map<string, number>();
  const named = new Set<number>();
  const indexOf = (target: Schema | undefined) =>
    list.findIndex(
      (schema) => schema === target || (schema.ref !== undefined && schema.ref === target),
    );
  for (const [name, target] of found.schemas) {
    const index = indexOf(target);
    // The values of `mapping` come first, and replace the names of their schemas.
    if (index < 0 || (named.has(index) && !mapped.has(name))) continue;
    indexes.set(name, index);
    named.add(index);
  }
  const fallback = indexOf(found.fallback);
  return {
    property: found.propertyName,
    indexes: Object.fromEntries(indexes),
    fallback: fallback < 0 ? undefined : fallback,
  };
}

/** Other types than strings are compared as strings (OpenAPI 3.1.1, Discriminator Object). */
function selected({ schemas, fallback }: Discriminator, value: unknown): Schema | undefined {
  return (isPrimitive(value) ? schemas.get(String(value)) : undefined) ?? fallback;
}

function discriminatorOf(holder: Schema, root: Schema): Discriminator {
  const { model, keywords } = holder;
  const { defaultMapping } = keywords.discriminator;
  const extended = extensionsIn(root, holder);
  const isPossible = (target: Schema) =>
    extended.every((schema) => target.conjuncts.includes(schema));
  const schemas = new Map<string, Schema>();
  const add = (value: string, target: Schema | undefined) => {
    if (target !== undefined && !schemas.has(value) && isPossible(target))
      schemas.set(value, target);
  };
  for (const [value, target] of mappedBy(holder)) add(value, target);
  for (const namedBranch of namedBranches(holder)) add(componentName(namedBranch)!, namedBranch);
  // Beside a list of alternatives, what includes the holder is none of them.
  const isListed = holder.has('oneOf') || holder.has('anyOf');
  const hierarchy = isListed ? undefined : hierarchyOf(model).get(holder);
  for (const [name, schema] of hierarchy ?? []) add(name, schema);
  const fallback = targetOf(defaultMapping, holder);
  return {
    holder,
    propertyName: propertyOf(holder)!,
    schemas,
    fallback: fallback && isPossible(fallback) ? fallback : undefined,
  };
}

/** Many schemas may extend one holder with a long mapping. */
function mappedBy(holder: Schema): ReadonlyMap<string, Schema | undefined> {
  return memo(mappings, holder, () => {
    const mapping: unknown = holder.keywords.discriminator.mapping;
    const entries = Object.entries(isObject(mapping) ? mapping : {});
    return new Map(entries.map(([value, to]) => [value, targetOf(to, holder)]));
  });
}

function propertyOf({ keywords: { discriminator } }: Schema): string | undefined {
  const name: unknown = isObject(discriminator) ? discriminator.propertyName : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** @returns the components by which `root` extends `holder` */
function extensionsIn(root: Schema, holder: Schema): readonly Schema[] {
  return root.conjuncts.filter(
    (conjunct) =>
      conjunct !== holder &&
      componentName(conjunct) !== undefined &&
      isExtension(conjunct) &&
      conjunct.conjuncts.includes(holder),
  );
}

/** False for another name of a schema, a `$ref` alone. */
function isExtension(schema: Schema): boolean {
  return schema.list('allOf').length > 0 || schema.map('properties').size > 0;
}

function namedBranches(holder: Schema): Schema[] {
  return [...holder.list('oneOf'), ...holder.list('anyOf')].flatMap(({ ref }) =>
    ref !== undefined && componentName(ref) !== undefined ? [ref] : [],
  );
}

/** @returns the components that include each schema with a discriminator, and that schema itself */
function hierarchyOf(model: SchemaModel): ReadonlyMap<Schema, Components> {
  return memo(hierarchies, model, () => collectHierarchy(model));
}

function collectHierarchy(model: SchemaModel): ReadonlyMap<Schema, Components> {
  const found = new Map<Schema, Components>();
  const { components } = model.definition.document;
  for (const name of Object.keys(components?.schemas ?? {})) {
    const component = model.at(COMPONENTS + escapeToken(name))!;
    for (const conjunct of component.conjuncts) {
      const isHolder = propertyOf(conjunct) !== undefined;
      if (!isHolder || (conjunct !== component && !isExtension(component))) continue;
      memo(found, conjunct, (): Components => new Map()).set(name, component);
    }
  }
  return found;
}

/** A mapping contains a component name or a URI reference; a name takes precedence. */
function targetOf(to: unknown, { model, pointer }: Schema): Schema | undefined {
  if (typeof to !== 'string') return undefined;
  const named = model.at(COMPONENTS + escapeToken(to));
  if (named !== undefined) return named;
  try {
    return model.at(model.definition.schemaPointer(to, pointer));
  } catch {
    // The check of the contract reports it.
    return undefined;
  }
}

function componentName({ pointer }: Schema): string | undefined {
  const name = pointer.startsWith(COMPONENTS) ? pointer.slice(COMPONENTS.length) : '/';
  return name.includes('/') ? undefined : unescapeToken(name);
}
