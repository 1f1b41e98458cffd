// The documented requests of a contract, and where later requests take their values from.
import {
  type Content,
  type Contents,
  type Contract,
  escapeToken,
  isHidden,
  isJsonMediaType,
  isObject,
  type Operation,
  parseJsonText,
  propertiesOf,
  type Schema,
  templateNames,
} from '@stubwright/contract';
import { multipartOf, RequestWriter, Validators } from '@stubwright/contract/values';
import { type ExampleRequest, ExampleRequests, idKeyOf } from '@stubwright/mock';
import { Samples } from '@stubwright/mock/samples';
import type { ReleasedRequest, ValueSource } from '@stubwright/traffic';

type Values = Record<string, ValueSource>;

/** The name of a property or a query parameter that refers to a resource: `orderId`. */
const REFERENCE = /.id$/i;

export class ValueSources {
  readonly #definition: Contract;
  /** By operation, then by runtime expression: `$request.path.orderId`. */
  readonly #links = new Map<Operation, Values>();
  /** By the name of a path parameter. */
  readonly #resources = new Map<string, ValueSource>();
  readonly #posts: readonly Operation[];
  /** The operations whose responses have a property, by its name. */
  readonly #namesakes = new Map<string, Operation[]>();

  constructor(definition: Contract) {
    this.#definition = definition;
    this.#posts = definition.operations.filter(({ method }) => method === 'post');
    for (const post of this.#posts) {
      for (const [name, property] of propertiesOf(replyOf(post))) {
        if (!REFERENCE.test(name) && !isHidden(property, 'request')) continue;
        this.#namesakes.set(name, [...(this.#namesakes.get(name) ?? []), post]);
      }
    }
    for (const operation of definition.operations) this.#addLinks(operation);
    for (const operation of definition.operations) {
      for (const name of templateNames(operation.path)) {
        const source = this.#resources.has(name) ? undefined : this.#creation(operation, name);
        if (source !== undefined) this.#resources.set(name, source);
      }
    }
  }

  /** @returns the sources of the values of a request, by runtime expression */
  of(operation: Operation, request: ReleasedRequest): Values {
    const { path, params = { path: {} } } = request;
    const linked = this.#links.get(operation) ?? {};
    const values: Values = {};
    const add = (target: string, source: ValueSource | undefined) => {
      const found = linked[target] ?? source;
      if (found !== undefined && found.operationId !== operation.operationId)
        values[target] = found;
    };
    for (const name of Object.keys(params.path)) {
      add(`$request.path.${name}`, this.#creation(operation, name));
    }
    const query = [...new URLSearchParams(path.split('?')[1]).keys()];
    for (const target of Object.keys(linked)) {
      if (target.startsWith('$request.query.')) add(target, undefined);
    }
    for (const name of query) add(`$request.query.${name}`, this.#referenced(name));
    for (const [pointer, name] of referencesIn(jsonBodyOf(request))) {
      add(`$request.body#${pointer}`, this.#referenced(name));
    }
    return values;
  }

  #referenced(name: string): ValueSource | undefined {
    return REFERENCE.test(name) ? this.#resources.get(name) : undefined;
  }

  #addLinks(operation: Operation): void {
    for (const [status, response] of operation.responses) {
      if (!/^2/.test(status)) continue;
      for (const link of response.links.values()) {
        const target = this.#definition.targetOf(link);
        if (target === undefined) continue;
        const values = this.#links.get(target) ?? {};
        for (const [name, expression] of Object.entries(link.parameters)) {
          const [, where, bare] = /^(?:(path|query)\.)?(.*)$/.exec(name) as string[];
          const declared = target.parameters.find((parameter) => parameter.name === bare);
          const key = `$request.${where ?? declared?.in}.${bare}`;
          values[key] ??= { operationId: operation.operationId, expression: String(expression) };
        }
        this.#links.set(target, values);
      }
    }
  }

  /**
   * Finds the POST that creates the resource of a path parameter: `/orders` for `/orders/{orderId}`, else
   * `/customers/{id}/orders`, else one whose response has a property of that name.
   */
  #creation(operation: Operation, name: string): ValueSource | undefined {
    const [collection = ''] = operation.path.split(`/{${name}}`);
    const [segment] = /\/[^/{}]+$/.exec(collection) ?? [];
    const isOther = (each: Operation) => each !== operation;
    const posts = this.#posts.filter(isOther);
    const creator =
      posts.find(({ path }) => path === collection) ??
      (segment && posts.find(({ path }) => path.endsWith(segment)));
    if (creator) {
      return { operationId: creator.operationId, expression: this.#expression(creator, name) };
    }
    const namesake = this.#namesakes.get(name)?.find(isOther);
    if (namesake === undefined) return undefined;
    const expression = `$response.body#/${escapeToken(name)}`;
    return { operationId: namesake.operationId, expression };
  }

  /** Without a property of that name, the location of the new resource ends with its id. */
  #expression(creator: Operation, name: string): string {
    const inReply = idPointer(replyOf(creator), name);
    if (inReply !== undefined) return `$response.body#${inReply}`;
    const headers = [...(creator.responses.success?.headers.keys() ?? [])];
    const hasLocation = headers.some((header) => /^location$/i.test(header));
    const sent = hasLocation ? undefined : idPointer(jsonSchema(creator.request), name);
    return sent === undefined ? '$response.header.Location' : `$request.body#${sent}`;
  }
}

function replyOf({ responses }: Operation): Schema | undefined {
  return jsonSchema(responses.success?.contents);
}

function jsonSchema(contents: Contents<Content> | undefined): Schema | undefined {
  return contents?.entries.find(({ key }) => isJsonMediaType(key))?.content.schema;
}

/** @returns the pointer of the property that identifies a resource, also in an envelope: `/data/id` */
function idPointer(schema: Schema | undefined, name: string, depth = 0): string | undefined {
  const properties = propertiesOf(schema);
  const shape = Object.fromEntries([...properties.keys()].map((key) => [key, null]));
  const key = idKeyOf(shape, name) ?? idKeyOf(shape, 'id');
  if (key !== undefined) return `/${escapeToken(key)}`;
  if (depth > 0) return undefined;
  for (const [envelope, property] of properties) {
    const inner = idPointer(property, name, depth + 1);
    if (inner !== undefined) return `/${escapeToken(envelope)}${inner}`;
  }
  return undefined;
}

function jsonBodyOf({ headers, body = [] }: ReleasedRequest): unknown {
  const [part] = body;
  const type = Object.entries(headers).find(([name]) => /^content-type$/i.test(name))?.[1];
  if (body.length !== 1 || typeof part !== 'string' || !isJsonMediaType(type ?? ''))
    return undefined;
  return parseJsonText(part);
}

/** @returns the pointers and names of the properties that are no objects and no arrays */
function referencesIn(value: unknown, pointer = ''): [pointer: string, name: string][] {
  if (!Array.isArray(value) && !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const at = `${pointer}/${escapeToken(name)}`;
    return typeof each === 'object' && each !== null ? referencesIn(each, at) : [[at, name]];
  });
}

export interface Documented {
  /** `getToy tagged`; `getToy` without named examples of the body. */
  readonly name: string;
  readonly request: ReleasedRequest;
}

/** Fixed: the same contract has the same release. */
const BOUNDARY = 'stubwright-release-boundary';

export class DocumentedRequests {
  readonly #requests: ExampleRequests;
  readonly #writer: RequestWriter;

  constructor(definition: Contract) {
    const validators = new Validators(definition, 'request');
    this.#requests = new ExampleRequests(definition, validators, new Samples(validators));
    this.#writer = new RequestWriter(validators);
  }

  /** @throws {NoSample} if no valid value is found for a required part of a request */
  async of(operation: Operation): Promise<Documented[]> {
    const { operationId, method } = operation;
    const example = this.#requests.of(operation, 'TOKEN');
    const { headers, body } = example;
    const base = { operationId, method, ...pathOf(operation, example), headers };
    const recorded = async (sent: string | FormData | undefined, status: number) => ({
      ...base,
      ...(await bodyOf(sent, headers)),
      status,
    });
    const examples = namedExamples(operation.request);
    if (examples.size === 0) {
      return [{ name: operationId, request: await recorded(body, successOf(operation)) }];
    }
    const requests = [...examples].map(async ([name, value]): Promise<Documented> => {
      const written = this.#writer.body(operation, value)?.body;
      const status = statusWithExample(operation, name) ?? successOf(operation);
      return { name: `${operationId} ${name}`, request: await recorded(written, status) };
    });
    return Promise.all(requests);
  }
}

/** @returns the body, and with a form also its Content-Type */
async function bodyOf(
  sent: string | FormData | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Pick<ReleasedRequest, 'headers' | 'body'>> {
  if (!(sent instanceof FormData)) return { headers, ...(sent !== undefined && { body: [sent] }) };
  const form = multipartOf(sent, BOUNDARY);
  return { headers: { ...headers, 'Content-Type': form.type }, body: [await form.text()] };
}

/** Path parameters as the generated types have them, if they are strings and numbers. */
function pathOf(
  { path }: Operation,
  { target, pathValues }: ExampleRequest,
): Pick<ReleasedRequest, 'path' | 'params'> {
  if (target === path) return { path };
  const values = Object.entries(pathValues).map(([name, value]) => [name, typedValue(value)]);
  if (values.some(([, value]) => value === undefined)) return { path: target };
  const [, query] = /^[^?]*(.*)$/s.exec(target)!;
  return {
    path: path + query,
    ...(values.length > 0 && { params: { path: Object.fromEntries(values) } }),
  };
}

/** @returns the value in a JSON file: a large integer is a string */
function typedValue(value: unknown): string | number | undefined {
  if (typeof value !== 'bigint') {
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  }
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

/** @returns the values of named examples, of the media type that a client prefers */
export function namedExamples(contents: Contents<Content>): Map<string, unknown> {
  const { key, content } = contents.preferred ?? {};
  const values = new Map<string, unknown>();
  for (const example of content?.examples ?? []) {
    const read = example.read(key);
    if (example.name !== undefined && read !== undefined) values.set(example.name, read.value);
  }
  return values;
}

function statusWithExample({ responses }: Operation, name: string): number | undefined {
  const found = [...responses].find(([, { contents }]) => namedExamples(contents).has(name));
  return found === undefined ? undefined : Number(found[0]);
}

function successOf({ responses }: Operation): number {
  const status = [...responses.keys()].find((key) => /^2\d\d$/.test(key));
  return Number(status ?? 200);
}
