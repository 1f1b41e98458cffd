// The alternatives of a schema (types, branches, listed values), and the keywords that sampling reads.
import {
  commonTypes,
  type JsonType,
  keywordsOfType,
  propertiesOf,
  type Schema,
  type SchemaModel,
  selectableBy,
  valueKey,
} from '@stubwright/contract';
import type { Random } from './random.ts';

/** Schemas that a value must satisfy together; references and compositions in them are resolved. */
export type Variant = readonly Schema[];

export class Variants {
  readonly #heights = new Heights();

  /** @yields the variants of a conjunction of schemas; with `isLean` the least nested first */
  *of(schemas: readonly Schema[], random: Random, isLean: boolean): Generator<Variant> {
    const order = { random, isLean };
    const selections = schemas.map((schema) => this.#selections(schema, order));
    for (const selected of product(selections)) {
      yield* this.#expand([...selected, ...schemas], [], order);
    }
  }

  /** @returns the schemas that discriminators may select besides the branches of compositions, and none */
  #selections(schema: Schema, { random, isLean }: Order): (readonly Schema[])[] {
    const selectable = selectableBy(schema);
    if (selectable.length === 0) return [[]];
    const branches = schema.conjuncts.flatMap((conjunct) =>
      compositions(conjunct).flatMap((keyword) => conjunct.list(keyword).map(({ ref }) => ref)),
    );
    const targets = selectable.filter(
      (schema) => !branches.includes(schema) && Number.isFinite(this.#heights.of(schema)),
    );
    const ordered = random.fork(schema.pointer).rotate(targets);
    if (isLean) ordered.sort((a, b) => this.#heights.of(a) - this.#heights.of(b));
    return [...ordered.map((schema) => [schema]), []];
  }

  *#expand(pending: readonly Schema[], done: Variant, order: Order): Generator<Variant> {
    const [schema, ...rest] = pending;
    if (schema === undefined) {
      yield done;
      return;
    }
    // A schema without finite values excludes this variant.
    if (!schema.isSynthetic && !Number.isFinite(this.#heights.of(schema))) return;
    if (done.includes(schema)) {
      yield* this.#expand(rest, done, order);
      return;
    }
    const inherited = inheritedDiscriminator(schema, done);
    const choices = [...this.#choices(schema, order), ...inherited];
    for (const chosen of product(choices)) {
      yield* this.#expand([...mandatory(schema), ...chosen, ...rest], [...done, schema], order);
    }
  }

  /** @returns the alternatives of each composition */
  #choices(schema: Schema, order: Order): Alternatives[] {
    const choices: Alternatives[] = compositions(schema).map((keyword) =>
      this.#branches(schema, keyword, order),
    );
    // A schema that overrides the anchor applies wherever it is in scope.
    const targets = schema.dynamicRefs.toReversed();
    if (targets.length > 0) choices.push(targets.map((target) => [target]));
    const condition = schema.child('if');
    if (condition !== undefined) {
      const [then, otherwise] = [schema.child('then'), schema.child('else')];
      const met = then === undefined ? [condition] : [condition, then];
      choices.push([met, otherwise === undefined ? [] : [otherwise], []]);
    }
    for (const dependent of schema.map('dependentSchemas').values())
      choices.push([[dependent], []]);
    return choices;
  }

  #branches(schema: Schema, keyword: Composition, { random, isLean }: Order): Alternatives {
    const branches = random.fork(schema.pointer).rotate(schema.list(keyword));
    const ending = branches.filter((branch) => Number.isFinite(this.#heights.of(branch)));
    if (isLean) ending.sort((a, b) => this.#heights.of(a) - this.#heights.of(b));
    const pinned = ending.map((branch) => [branch, ...discriminating(schema, branch)]);
    const plain = ending.map((schema) => [schema]);
    return {
      *[Symbol.iterator]() {
        yield* pinned;
        yield* plain;
        if (keyword !== 'oneOf') return;
        for (const branch of ending) yield* distinguishing(branch, branches);
      },
    };
  }
}

/** @returns a schema with the discriminator value of a branch */
function discriminating({ model, keywords }: Schema, { ref }: Schema): Schema[] {
  const { propertyName } = keywords.discriminator ?? {};
  if (typeof propertyName !== 'string' || ref === undefined) return [];
  const value = mappedName(keywords, ref) ?? nameOf(ref);
  return [madeOf(model, { [propertyName]: { const: value } })];
}

/**
 * The discriminator of a schema without branches: other schemas include it by `allOf`. The value is that
 * of the including schema, or its own.
 *
 * @param including the schemas of the variant so far, from the outermost
 * @returns the choices with and without the value; none without such a discriminator
 */
function inheritedDiscriminator(schema: Schema, including: Variant): (readonly Schema[])[][] {
  const { model, keywords } = schema;
  const { propertyName } = keywords.discriminator ?? {};
  if (typeof propertyName !== 'string' || compositions(schema).length > 0) return [];
  const named = [...including, schema].filter(({ pointer }) => IS_NAMED.test(pointer));
  const [mapped] = named.flatMap((schema) => mappedName(keywords, schema) ?? []);
  const own = named.find((schema) => schema.ref === undefined);
  const value = mapped ?? (own && nameOf(own));
  if (value === undefined) return [];
  return [[[madeOf(model, { [propertyName]: { const: value } })], []]];
}

const IS_NAMED = /^\/components\/schemas\/[^/]+$/;

function nameOf({ pointer }: Schema): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

function mappedName({ discriminator }: Schema['keywords'], target: Schema): string | undefined {
  const mapping: Record<string, string> = discriminator?.mapping ?? {};
  return Object.keys(mapping).find((name) =>
    [`#${target.pointer}`, nameOf(target)].includes(mapping[name]!),
  );
}

/** Maximum number of ways to violate the other branches. */
const MAX_WAYS = 3;

/** @returns a branch of `oneOf` with properties that violate the other branches, in several ways */
function distinguishing(branch: Schema, branches: readonly Schema[]): Schema[][] {
  const own = new Map(resolvedProperties(branch));
  const others = branches.filter((schema) => schema !== branch);
  const violations = others.map((other) => {
    const differing = resolvedProperties(other).filter(
      ([name, resolvedProperty]) => own.get(name) !== resolvedProperty,
    );
    return differing.toSorted(([a], [b]) => Number(own.has(a)) - Number(own.has(b)));
  });
  const ways = Math.min(MAX_WAYS, Math.max(0, ...violations.map(({ length }) => length)));
  return Array.from({ length: ways }, (_, way) => {
    const violating = violations.flatMap((violation) => {
      const [name, schema] = violation[Math.min(way, violation.length - 1)] ?? [];
      return schema === undefined ? [] : [[name, { [VIOLATES]: schema.pointer }]];
    });
    return [branch, madeOf(branch.model, Object.fromEntries(violating))];
  });
}

/** @returns properties with the target of their references */
function resolvedProperties(schema: Schema): [string, Schema][] {
  return [...propertiesOf(schema)].map(([name, property]) => [name, chainOf(property).at(-1)!]);
}

interface Order {
  readonly random: Random;
  readonly isLean: boolean;
}

/** Schemas to choose from; the last ones of `oneOf` are made when they are read. */
type Alternatives = Iterable<readonly Schema[]>;

/** @yields the Cartesian product of the lists */
function* product(lists: readonly Alternatives[]): Generator<Schema[]> {
  const [first, ...rest] = lists;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const chosen of first) for (const others of product(rest)) yield [...chosen, ...others];
}

const ENDLESS = Number.POSITIVE_INFINITY;

class Heights {
  readonly #heights = new Map<Schema, number>();

  /** @returns the minimum depth; Infinity for a schema without finite values */
  of(schema: Schema): number {
    if (!this.#heights.has(schema)) this.#settle(schema);
    return this.#known(schema);
  }

  #known(schema: Schema): number {
    return this.#heights.get(schema) ?? ENDLESS;
  }

  /** Fixed-point iteration over all reachable schemas, from Infinity downwards. */
  #settle(start: Schema): void {
    const reached = new Set([start]);
    const dependents = new Map<Schema, Schema[]>();
    for (const schema of reached) {
      for (const part of needed(schema)) {
        if (!this.#heights.has(part)) reached.add(part);
        const others = dependents.get(part);
        if (others === undefined) dependents.set(part, [schema]);
        else others.push(schema);
      }
    }
    const pending = [...reached];
    for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
      const height = this.#computed(schema);
      if (this.#heights.has(schema) && height >= this.#known(schema)) continue;
      this.#heights.set(schema, height);
      if (height < ENDLESS) pending.push(...(dependents.get(schema) ?? []));
    }
  }

  #computed(schema: Schema): number {
    if (schema.isNever) return ENDLESS;
    if (mayBeNull(schema) || allowedValues([schema]) !== undefined) return 0;
    return Math.max(
      0,
      ...mandatory(schema).map((schema) => this.#known(schema)),
      ...requiredParts(schema).map((requiredPart) => 1 + this.#known(requiredPart)),
      ...compositions(schema).map((keyword) =>
        Math.min(...schema.list(keyword).map((schema) => this.#known(schema))),
      ),
    );
  }
}

function needed(schema: Schema): Schema[] {
  const branches = compositions(schema).flatMap((keyword) => schema.list(keyword));
  return [...mandatory(schema), ...requiredParts(schema), ...branches];
}

function requiredParts(schema: Schema): Schema[] {
  const { required = [], minItems = 0 } = schema.keywords;
  const properties = schema.map('properties');
  const items = schema.child('items');
  const needsItems = items !== undefined && minItems > schema.list('prefixItems').length;
  return [
    ...required.flatMap((name: string) => properties.get(name) ?? []),
    ...(needsItems ? [items] : []),
  ];
}

/** Keyword of synthetic schemas: the pointer of a schema that the value must violate. */
export const VIOLATES = 'x-violates';

/** @returns a synthetic schema with required properties */
function madeOf(model: SchemaModel, properties: Record<string, object>): Schema {
  return model.synthetic({ properties, required: Object.keys(properties) });
}

export function mayBeNull({ isNullable, types }: Schema): boolean {
  return isNullable || types?.has('null') === true;
}

/** @returns the schema and the chain of its `$ref` targets */
export function chainOf(schema: Schema): Schema[] {
  const chain = new Set([schema]);
  for (const { ref } of chain) if (ref !== undefined) chain.add(ref);
  return [...chain];
}

/** @returns the schemas of `$ref` and `allOf` */
function mandatory(schema: Schema): Schema[] {
  const { ref } = schema;
  return [...(ref === undefined ? [] : [ref]), ...schema.list('allOf')];
}

/** @returns the values of `enum` and `const` that all schemas allow; undefined without these keywords */
export function allowedValues(schemas: readonly Schema[]): readonly unknown[] | undefined {
  const lists = schemas.flatMap(({ keywords }) => [
    ...(Array.isArray(keywords.enum) ? [keywords.enum as unknown[]] : []),
    ...(keywords.const !== undefined ? [[keywords.const as unknown]] : []),
  ]);
  const [first, ...others] = lists.map((list) => new Map(list.map((one) => [valueKey(one), one])));
  if (first === undefined) return undefined;
  return [...first]
    .filter(([key]) => others.every((other) => other.has(key)))
    .map(([, one]) => one);
}

/** @returns the types that all schemas allow, null last */
export function typesOf(schemas: readonly Schema[]): JsonType[] {
  const types = commonTypes(schemas) ?? [...new Set([...schemas.flatMap(impliedTypes), ...ANY])];
  return types.toSorted((a, b) => Number(a === 'null') - Number(b === 'null'));
}

const ANY: readonly JsonType[] = ['string', 'integer', 'boolean', 'object', 'array', 'null'];

const TYPED = (['object', 'array', 'string', 'number'] as const).map(
  (type) => [type, keywordsOfType(type)] as const,
);

/** @returns the types to which the keywords of a schema without `type` apply */
function impliedTypes(schema: Schema): JsonType[] {
  return TYPED.filter(([, keywords]) => keywords.some((keyword) => schema.has(keyword))).map(
    ([type]) => type,
  );
}

/** @returns examples and defaults, without those of a wrong type */
export function writtenValues(schemas: readonly Schema[]): unknown[] {
  const types = typesOf(schemas.filter(({ ref }) => ref === undefined));
  return schemas
    .flatMap(({ keywords }) => [
      ...('example' in keywords ? [keywords.example] : []),
      ...(Array.isArray(keywords.examples) ? keywords.examples : []),
      ...('default' in keywords ? [keywords.default] : []),
    ])
    .filter((value) => types.some((type) => isOfType(value, type)))
    .map((value) => structuredClone(value));
}

function isOfType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value);
    default:
      return typeof value === type || (type === 'number' && typeof value === 'bigint');
  }
}

/** JSON equality; a bigint equals the number of the same value. */
export function same(a: unknown, b: unknown): boolean {
  return valueKey(a) === valueKey(b);
}

export type Composition = 'oneOf' | 'anyOf';

function compositions(schema: Schema): Composition[] {
  return (['oneOf', 'anyOf'] as const).filter((keyword) => schema.has(keyword));
}
