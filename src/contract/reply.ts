// From what a handler returns to the bytes of an answer: checked against the contract, then written
// by a writer compiled from it, so that only declared fields leave.
import fastJson from 'fast-json-stringify';
import { declaredOnly } from './declared.ts';
import type { Definition, Node, Operation, Place } from './definition.ts';
import { stringifyJson } from './json.ts';
import { tellFaults, type ValidateFunction, type Validators } from './validator.ts';

/** What a handler returns, when its type is out of sight. */
export interface HandlerReply {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** An answer, ready to send. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A handler answered what its contract does not declare: a fault of the service. */
export class ReplyFault extends Error {
  override readonly name = 'ReplyFault';
}

interface Writer {
  readonly requiredHeaders: readonly string[];
  readonly type: string | undefined;
  readonly validate: ValidateFunction | undefined;
  readonly stringify: (body: unknown) => string;
}

/** Writes the replies of one contract. */
export class Replies {
  readonly #definition: Definition;
  readonly #validators: Validators;
  readonly #writers = new Map<Operation, Map<number, Writer>>();

  constructor(definition: Definition, validators: Validators) {
    this.#definition = definition;
    this.#validators = validators;
  }

  /** @throws {ReplyFault} when the contract does not declare such an answer for the operation */
  write(operation: Operation, reply: HandlerReply): HttpReply {
    const writer = this.#writerOf(operation, reply.status);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(reply.headers ?? {})) headers[name] = String(value);
    for (const name of writer.requiredHeaders) {
      if (headers[name] === undefined) throw fault(operation, reply, `without header ${name}`);
    }
    if (writer.type === undefined) return { status: reply.status, headers, body: undefined };
    if (writer.validate && !writer.validate(reply.body)) {
      throw fault(operation, reply, tellFaults(writer.validate.errors ?? [], 'body'));
    }
    headers['Content-Type'] = writer.type;
    return { status: reply.status, headers, body: writer.stringify(reply.body) };
  }

  #writerOf(operation: Operation, status: number): Writer {
    const writers = this.#writers.get(operation) ?? new Map<number, Writer>();
    this.#writers.set(operation, writers);
    const writer = writers.get(status) ?? this.#compile(operation, status);
    writers.set(status, writer);
    return writer;
  }

  #compile(operation: Operation, status: number): Writer {
    const response =
      operation.responses.get(String(status)) ??
      operation.responses.get(`${Math.floor(status / 100)}XX`) ??
      operation.responses.get('default');
    if (response === undefined) throw fault(operation, { status }, 'is not declared');
    const [type] = Object.keys(response.node.content ?? {});
    return {
      requiredHeaders: requiredHeaders(this.#definition, response),
      type,
      ...this.#body(response, type),
    };
  }

  #body(response: Place, type: string | undefined): Pick<Writer, 'validate' | 'stringify'> {
    const content =
      type && this.#definition.child(this.#definition.child(response, 'content')!, type);
    if (!content || content.node.schema === undefined) {
      return { validate: undefined, stringify: stringifyJson };
    }
    const schema = this.#definition.step(content, 'schema');
    return {
      validate: this.#validators.at(schema.pointer),
      stringify: writerOf(this.#definition, this.#validators, schema),
    };
  }
}

function fault(operation: Operation, { status }: HandlerReply, what: string): ReplyFault {
  return new ReplyFault(`${operation.operationId} answered ${status}: ${what}`);
}

function requiredHeaders(definition: Definition, response: Place): string[] {
  const headers = definition.child(response, 'headers');
  return Object.keys(headers?.node ?? {}).filter(
    (name) => definition.child(headers!, name)!.node.required === true,
  );
}

function writerOf(definition: Definition, validators: Validators, schema: Place) {
  const shape = shapeOf(definition, schema, []);
  if (shape !== undefined) return fastJson(shape as fastJson.Schema);
  const declared = declaredOnly(definition, validators, schema);
  return (body: unknown) => stringifyJson(declared(body));
}

const SCALARS = new Set(['string', 'integer', 'number', 'boolean', 'null']);
const UNSHAPED = ['anyOf', 'oneOf', 'not', 'if', 'patternProperties', 'prefixItems', '$dynamicRef'];

/**
 * The fields of a schema as fast-json-stringify takes them; what makes a value valid is left out,
 * since the value has been validated. Undefined where the fields depend on the value.
 */
function shapeOf(definition: Definition, place: Place, above: readonly string[]): Node | undefined {
  const { node, pointer } = place;
  if (typeof node !== 'object' || above.includes(pointer)) return undefined;
  if (node.$ref !== undefined) {
    const target = definition.at(definition.schemaPointer(node.$ref, pointer))!;
    return shapeOf(definition, target, [...above, pointer]);
  }
  if (UNSHAPED.some((word) => node[word] !== undefined)) return undefined;
  const inside = [...above, pointer];
  if (node.allOf !== undefined) return mergedShape(definition, place, inside);
  if (node.properties !== undefined) return objectShape(definition, place, inside);
  if (node.nullable === true) return undefined;
  if (SCALARS.has(node.type)) return { type: node.type };
  if (node.type !== 'array' || node.items === undefined) return undefined;
  const items = shapeOf(definition, definition.step(place, 'items'), inside);
  return items && { type: 'array', items };
}

function objectShape(definition: Definition, place: Place, above: readonly string[]) {
  if (place.node.nullable === true || place.node.additionalProperties) return undefined;
  const fields = definition.step(place, 'properties');
  const properties: Node = {};
  for (const name of Object.keys(fields.node)) {
    const field = definition.step(fields, name);
    if (definition.follow(field).node.writeOnly === true) continue;
    const shape = shapeOf(definition, field, above);
    if (shape === undefined) return undefined;
    properties[name] = shape;
  }
  return { type: 'object', properties };
}

function mergedShape(definition: Definition, place: Place, above: readonly string[]) {
  const own = place.node.properties === undefined ? [] : [objectShape(definition, place, above)];
  const list = definition.step(place, 'allOf');
  const members = Object.keys(list.node).map((at) =>
    shapeOf(definition, definition.step(list, at), above),
  );
  const shapes = [...members, ...own];
  if (shapes.some((shape) => shape?.type !== 'object')) return undefined;
  return { type: 'object', properties: Object.assign({}, ...shapes.map((s) => s!.properties)) };
}
