// The parts of an operation that a request uses: parameters, media types, properties, enum values.
import { type Definition, isObject, type Operation } from '../document/definition.ts';
import { matchMediaType, parseMediaType } from '../media/mediaType.ts';
import type { Exchange } from '../request/exchange.ts';
import { isReservedHeader } from '../request/parameters.ts';
import { type Schema, SchemaModel } from '../schema/model.ts';

/** Recursive schemas have no end. */
const MAX_DEPTH = 6;
/** Of one operation; deeper parts are counted with the parts that contain them. */
const MAX_PARTS = 2_000;

export interface RequestPart {
  /** `query parameter sort`, `query parameter sort "age"`, `request body /tag`, `request body /tags/* "a"`. */
  readonly name: string;
  /** False for path parameters, media types, items and undeclared properties, which a report of unused parts omits. */
  readonly isOptional: boolean;
}

/** The parts of one value: of a parameter, a body, a property or an item. */
interface Shape {
  readonly enums: ReadonlyMap<unknown, number>;
  readonly properties: ReadonlyMap<string, Child>;
  /** Items of an array, and properties without a declaration. */
  readonly others: Child | undefined;
}

interface Child {
  readonly index: number;
  readonly shape: Shape | undefined;
}

interface ParameterPart extends Child {
  readonly name: string;
  readonly where: string;
  /** A default looks like a sent value. */
  readonly hasDefault: boolean;
}

/** Compiled once for each operation. */
export class RequestParts {
  /** By index. */
  readonly parts: readonly RequestPart[];
  /** `info.version` */
  readonly contract: string;
  /** True if parts within the named ones have no name of their own. */
  readonly isTruncated: boolean;
  readonly #parameters: readonly ParameterPart[];
  /** By media type or range of the contract. */
  readonly #bodies: ReadonlyMap<string, Child>;

  constructor(operation: Operation, definition: Definition) {
    const model = SchemaModel.of(definition);
    const compiled = new PartList();
    this.parts = compiled.parts;
    this.contract = String(definition.document.info?.version ?? '');
    this.#parameters = operation.parameters.flatMap(({ node, pointer }) => {
      if (isReservedHeader(node)) return [];
      const { name, in: where } = node as { name: string; in: string };
      const subject = `${where} parameter ${name}`;
      const index = compiled.add(subject, where !== 'path');
      const schema = model.at(`${pointer}/schema`);
      const shape = schema && compiled.shape(subject, [schema], where !== 'path');
      const hasDefault = schema?.conjuncts.some(({ keywords }) => keywords.default !== undefined);
      return { name, where, index, shape, hasDefault: hasDefault === true };
    });
    const { requestBody } = operation;
    const contents = requestBody && definition.children(requestBody, 'content');
    this.#bodies = new Map(
      [...(contents ?? [])].map(([type, { pointer }]) => {
        const index = compiled.add(`request body ${type}`, false);
        const schema = model.at(`${pointer}/schema`);
        const shape = schema && compiled.shape('request body', [schema], true);
        return [type, { index, shape }];
      }),
    );
    this.isTruncated = compiled.isTruncated;
  }

  /** @param use receives the index of each part of a request, perhaps more than once */
  forEach(exchange: Exchange, use: (index: number) => void): void {
    for (const part of this.#parameters) {
      const values = exchange.parameters[part.where as 'query'] as Record<string, unknown>;
      const value = values?.[part.name];
      if (value === undefined || (part.hasDefault && !isSent(part, exchange))) continue;
      use(part.index);
      if (part.shape !== undefined) visit(part.shape, value, use);
    }
    const { mediaType, value } = exchange.parsedBody;
    const sent = mediaType === undefined ? undefined : parseMediaType(mediaType);
    const key = sent && matchMediaType(sent, [...this.#bodies.keys()]);
    const body = key === undefined ? undefined : this.#bodies.get(key);
    if (body === undefined) return;
    use(body.index);
    if (body.shape !== undefined) visit(body.shape, value, use);
  }
}

/** False for a parameter whose value is the default. */
function isSent({ name, where }: ParameterPart, { headers, searchParams }: Exchange): boolean {
  if (where === 'query') {
    return [...searchParams.keys()].some((key) => key === name || key.startsWith(`${name}[`));
  }
  if (where === 'header') return headers[name.toLowerCase()] !== undefined;
  if (where !== 'cookie') return true;
  return (headers.cookie ?? '').split(';').some((pair) => pair.trim().startsWith(`${name}=`));
}

function visit(shape: Shape, value: unknown, use: (index: number) => void): void {
  const { enums, properties, others } = shape;
  if (enums.size > 0) {
    const index = enums.get(value);
    if (index !== undefined) use(index);
  }
  if (Array.isArray(value)) {
    if (others === undefined) return;
    for (const item of value) visitChild(others, item, use);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const child = properties.get(name) ?? others;
      if (child !== undefined) visitChild(child, value[name], use);
    }
  }
}

function visitChild({ index, shape }: Child, value: unknown, use: (index: number) => void): void {
  use(index);
  if (shape !== undefined) visit(shape, value, use);
}

class PartList {
  readonly parts: RequestPart[] = [];
  /** Media types of one body share the parts of their schemas. */
  readonly #indexes = new Map<string, number>();
  isTruncated = false;

  add(name: string, isOptional: boolean): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    this.#indexes.set(name, this.parts.length);
    return this.parts.push({ name, isOptional }) - 1;
  }

  /** @param at the name of the value @param schemas that apply to it */
  shape(at: string, schemas: readonly Schema[], isOptional: boolean, depth = 0): Shape | undefined {
    if (depth > MAX_DEPTH || this.parts.length > MAX_PARTS) {
      this.isTruncated ||= schemas.length > 0;
      return undefined;
    }
    const all = schemas.flatMap((each) => withBranches(each));
    const enums = new Map(
      all
        .flatMap((each) => enumOf(each))
        .map((value) => [value, this.add(`${at} ${JSON.stringify(value)}`, isOptional)]),
    );
    const child = (path: string, inner: readonly Schema[], listed: boolean): Child => {
      const index = this.add(path, listed);
      return { index, shape: this.shape(path, inner, isOptional, depth + 1) };
    };
    const declared = new Map<string, Schema[]>();
    for (const each of all) {
      for (const [name, property] of each.map('properties')) {
        declared.set(name, [...(declared.get(name) ?? []), property]);
      }
    }
    const properties = new Map(
      [...declared].map(([name, inner]) => [name, child(pathOf(at, name), inner, isOptional)]),
    );
    const others = all.flatMap((each) => othersOf(each));
    const mayHaveOthers = others.length > 0 || properties.size > 0;
    return {
      enums,
      properties,
      others: mayHaveOthers ? child(pathOf(at, '*'), others, false) : undefined,
    };
  }
}

/** A schema with the alternatives that apply to the same value. */
function withBranches(schema: Schema, seen = new Set<Schema>()): Schema[] {
  return schema.conjuncts.flatMap((part) => {
    if (seen.has(part)) return [];
    seen.add(part);
    const branches = [...part.list('oneOf'), ...part.list('anyOf')];
    return [part, ...branches.flatMap((each) => withBranches(each, seen))];
  });
}

/** Schemas of items, and of properties without a declaration. */
function othersOf(schema: Schema): Schema[] {
  return [
    ...schema.list('prefixItems'),
    ...[schema.child('items'), schema.child('additionalProperties')].flatMap((each) => each ?? []),
    ...schema.map('patternProperties').values(),
  ];
}

/** Strings only: other values are rarely names. */
function enumOf({ keywords }: Schema): unknown[] {
  const listed: unknown[] = Array.isArray(keywords.enum) ? keywords.enum : [];
  return listed.filter((each) => typeof each === 'string');
}

/** `request body` and `a` -> `request body /a` -> `request body /a/b`. */
function pathOf(at: string, name: string): string {
  return `${at}${at.includes(' /') ? '' : ' '}/${name}`;
}
