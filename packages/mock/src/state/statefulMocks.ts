// Mocks with state: an item that was created is found, listed, changed and deleted.

import { createHash } from 'node:crypto';
import {
  type Contract,
  InvalidReply,
  idConflict,
  isJsonMediaType,
  likeType,
  type Operation,
  type Schema,
  unknownId,
} from '@stubwright/contract';
import { jsonPatch, mergePatch } from '@stubwright/contract/patch';
import { declaredOnly, describeErrors, type Validators } from '@stubwright/contract/values';
import { InvalidMock, type MockedExchange, type SelectPage, type ValidMock } from '../mocked.ts';
import { idKeyOf } from '../replies/exchangeValues.ts';
import {
  BOUNDS,
  type Item,
  Items,
  isJsonValue,
  isPlainObject,
  type Properties,
  resourceIn,
} from './items.ts';
import { selectedList } from './selectedList.ts';

type MockReply = ValidMock | InvalidMock;

/** @returns the stateless reply, with the default status or another declared one */
export type StatelessMock = (status?: number) => Promise<MockReply>;

/** A request for an operation with a role. */
interface Turn extends Convention {
  readonly exchange: MockedExchange;
  readonly operation: Operation;
  /** The path of the collection. */
  readonly path: string;
  /** The id in the path of an item. */
  readonly id: string | undefined;
  readonly mock: StatelessMock;
}

/** From a larger number, adding one for each item may not give another. */
const MAX_COUNTED = Number.MAX_SAFE_INTEGER - BOUNDS.items;

/** The items of each service: its options stay the same when its contract is replaced. */
const itemsByOptions = new WeakMap<object, Items>();

/** @param options identify the service */
export function itemsOf(options: object): Items {
  const items = itemsByOptions.get(options) ?? new Items();
  itemsByOptions.set(options, items);
  return items;
}

export class StatefulMocks {
  readonly #validators: Validators;
  readonly #items: Items;
  readonly #conventions: ReadonlyMap<Operation, Convention>;
  readonly #selectPage: SelectPage | undefined;

  /** @param validators for responses */
  constructor(
    definition: Contract,
    validators: Validators,
    items = new Items(),
    selectPage?: SelectPage,
  ) {
    this.#validators = validators;
    this.#items = items;
    this.#selectPage = selectPage;
    this.#conventions = conventionsOf(definition.operations);
  }

  /**
   * Replies with the items that earlier requests created. Each body is valid: an item that does not fit the
   * schema of the response is replaced by a sample, and the `violation` of the exchange describes it.
   *
   * @throws {Problem} 40401 for an unknown item, and 40900 for an id that exists, if the operation declares
   *   the status; otherwise the reply is the stateless one
   */
  async reply(exchange: MockedExchange, mock: StatelessMock): Promise<MockReply> {
    const operation = exchange.operation!;
    const convention = this.#conventions.get(operation);
    if (convention === undefined) return mock();
    const { collection, parameter } = convention;
    const path = collection.replace(/\{([^{}]+)\}/g, (_, name) =>
      encodeURIComponent(String(exchange.parameters.path[name])),
    );
    const id = parameter && String(exchange.parameters.path[parameter]);
    const turn = { ...convention, exchange, operation, path, id, mock };
    switch (convention.role) {
      case 'create':
        return this.#create(turn);
      case 'list':
        return this.#list(turn);
      case 'replace':
        return this.#replace(turn);
      default:
        return this.#ofItem(turn);
    }
  }

  async #create(turn: Turn): Promise<MockReply> {
    const { mock, idName, path, operation } = turn;
    const base = await mock();
    const sent = sentResource(turn, base);
    if (sent === undefined) return base;
    const own = idKeyOf(sent, idName);
    const sample = resourceIn(bodyOf(base), idName)?.resource ?? {};
    const key = own ?? idKeyOf(sample, idName);
    const id = own === undefined ? this.#newId(path, key && sample[key]) : sent[own];
    const isKnown = this.#items.get(path, String(id)) !== undefined;
    if (isKnown && operation.responses.for(409) !== undefined) throw idConflict();
    const assigned = own === undefined ? { [key ?? 'id']: id } : {};
    const item = { collection: path, id: String(id), assigned, body: { ...sent, ...assigned } };
    return this.#located(turn, this.#sent(turn, base, item), item);
  }

  /** Adds the path of a created item as `Location`, where the response declares it. */
  #located({ operation, exchange }: Turn, reply: MockReply, item: Item): MockReply {
    if (reply instanceof InvalidMock) return reply;
    const headers = [...operation.responses.for(reply.status)!.headers];
    const [name, header] = headers.find(([each]) => each.toLowerCase() === 'location') ?? [];
    const value = `${exchange.path}/${encodeURIComponent(item.id)}`;
    const isValid = header?.schema && this.#validators.at(header.schema.pointer);
    if (name === undefined || (isValid && !isValid(value))) return reply;
    return { ...reply, headers: { ...reply.headers, [name]: value } };
  }

  async #list(turn: Turn): Promise<MockReply> {
    const { mock, path, idName } = turn;
    const base = await mock();
    const schema = schemaOf(turn, base);
    if (schema === undefined) return base;
    const kept = this.#items.in(path);
    const selected = await selectedList(bodyOf(base), kept, turn.exchange, this.#selectPage);
    if (selected === undefined) return base;
    const { shape: list, items, total } = selected;
    const isValid = this.#validators.at(schema.pointer);
    const sample = isPlainObject(list.items[0]) ? list.items[0] : {};
    const fits = (part: readonly Properties[]) => isValid(list.with(part, total));
    const whole = items.map((item) => fitted(item, sample, idName, () => true).full);
    // A list of one shows which of the items fit; an array with minItems does not.
    const fitting = fits(whole) ? items : items.filter((_, at) => fits([whole[at]!]));
    let bodies = fitting.map(
      (item) => fitted(item, sample, idName, (each) => isValid(list.with([each], total))).minimal,
    );
    while (bodies.length > 0 && !fits(bodies)) bodies = bodies.slice(0, bodies.length >> 1);
    if (bodies.length < items.length || !fits(bodies)) {
      const shown = fits(bodies) ? `${bodies.length} are sent` : 'a sample is sent';
      this.#note(turn, `${items.length} items do not fit the schema of the list, ${shown}`);
    }
    if (!fits(bodies)) return base;
    const { headers } = base as ValidMock;
    return {
      ...(base as ValidMock),
      ...(selected.headers && { headers: { ...headers, ...selected.headers } }),
      body: this.#pruned(schema, list.with(bodies, total)),
    };
  }

  async #replace(turn: Turn): Promise<MockReply> {
    const { mock, path, idName, operation } = turn;
    const probe = await mock();
    const sent = sentResource(turn, probe);
    const key = idKeyOf(sent, idName);
    const id = turn.id ?? (key && String(sent![key]));
    if (sent === undefined || id === undefined) return probe;
    const known = this.#items.get(path, id);
    const mayCreate = turn.parameter !== undefined && this.#mayCreate(operation);
    if (known === undefined && !mayCreate) return missing(turn, probe);
    const isNew = known === undefined && operation.responses.has('201');
    const base = isNew ? await mock(201) : probe;
    const { assigned = {} } = known ?? {};
    const body = { ...assigned, ...sent };
    return this.#sent(turn, base, { collection: path, id, assigned, body });
  }

  /** False for an operation that declares 404, and not 201: the item must exist. */
  #mayCreate({ responses }: Operation): boolean {
    return responses.has('201') || !responses.has('404');
  }

  /** Reads, changes or removes an item. */
  async #ofItem(turn: Turn): Promise<MockReply> {
    const { mock, path, role } = turn;
    const base = await mock();
    const item = this.#items.get(path, turn.id!);
    if (item === undefined) return missing(turn, base);
    if (role === 'remove') {
      this.#items.delete(path, turn.id!);
      return this.#shown(turn, base, item);
    }
    if (role === 'read') return this.#shown(turn, base, item);
    const body = patchedBody(item, turn, base);
    if (body === undefined) return this.#shown(turn, base, item);
    return this.#sent(turn, base, { ...item, body });
  }

  /** Keeps an item, with the properties that its response adds. */
  #sent(turn: Turn, base: MockReply, item: Item): MockReply {
    const reply = this.#shown(turn, base, item);
    const { resource = {} } = resourceIn(bodyOf(reply), turn.idName) ?? {};
    const added = Object.entries(resource).filter(([name]) => !Object.hasOwn(item.body, name));
    const fits = turn.exchange.violation === undefined;
    const assigned = { ...item.assigned, ...(fits && Object.fromEntries(added)) };
    this.#items.set({ ...item, assigned, body: { ...assigned, ...item.body } });
    return reply;
  }

  /** @returns the reply with an item instead of its sample, if the item fits the schema */
  #shown(turn: Turn, base: MockReply, item: Item): MockReply {
    const schema = schemaOf(turn, base);
    const shape = resourceIn(bodyOf(base), turn.idName);
    if (schema === undefined || shape === undefined) return base;
    const validate = this.#validators.at(schema.pointer);
    const isValid = (resource: Properties) => validate(shape.with(resource));
    const whole = fitted(item, shape.resource, turn.idName, isValid);
    // A property that one response has assigned may not fit another.
    const own = isValid(whole.minimal)
      ? whole
      : fitted(withoutAssigned(item), shape.resource, turn.idName, isValid);
    if (isValid(own.minimal)) {
      return { ...(base as ValidMock), body: this.#pruned(schema, shape.with(own.minimal)) };
    }
    const errors = describeErrors(validate.errorsOf(shape.with(whole.full)), '');
    this.#note(
      turn,
      `the item does not fit the schema of the response, a sample is sent: ${errors}`,
    );
    return base;
  }

  /** A schema without additional properties is valid for the declared part only. */
  #pruned(schema: Schema, body: unknown): unknown {
    return declaredOnly(this.#validators, schema)(body).declared;
  }

  /** @returns the sample, or another value of its type, that no item has */
  #newId(path: string, sample: unknown): unknown {
    const isTaken = (id: unknown) => this.#items.get(path, String(id)) !== undefined;
    if (typeof sample === 'string') {
      let [id, count] = [sample, 0];
      while (isTaken(id)) id = uuidOf(`${sample} ${++count}`);
      return id;
    }
    const isCounted = typeof sample === 'number' && sample >= 0 && sample < MAX_COUNTED;
    let id: bigint | number = isCounted ? sample : 1;
    if (typeof sample === 'bigint') id = sample >= 0n ? sample : 1n;
    while (isTaken(id)) id++;
    return id;
  }

  #note({ exchange, operation, path, id }: Turn, text: string): void {
    const name = id === undefined ? path : `${path}/${id}`;
    exchange.violation = new InvalidReply(`${operation.operationId}: ${name}: ${text}`);
  }
}

/** @returns the schema of a JSON body of a reply; undefined for other bodies */
function schemaOf({ operation }: Turn, base: MockReply): Schema | undefined {
  if (base instanceof InvalidMock || !isJsonMediaType(base.type)) return undefined;
  return operation.responses.for(base.status)!.contents.select(base.type)?.content.schema;
}

function withoutAssigned({ id, body, assigned }: Item): Pick<Item, 'id' | 'body'> {
  const own = Object.entries(body).filter(([name]) => !Object.hasOwn(assigned, name));
  return { id, body: Object.fromEntries(own) };
}

/** @returns a UUID of version 8 (RFC 9562), the same for the same seed */
function uuidOf(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-8$3-8$4-$5');
}

/** @throws {Problem} 40401 if the operation declares 404 */
function missing({ operation: { responses } }: Turn, base: MockReply): MockReply {
  if (responses.for(404) !== undefined) throw unknownId();
  return base;
}

/** Maximum number of properties of a sample that are omitted one by one. */
const MAX_PROPERTIES = 50;

/** An item for one response. */
export interface Fitted {
  /** With all properties of the sample that the item lacks. */
  readonly full: Properties;
  /** Without those that the schema does not require. */
  readonly minimal: Properties;
}

/**
 * @param sample a valid resource
 * @param idName the name of the path parameter of an item
 */
export function fitted(
  { body, id }: Pick<Item, 'body' | 'id'>,
  sample: Properties,
  idName: string,
  isValid: (resource: Properties) => boolean,
): Fitted {
  const key = idKeyOf(sample, idName);
  const isMissing = key !== undefined && !Object.hasOwn(body, key);
  const own = isMissing ? { [key]: likeType(id, sample[key]), ...body } : body;
  const full: Properties = { ...sample, ...own };
  if (isValid(own)) return { full, minimal: own };
  let minimal = full;
  const extra = Object.keys(sample).filter((name) => !Object.hasOwn(own, name));
  for (const name of isValid(full) ? extra.slice(0, MAX_PROPERTIES) : []) {
    const { [name]: _, ...less } = minimal;
    if (isValid(less)) minimal = less;
  }
  return { full, minimal };
}

/**
 * @param base a response with a resource has it in an envelope as well
 * @returns the resource in the body of a request; undefined for a body that is no object, or has parts that
 *   JSON cannot represent
 */
function sentResource({ exchange, idName }: Turn, base: MockReply): Properties | undefined {
  const { parsedBody } = exchange;
  if (parsedBody.mediaType === undefined || parsedBody.isStream) return undefined;
  const body = parsedBody.coerced();
  if (!isPlainObject(body) || !isJsonValue(body)) return undefined;
  const names = Object.keys(body);
  const isBare = resourceIn(bodyOf(base), idName)?.isEnvelope === false;
  const shape = names.length === 1 && !isBare ? resourceIn(body, idName) : undefined;
  return { ...(shape?.resource ?? body) };
}

function bodyOf(reply: ValidMock | InvalidMock): unknown {
  return reply instanceof InvalidMock ? undefined : reply.body;
}

/**
 * @returns the body of the item with the changes of a request; undefined for a body that changes nothing
 * @throws {Problem} the errors of a JSON patch
 */
function patchedBody(item: Item, turn: Turn, base: MockReply): Properties | undefined {
  const { exchange } = turn;
  const { mediaType, isStream } = exchange.parsedBody;
  if (mediaType?.startsWith('application/json-patch') && !isStream) {
    const body = jsonPatch(item.body, exchange.parsedBody.coerced());
    return isPlainObject(body) ? body : undefined;
  }
  const patch = sentResource(turn, base);
  if (patch === undefined) return undefined;
  const removesNull = mediaType?.startsWith('application/merge-patch');
  return mergePatch(item.body, patch, removesNull ? 'remove' : 'keep') as Properties;
}

export type Role = 'create' | 'list' | 'read' | 'replace' | 'change' | 'remove';

export interface Convention {
  readonly role: Role;
  /** The path template of the collection. */
  readonly collection: string;
  /** The path parameter that identifies an item; undefined on the path of a collection. */
  readonly parameter: string | undefined;
  /** The same parameter, also on the path of the collection; `id` if no operation has the path of an item. */
  readonly idName: string;
}

const OF_ITEM: Readonly<Record<string, Role>> = {
  get: 'read',
  put: 'replace',
  patch: 'change',
  delete: 'remove',
};
/** The body of PUT has the id. */
const OF_COLLECTION: Readonly<Record<string, Role>> = {
  get: 'list',
  post: 'create',
  put: 'replace',
};
const ITEM_PATH = /^(.*)\/\{([^{}/]+)\}$/;

/** @returns the operations that have a role, of collections that a request can add an item to */
export function conventionsOf(operations: readonly Operation[]): Map<Operation, Convention> {
  const idNames = new Map<string, string>();
  for (const { path } of operations) {
    const [, collection, name] = ITEM_PATH.exec(path) ?? [];
    if (collection !== undefined && !idNames.has(collection)) idNames.set(collection, name!);
  }
  const all = new Map<Operation, Convention>();
  for (const operation of operations) {
    const { path, method } = operation;
    const [, collection = path, parameter] = ITEM_PATH.exec(path) ?? [];
    const role = parameter === undefined ? OF_COLLECTION[method] : OF_ITEM[method];
    const idName = parameter ?? idNames.get(path) ?? 'id';
    if (role !== undefined) all.set(operation, { role, collection, parameter, idName });
  }
  const roles = new Map<string, Set<Role>>();
  for (const { collection, role, parameter } of all.values()) {
    const own = roles.get(collection) ?? new Set();
    // PUT on the path of an item can add it, PUT on the path of the collection only replaces it.
    roles.set(collection, parameter === undefined && role === 'replace' ? own : own.add(role));
  }
  // Another operation must return the item.
  const isKept = ({ collection }: Convention) => {
    const own = roles.get(collection)!;
    return (own.has('create') || own.has('replace')) && (own.has('read') || own.has('list'));
  };
  return new Map([...all].filter(([, convention]) => isKept(convention)));
}
