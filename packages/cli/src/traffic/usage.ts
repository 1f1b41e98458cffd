// Which operations, parameters, properties and enum values of a contract recorded requests use.
import {
  type Definition,
  isObject,
  type LocatedNode,
  type Operation,
  type Schema,
  SchemaModel,
} from 'stubwright/contract';
import { type Exchange, isReservedHeader } from 'stubwright/validation';

/** Recursive schemas have no end. */
const MAX_DEPTH = 6;

/** A declared property or enum value of a body or parameter. */
interface Part {
  /** `request body /tag`, `query parameter sort "age"`. */
  readonly name: string;
  isUsed: boolean;
}

export class Usage {
  readonly #definition: Definition;
  readonly #model: SchemaModel;
  /** By operation, then by name. */
  readonly #parts = new Map<Operation, Map<string, Part>>();

  constructor(definition: Definition) {
    this.#definition = definition;
    this.#model = SchemaModel.of(definition);
  }

  /** @param exchange whose parameters and body are read; what is invalid may be missing */
  add(operation: Operation, exchange: Exchange): void {
    const parts = this.#partsOf(operation);
    const query = new URLSearchParams(exchange.queryText);
    for (const { node, pointer } of operation.parameters) {
      const { name, in: where } = node;
      const values = exchange.parameters[where as 'query'] as Record<string, unknown> | undefined;
      // A default is no use.
      const isSent =
        where === 'query'
          ? [...query.keys()].some((key) => key === name || key.startsWith(`${name}[`))
          : where !== 'header' || exchange.headers[String(name).toLowerCase()] !== undefined;
      if (!isSent) continue;
      const subject = `${where} parameter ${name}`;
      use(parts, subject);
      const schema = this.#model.at(`${pointer}/schema`);
      if (schema !== undefined) this.#useIn(parts, subject, schema, values?.[name]);
    }
    const { value } = exchange.parsedBody;
    for (const schema of this.#bodySchemas(operation)) {
      this.#useIn(parts, 'request body', schema, value);
    }
  }

  /** @returns unused operations, then the unused parts of the others */
  unused(): string[] {
    const names = this.#definition.operations.map((each) => [nameOf(each), each] as const);
    return names.flatMap(([name, operation]) => {
      const parts = this.#parts.get(operation);
      if (parts === undefined) return [name];
      const unused = [...parts.values()].filter(({ isUsed }) => !isUsed);
      // The properties of an unused property are not named.
      const outer = unused.filter(
        (each) => !unused.some((other) => other !== each && each.name.startsWith(`${other.name}/`)),
      );
      return outer
        .filter((each) => !outer.some((other) => each.name.startsWith(`${other.name} "`)))
        .map((each) => `${name}  ${each.name}`);
    });
  }

  /** @returns the declared parts, collected at the first request */
  #partsOf(operation: Operation): Map<string, Part> {
    const known = this.#parts.get(operation);
    if (known !== undefined) return known;
    const parts = new Map<string, Part>();
    const add = (name: string) => parts.set(name, { name, isUsed: false });
    for (const { node, pointer } of operation.parameters) {
      if (isReservedHeader(node) || node.in === 'path') continue;
      const subject = `${node.in} parameter ${node.name}`;
      add(subject);
      const schema = this.#model.at(`${pointer}/schema`);
      if (schema !== undefined) this.#declareIn(add, subject, schema, 0);
    }
    for (const schema of this.#bodySchemas(operation)) {
      this.#declareIn(add, 'request body', schema, 0);
    }
    this.#parts.set(operation, parts);
    return parts;
  }

  #bodySchemas({ requestBody }: Operation): Schema[] {
    const contents = requestBody && this.#definition.children(requestBody, 'content').values();
    return [...(contents ?? [])].flatMap(
      ({ pointer }: LocatedNode) => this.#model.at(`${pointer}/schema`) ?? [],
    );
  }

  #declareIn(add: (name: string) => void, at: string, schema: Schema, depth: number): void {
    if (depth > MAX_DEPTH) return;
    for (const part of partsOf(schema)) {
      for (const value of enumOf(part)) add(`${at} ${JSON.stringify(value)}`);
      for (const [name, property] of part.map('properties')) {
        const path = pathOf(at, name);
        add(path);
        this.#declareIn(add, path, property, depth + 1);
      }
      const items = part.child('items');
      if (items !== undefined) this.#declareIn(add, pathOf(at, '*'), items, depth + 1);
    }
  }

  #useIn(parts: Map<string, Part>, at: string, schema: Schema, value: unknown, depth = 0): void {
    if (value === undefined || depth > MAX_DEPTH) return;
    for (const part of partsOf(schema)) {
      if (enumOf(part).includes(value)) use(parts, `${at} ${JSON.stringify(value)}`);
      if (Array.isArray(value)) {
        const items = part.child('items');
        for (const each of items === undefined ? [] : value) {
          this.#useIn(parts, pathOf(at, '*'), items!, each, depth + 1);
        }
      } else if (isObject(value)) {
        for (const [name, property] of part.map('properties')) {
          if (!Object.hasOwn(value, name)) continue;
          use(parts, pathOf(at, name));
          this.#useIn(parts, pathOf(at, name), property, value[name], depth + 1);
        }
      }
    }
  }
}

function nameOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** A schema with the alternatives that apply to the same value. */
function partsOf(schema: Schema, seen = new Set<Schema>()): Schema[] {
  return schema.conjuncts.flatMap((part) => {
    if (seen.has(part)) return [];
    seen.add(part);
    const branches = [...part.list('oneOf'), ...part.list('anyOf')];
    return [part, ...branches.flatMap((each) => partsOf(each, seen))];
  });
}

/** Strings only: other values are rarely names. */
function enumOf({ keywords }: Schema): unknown[] {
  const listed: unknown[] = Array.isArray(keywords.enum) ? keywords.enum : [];
  return listed.filter((each) => typeof each === 'string');
}

/** `request body` and `a` -> `request body /a` -> `request body /a/b`. */
function pathOf(at: string, name: string): string {
  return at.includes(' /') ? `${at}/${name}` : `${at} /${name}`;
}

function use(parts: Map<string, Part>, name: string): void {
  const part = parts.get(name);
  if (part !== undefined) part.isUsed = true;
}
