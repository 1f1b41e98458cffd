// The parts of an operation that a request uses: parameters, media types, properties, enum values.
import {
  type Contents,
  type Contract,
  isObject,
  itemsSchemas,
  type Operation,
  otherProperties,
  possibleSchemas,
  type Schema,
} from '@stubwright/contract';
import { type ParameterValues, sentValue, type Where } from '@stubwright/contract/values';

/** The parameters and the body of a request, read by its operation. */
export interface ParsedRequest {
  readonly parameters: ParameterValues;
  readonly parsedBody: { readonly mediaType: string | undefined; readonly value?: unknown };
}

/** Recursive schemas have no end. */
const MAX_DEPTH = 6;
const BODY = 'request body';
/** Of one operation; deeper parts are counted with the parts that contain them. */
const MAX_PARTS = 2_000;

/** Where a part is in a request. */
export interface PartLocation {
  /** `query parameter sort`, `request body` */
  readonly subject: string;
  /** The names of properties; null for each item and each property without a declaration. */
  readonly path: readonly (string | null)[];
  /** Of a request body; undefined for its parts. */
  readonly mediaType?: string;
  /** A value of `enum`. */
  readonly value?: string;
}

export interface RequestPart extends PartLocation {
  /** False for path parameters, media types, items and undeclared properties, which a report of unused parts omits. */
  readonly isOptional: boolean;
}

/** @returns a string that is equal for equal locations only */
export function keyOfPart({ subject, path, mediaType, value }: PartLocation): string {
  return JSON.stringify([subject, path, mediaType, value]);
}

/** The parts of one value: of a parameter, a body, a property or an item. */
interface UsedShape {
  readonly enums: ReadonlyMap<unknown, number>;
  readonly properties: ReadonlyMap<string, Child>;
  /** Items of an array, and properties without a declaration. */
  readonly others: Child | undefined;
}

interface Child {
  readonly index: number;
  readonly shape: UsedShape | undefined;
}

interface ParameterPart extends Child {
  readonly name: string;
  readonly where: Where;
}

/** Compiled once for each operation. */
export class RequestParts {
  /** By index. */
  readonly parts: readonly RequestPart[];
  /** The version of the contract. */
  readonly contract: string;
  /** True if parts within the named ones have no name of their own. */
  readonly isTruncated: boolean;
  readonly #parameters: readonly ParameterPart[];
  /** By media type or range of the contract. */
  readonly #bodies: Contents<Child>;

  constructor(operation: Operation, definition: Contract, version = definition.version ?? '') {
    const compiled = new PartList();
    this.parts = compiled.parts;
    this.contract = version;
    this.#parameters = operation.parameters.flatMap((parameter) => {
      if (parameter.isReserved) return [];
      const { name, in: location, title, schemas } = parameter;
      const at = { subject: title, path: [] };
      const isOptional = location !== 'path';
      const index = compiled.add(at, isOptional);
      const shape = compiled.shape(at, schemas, isOptional);
      const where: Where = location === 'querystring' ? 'query' : location;
      return { name, where, index, shape };
    });
    this.#bodies = operation.request.map(({ schemas }, mediaType) => {
      const at = { subject: BODY, path: [] };
      const index = compiled.add({ ...at, mediaType }, false);
      const shape = compiled.shape(at, schemas, true);
      return { index, shape };
    });
    this.isTruncated = compiled.isTruncated;
  }

  /** @param use receives the index of each part of a request, perhaps more than once */
  forEach(request: ParsedRequest, use: (index: number) => void): void {
    for (const part of this.#parameters) {
      const value = sentValue(request.parameters, part.where, part.name);
      if (value === undefined) continue;
      use(part.index);
      if (part.shape !== undefined) visit(part.shape, value, use);
    }
    const { mediaType, value } = request.parsedBody;
    const body = this.#bodies.select(mediaType)?.content;
    if (body === undefined) return;
    use(body.index);
    if (body.shape !== undefined) visit(body.shape, value, use);
  }
}

function visit(shape: UsedShape, value: unknown, use: (index: number) => void): void {
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

  add(part: PartLocation, isOptional: boolean): number {
    const key = keyOfPart(part);
    const index = this.#indexes.get(key);
    if (index !== undefined) return index;
    this.#indexes.set(key, this.parts.length);
    return this.parts.push({ ...part, isOptional }) - 1;
  }

  /** @param at the location of the value @param schemas that apply to it */
  shape(
    at: PartLocation,
    schemas: readonly Schema[],
    isOptional: boolean,
    depth = 0,
  ): UsedShape | undefined {
    if (schemas.length === 0) return undefined;
    if (depth > MAX_DEPTH || this.parts.length > MAX_PARTS) {
      this.isTruncated = true;
      return undefined;
    }
    const all = [...possibleSchemas(schemas)];
    const enums = new Map(
      all.flatMap(enumOf).map((value) => [value, this.add({ ...at, value }, isOptional)]),
    );
    const child = (name: string | null, inner: readonly Schema[], listed: boolean): Child => {
      const path = { ...at, path: [...at.path, name] };
      const index = this.add(path, listed);
      return { index, shape: this.shape(path, inner, isOptional, depth + 1) };
    };
    const declared = all.flatMap((schema) => [...schema.map('properties')]);
    const properties = new Map(
      Array.from(
        Map.groupBy(declared, ([name]) => name),
        ([name, same]) => {
          const inner = same.map(([, schema]) => schema);
          return [name, child(name, inner, isOptional)];
        },
      ),
    );
    const others = all.flatMap((schema) => [...itemsSchemas(schema), ...otherProperties(schema)]);
    const mayHaveOthers = others.length > 0 || properties.size > 0;
    return {
      enums,
      properties,
      others: mayHaveOthers ? child(null, others, false) : undefined,
    };
  }
}

/** Strings only: other values are rarely names. */
function enumOf({ keywords }: Schema): string[] {
  const listed: unknown[] = Array.isArray(keywords.enum) ? keywords.enum : [];
  return listed.filter((value) => typeof value === 'string');
}
