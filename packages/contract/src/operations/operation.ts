// The operations of a contract.

import type { ContractDocument } from '../document/contractDocument.ts';
import { type LocatedNode, unescapeToken } from '../document/node.ts';
import { operationKeys } from '../document/vocabulary.ts';
import type { Schema } from '../schema/model.ts';
import { ContractObject, objectAt } from './contractObject.ts';
import { type Content, contentsOf, Parameter, Response, Responses } from './describedValues.ts';
import { type Idempotency, idempotencyOf, type RequestRate, rateLimitOf } from './extensions.ts';
import type { Contents } from './mediaType.ts';
import { type Pagination, paginationOf } from './pagination.ts';
import { type ServerList, serversAt } from './servers.ts';

/** A Request Body Object. */
export class RequestBody extends ContractObject {
  get isRequired(): boolean {
    return this.node['required'] === true;
  }

  get contents(): Contents<Content> {
    return contentsOf(this.contract, this);
  }
}

/** The schemes and scopes that satisfy an operation together, by name of the scheme. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** An Operation Object with its method, and with what its path item adds. */
class OperationObject extends ContractObject {
  /** In lower case. */
  readonly method: string;
  /** The path item that contains the operation, `$ref` followed. */
  readonly pathItem: ContractObject;
  readonly #holders: readonly LocatedNode[];
  readonly #path: string | undefined;
  #parameters: readonly Parameter[] | undefined;
  #responses: Responses | undefined;

  /**
   * @param items the path items that contain the operation
   * @param path the path template; undefined for webhooks and callbacks
   */
  constructor(
    contract: ContractDocument,
    location: LocatedNode,
    method: string,
    items: readonly LocatedNode[],
    path?: string,
  ) {
    super(contract, location);
    this.method = method;
    this.pathItem = objectAt(contract, ContractObject, items.at(-1)!);
    this.#holders = [location, ...items];
    this.#path = path;
  }

  /** The method of requests: `GET`, or a key of `additionalOperations`; methods are case-sensitive (RFC 9110, section 9.1). */
  get requestMethod(): string {
    const [, additional] = /\/additionalOperations\/([^/]*)$/.exec(this.pointer) ?? [];
    return additional === undefined ? this.method.toUpperCase() : unescapeToken(additional);
  }

  /** The parameters of the operation, then those of its path item that it does not override. */
  get parameters(): readonly Parameter[] {
    this.#parameters ??= this.#readParameters();
    return this.#parameters;
  }

  /** Names of groups of operations. */
  get tags(): readonly string[] {
    const tags: unknown = this.node['tags'];
    return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
  }

  /** The servers of the operation, else of its path item; undefined if those of the contract apply. */
  get servers(): ServerList | undefined {
    return serversAt(this.contract, this.#holders);
  }

  get requestBody(): RequestBody | undefined {
    return this.child(RequestBody, 'requestBody');
  }

  /** The bodies of requests by media type; empty without a request body. */
  get request(): Contents<Content> {
    const { requestBody } = this;
    return contentsOf(this.contract, requestBody);
  }

  get responses(): Responses {
    this.#responses ??= this.#readResponses();
    return this.#responses;
  }

  /** The schemas of parameters and request bodies. */
  get requestSchemas(): readonly Schema[] {
    const ofParameters = this.parameters.flatMap(({ schemas }) => schemas);
    return [...ofParameters, ...this.request.values().flatMap(({ schema }) => schema ?? [])];
  }

  /** The schemas of the headers and bodies of responses. */
  get responseSchemas(): readonly Schema[] {
    return [...this.responses.values()].flatMap(({ schemas }) => schemas);
  }

  /** The first parameter of a name and location applies; path parameters must be in the template. */
  #readParameters(): Parameter[] {
    const names = this.#path === undefined ? undefined : templateNames(this.#path);
    const parameters = new Map<string, Parameter>();
    for (const holder of this.#holders) {
      const list = this.contract.child(holder, 'parameters');
      for (const index of Object.keys(list?.node ?? {})) {
        const parameter = objectAt(this.contract, Parameter, this.contract.child(list!, index)!);
        const key = `${parameter.in} ${parameter.name}`;
        const isNamed = parameter.in !== 'path' || names?.includes(parameter.name) !== false;
        if (isNamed && !parameters.has(key)) parameters.set(key, parameter);
      }
    }
    return [...parameters.values()];
  }

  /** `responses` is optional since OpenAPI 3.1: then any response is valid. */
  #readResponses(): Responses {
    if (this.node['responses'] === undefined && !this.contract.isVersion30) {
      const location = { pointer: `${this.pointer}/responses/default`, node: ANY_RESPONSE };
      return new Responses([['default', new Response(this.contract, location)]]);
    }
    return new Responses(this.map(Response, 'responses'));
  }
}

const ANY_RESPONSE = { description: '', content: { '*/*': {} } };

/** What a contract derives for an operation. */
interface Derived {
  readonly operationId: string;
  readonly path: string;
  readonly security: readonly SecurityRequirement[];
  readonly basePaths: readonly string[];
  readonly errors: readonly string[];
}

/** An operation of `paths`: a handler implements it. */
export class Operation extends OperationObject {
  /** As declared, else derived from method and path; unique. */
  readonly operationId: string;
  /** The path template without query and fragment: `/toys/{id}`. */
  readonly path: string;
  /** The security requirements of the operation, else of the document; one must be satisfied. */
  readonly security: readonly SecurityRequirement[];
  /**
   * The paths of the servers of the operation, else of the path item, else of the document; `''` for
   * none. `{name}` matches one segment.
   */
  readonly basePaths: readonly string[];
  /** Errors that prevent a handler, but not a mock. */
  readonly errors: readonly string[];

  constructor(
    contract: ContractDocument,
    location: LocatedNode,
    method: string,
    items: readonly LocatedNode[],
    derived: Derived,
  ) {
    super(contract, location, method, items, derived.path);
    this.operationId = derived.operationId;
    this.path = barePath(derived.path);
    this.security = derived.security;
    this.basePaths = derived.basePaths;
    this.errors = derived.errors;
  }

  /** `get /toys` */
  get route(): string {
    return `${this.method} ${this.path}`;
  }

  /**
   * The header with the key of a request, under which the service acts once: a header with `x-idempotency`,
   * else `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
   */
  get idempotencyKey(): Parameter | undefined {
    const marked = this.parameters.find(
      (parameter) => parameter.in === 'header' && parameter.field('x-idempotency') !== undefined,
    );
    return marked ?? this.parameter('header', 'Idempotency-Key');
  }

  /** The key under which it runs once, declared by `x-idempotency`; undefined without one. */
  get idempotency(): Idempotency | undefined {
    return idempotencyOf(this.parameters);
  }

  /** How it returns a list in pages: `x-pagination`, else by the usual names; undefined without pages. */
  get pagination(): Pagination | undefined {
    return paginationOf(this, this.node['x-pagination']);
  }

  /** The maximum requests of a caller: `x-rate-limit`; undefined without one. */
  get rateLimit(): RequestRate | undefined {
    return rateLimitOf(this);
  }

  /** @returns the parameter of a location and name; names of headers ignore case */
  parameter(where: string, name: string): Parameter | undefined {
    const isNamed = (parameter: Parameter) =>
      where === 'header'
        ? parameter.name.toLowerCase() === name.toLowerCase()
        : parameter.name === name;
    const isIn = (parameter: Parameter) =>
      parameter.in === where || (parameter.in === 'querystring' && where === 'query');
    return this.parameters.find((parameter) => isIn(parameter) && isNamed(parameter));
  }
}

/** @returns a path without query and fragment, which the specification excludes */
export function barePath(path: string): string {
  return path.replace(/[?#].*$/, '');
}

/** @returns the names of the template expressions of a path, in order */
export function templateNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
}

interface OutgoingName {
  /** The name of the webhook, or of the callback. */
  readonly name: string;
  /** The key of a callback, a runtime expression of its URL; undefined for a webhook. */
  readonly expression: string | undefined;
}

/** A Callback Object of an operation. */
export class CallbackObject extends ContractObject {
  /** The path items by runtime expression. */
  readonly items: ReadonlyMap<string, OutgoingItem>;

  constructor(contract: ContractDocument, location: LocatedNode, name: string) {
    super(contract, location);
    const expressions = this.fields.filter((field) => !field.startsWith('x-'));
    this.items = new Map(
      expressions.map((expression) => {
        const item = contract.child(location, expression)!;
        return [expression, new OutgoingItem(contract, item, { name, expression })];
      }),
    );
  }
}

/** A Path Item Object of `webhooks` or of a callback. */
export class OutgoingItem extends ContractObject {
  /** By method, in lower case. */
  readonly operations: ReadonlyMap<string, OutgoingOperation>;

  constructor(contract: ContractDocument, location: LocatedNode, named: OutgoingName) {
    super(contract, location);
    this.operations = new Map(
      operationKeys(this.node).flatMap(([method, ...keys]) => {
        const operation = contract.descendant(location, keys);
        if (operation === undefined) return [];
        return [[method, new OutgoingOperation(contract, operation, method, location, named)]];
      }),
    );
  }
}

/** An operation of `webhooks` or `callbacks`: the service sends its request. */
export class OutgoingOperation extends OperationObject {
  /** The name of the webhook, or of the callback. */
  readonly name: string;
  /** The key of a callback, a runtime expression of its URL; undefined for a webhook. */
  readonly expression: string | undefined;

  constructor(
    contract: ContractDocument,
    location: LocatedNode,
    method: string,
    item: LocatedNode,
    { name, expression }: OutgoingName,
  ) {
    super(contract, location, method, [item]);
    this.name = name;
    this.expression = expression;
  }
}
