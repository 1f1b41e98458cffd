// Checks the converters of a served version: samples go to the newer contract and back.
import {
  escapeToken,
  hiddenNames,
  InvalidReply,
  isObject,
  type Operation,
  type Parameter,
  type Position,
  Problem,
  propertiesOf,
  type Schema,
  stringifyJson,
  unescapeToken,
} from '@stubwright/contract';
import { concreteType, credentialsFor, multipartOf } from '@stubwright/contract/values';
import { createMocks, ExampleRequests, type GivenValues, type Mocks } from '@stubwright/mock';
import { InvalidMock } from '@stubwright/mock/mocked';
import { receivedRequest, type SentRequest } from '@stubwright/traffic';
import { conversionsOf, operationPairs } from '@stubwright/versions';
import { type HandlerReply, RequestCheck } from 'stubwright/internals';
import { type ConverterPlan, converterPlan, missingConverters } from './converterPlan.ts';
import { type OlderResponse, OlderService, type VersionPair } from './olderService.ts';
import { isHiddenAt, RoundTripValues } from './roundTripValues.ts';

/** How the converters break a client. The position is that of the older contract. */
export interface RoundTripFinding {
  readonly rule: 'converter-missing' | 'converted-request' | 'converted-reply' | 'round-trip';
  readonly version: string;
  /** The operationId of the older contract; null for a finding of a component. */
  readonly operationId: string | null;
  readonly message: string;
  /** The value, as JSON; null without one. */
  readonly example: string | null;
  readonly position: Position | undefined;
}

/** The result for a version: its clients get what its contract declares, unless there are findings. */
export interface RoundTrips {
  readonly version: string;
  /** The version that it converts to. */
  readonly next: string;
  /** The number of sample requests of the older contract. */
  readonly requests: number;
  /** The number of sample replies of the newer contract. */
  readonly replies: number;
  /** The number of values that were compared after they came back. */
  readonly values: number;
  readonly findings: readonly RoundTripFinding[];
}

/** Of one rule and operation; the others usually have the same causes. */
const MAX_PER_OPERATION = 3;
const MAX_EXAMPLE = 300;
const BOUNDARY = 'stubwright-sample-boundary';
/** The engine of the older version has these of its own, before a converter is called. */
const OF_ENGINE = new Set([400, 401, 403, 405, 406, 413, 415, 429, 500, 503]);

/**
 * @param positionOf a JSON pointer into the older contract
 * @param onOperation called before each operation of the older contract
 * @throws {ContractErrors} for converters that do not fit
 */
export async function roundTripsOf(
  pair: VersionPair,
  positionOf: (pointer: string) => Position | undefined,
  onOperation: () => void = () => {},
): Promise<RoundTrips> {
  const service = await OlderService.open(pair);
  const plan = converterPlan(pair.older, pair.newer);
  const trips = new Trips(pair, { plan, service, positionOf, onOperation });
  return trips.run();
}

interface TripOptions {
  readonly plan: ConverterPlan;
  readonly service: OlderService;
  readonly positionOf: (pointer: string) => Position | undefined;
  readonly onOperation: () => void;
}

interface Failure {
  readonly rule: RoundTripFinding['rule'];
  readonly message: string;
  readonly value?: unknown;
  /** In the older contract. */
  readonly pointer: string;
  readonly operationId?: string;
}

class Trips {
  readonly #pair: VersionPair;
  readonly #options: TripOptions;
  /** What clients of the older contract send. */
  readonly #sent: RoundTripValues;
  /** What handlers of the newer contract return. */
  readonly #replied: RoundTripValues;
  readonly #received: RoundTripValues;
  readonly #requests: ExampleRequests;
  readonly #check: RequestCheck;
  readonly #usual = new Map<string, HandlerReply>();
  readonly #found = new Map<string, RoundTripFinding[]>();
  readonly #counts = { requests: 0, replies: 0, values: 0 };
  #mocks!: Mocks;

  constructor(pair: VersionPair, options: TripOptions) {
    const { older, newer } = pair;
    this.#pair = pair;
    this.#options = options;
    this.#sent = new RoundTripValues(older, 'request');
    this.#replied = new RoundTripValues(newer, 'response');
    this.#received = new RoundTripValues(older, 'response');
    this.#requests = new ExampleRequests(older, this.#sent.validators, this.#sent.samples);
    this.#check = new RequestCheck({ definition: older, basePath: '', realm: '' });
  }

  async run(): Promise<RoundTrips> {
    const { version, older, newer, converters } = this.#pair;
    this.#mocks = await createMocks(newer, this.#replied.validators, { seed: version });
    for (const operation of newer.operations) {
      const reply = await this.#mocked(operation, this.#mocks.statusOf(operation));
      if (reply !== undefined) this.#usual.set(operation.operationId, reply);
    }
    for (const { path, label } of missingConverters(this.#options.plan, converters)) {
      const message = `${label}: expected ${path}`;
      this.#fail({ rule: 'converter-missing', message, pointer: '' });
    }
    const pairs = operationPairs(older, newer);
    for (const operation of older.operations) {
      this.#options.onOperation();
      const next = pairs.get(operation.operationId);
      const first = await this.#sendRequests(operation, next);
      if (first !== undefined && next !== undefined) {
        await this.#sendReplies(operation, next, first);
      }
    }
    this.#convertComponents();
    const findings = [...this.#found.values()].flat();
    return { version, next: newer.version ?? 'the current version', ...this.#counts, findings };
  }

  /** @returns the first request, with the required parts alone; undefined if none can be generated */
  async #sendRequests(
    older: Operation,
    newer: Operation | undefined,
  ): Promise<SentRequest | undefined> {
    const { operationId, pointer } = older;
    const own = { operationId, pointer, rule: 'converted-request' } as const;
    let first: SentRequest | undefined;
    let isAccepted = false;
    for (const given of this.#givenValues(older)) {
      const sent = await this.#written(older, newer, given);
      if (sent === undefined) continue;
      first ??= sent;
      this.#counts.requests += 1;
      let isEcho = false;
      const response = await this.#options.service.send(sent, (id, body) => {
        const usual = this.#usual.get(id);
        if (usual === undefined) return new Problem(500, 'no reply can be generated');
        const echo = newer?.operationId === id ? this.#echo(newer, usual, body) : undefined;
        isEcho ||= echo !== undefined;
        return echo ?? usual;
      });
      const { status, called } = response;
      isAccepted ||= called.length > 0 || status < 400;
      const value = given.body?.value ?? given.parameters?.values().next().value;
      // The usual reply is one of those that are sent afterwards.
      const isOfReply = called.length > 0 && newer !== undefined && !isEcho;
      if (isFailed(response)) {
        if (!isOfReply) this.#fail({ ...own, message: failureOf(response), value });
      } else if (called.length === 0 && status >= 400 && !older.responses.for(status)) {
        const message = `it is refused with ${status}, which the version does not declare`;
        this.#fail({ ...own, message, value });
      } else if (isEcho && status < 400) this.#compare(older, newer!, given.body?.value, response);
    }
    if (first === undefined) this.#fail({ ...own, message: 'no request can be generated' });
    else if (!isAccepted && newer !== undefined) {
      this.#fail({ ...own, message: 'no generated request is accepted' });
    }
    return first;
  }

  *#givenValues(older: Operation): Generator<GivenValues> {
    yield {};
    const all = new Map<Parameter, unknown>();
    for (const parameter of older.parameters.filter(({ isReserved }) => !isReserved)) {
      for (const value of this.#sent.of(parameter.valueSchema)) {
        // Nobody sends an empty header.
        if (value === '' && parameter.in === 'header') continue;
        if (!all.has(parameter)) all.set(parameter, value);
        yield { parameters: new Map([[parameter, value]]) };
      }
    }
    if (all.size > 1) yield { parameters: all };
    if (older.requestBody?.isRequired === false) yield { body: undefined };
    for (const [key, content] of older.request) {
      const mediaType = concreteType(key, content.schema === undefined ? '' : {});
      for (const value of this.#sent.bodies(content, mediaType)) {
        yield { body: { mediaType, value } };
      }
    }
  }

  /** @returns undefined for values that the request cannot carry */
  async #written(
    operation: Operation,
    newer: Operation | undefined,
    given: GivenValues,
  ): Promise<SentRequest | undefined> {
    const called = newer === undefined ? this.#pair.newer.operations : [newer];
    const credentials = called.flatMap((operation) =>
      credentialsFor(operation, this.#pair.newer, 'TOKEN'),
    );
    try {
      const { method, target, headers, body } = this.#requests.of(operation, 'TOKEN', {
        ...given,
        credentials,
      });
      const form = body instanceof FormData ? multipartOf(body, BOUNDARY) : undefined;
      const written = {
        ...{ method, target },
        headers: { ...headers, ...(form && { 'Content-Type': form.type }) },
        body: body instanceof FormData ? await form!.text() : body,
      };
      const sent = { ...written, headers: withTrueConditions(method, written.headers) };
      const { violations, exchange } = await this.#check.checkWhole(receivedRequest(sent));
      const isOwn = exchange.operation?.operationId === operation.operationId;
      return isOwn && violations.length === 0 ? sent : undefined;
    } catch {
      return undefined;
    }
  }

  /** @returns the usual reply with the properties of the request that it declares; undefined if it has none */
  #echo(newer: Operation, usual: HandlerReply, sent: unknown): HandlerReply | undefined {
    const schema = bodySchema(newer, usual.status);
    if (schema === undefined || !isObject(sent) || !isObject(usual.body)) return undefined;
    const declared = propertiesOf(schema);
    const own = Object.entries(sent).filter(([name, value]) => {
      return value !== undefined && declared.has(name);
    });
    if (own.length === 0) return undefined;
    // What a client may send and has not sent is absent, unless a reply requires it.
    const mayBeSent = new Set(
      [...newer.request.values()].flatMap((content) =>
        content.schema === undefined ? [] : [...propertiesOf(content.schema).keys()],
      ),
    );
    const others = Object.entries(usual.body).filter(([name]) => !mayBeSent.has(name));
    const isValid = this.#replied.validators.at(schema.pointer);
    const bodies = [others, Object.entries(usual.body)].map((rest) =>
      Object.fromEntries([...rest, ...own]),
    );
    const body = bodies.find((candidate) => isValid(candidate));
    return body && { ...usual, body };
  }

  /** Compares the properties of a request with those of the response that returns them. */
  #compare(
    older: Operation,
    newer: Operation,
    sent: unknown,
    { status, body }: OlderResponse,
  ): void {
    const schema = bodySchema(older, status);
    if (schema === undefined || !isObject(sent) || !isObject(body)) return;
    const declared = propertiesOf(schema);
    const hidden = hiddenNames(schema, 'response');
    const own = Object.entries(sent).flatMap(([name, value]) => {
      const property = hidden.has(name) ? undefined : declared.get(name);
      // A property of another type is another one.
      const isSame = property && this.#received.validators.at(property.pointer)(value);
      return isSame ? [[name, this.#received.declared(property, value)] as const] : [];
    });
    this.#counts.values += 1;
    const { operationId, pointer } = older;
    const used = [older, newer].flatMap((operation) => [
      ...operation.requestSchemas,
      ...operation.responseSchemas,
    ]);
    const owners = [`operations.${operationId}`, ...componentsIn(used)];
    this.#compareValues(Object.fromEntries(own), body, owners, { operationId, pointer });
  }

  async #sendReplies(older: Operation, newer: Operation, sent: SentRequest): Promise<void> {
    for (const key of newer.responses.keys()) {
      const status = statusFor(key, newer, older);
      if (status === undefined) continue;
      const base = (await this.#mocked(newer, status)) ?? { status };
      const replies: (HandlerReply | Problem)[] = [base];
      if (status >= 400) replies.push(new Problem(status, 'a generated error'));
      for (const [type, content] of newer.responses.for(status)!.contents) {
        const mediaType = concreteType(type, content.schema === undefined ? '' : {});
        for (const body of this.#replied.bodies(content, mediaType)) {
          const coerced = content.schema ? this.#replied.coerced(content.schema, body) : body;
          replies.push({ ...base, type: mediaType, body: coerced });
        }
      }
      for (const reply of replies) {
        let isSent = false;
        const response = await this.#options.service.send(sent, (id) => {
          const isTarget = id === newer.operationId;
          isSent ||= isTarget;
          return (isTarget ? reply : this.#usual.get(id)) ?? new Problem(500, 'no reply');
        });
        if (!isSent) continue;
        this.#counts.replies += 1;
        this.#checkReply(older, status, reply, response);
      }
    }
  }

  #checkReply(
    older: Operation,
    sent: number,
    reply: HandlerReply | Problem,
    response: OlderResponse,
  ): void {
    const { status, cause } = response;
    const { operationId } = older;
    const isProblem = reply instanceof Problem;
    const declared = older.responses.for(status);
    const own = {
      ...({ rule: 'converted-reply', operationId, pointer: (declared ?? older).pointer } as const),
      value: (isProblem ? undefined : reply.body) ?? { status: sent },
    };
    const isOwnError = sent >= 500 && !(cause instanceof InvalidReply);
    if (!isOwnError && isFailed(response)) {
      // The body of an error is not converted: the older contract alone may not have room for it.
      if (!isProblem) this.#fail({ ...own, message: failureOf(response) });
    } else if (declared === undefined) {
      const mapped = this.#options.plan.statuses.get(sent)?.operations ?? [];
      const isConvertible = !OF_ENGINE.has(sent) && mapped.includes(operationId);
      if (status >= 400 && !isConvertible) return;
      const message = `it has the status ${status}, which the version does not declare`;
      this.#fail({ ...own, message });
    }
  }

  /** The values of each component with both directions. */
  #convertComponents(): void {
    const { older, newer, converters } = this.#pair;
    const toNew = conversionsOf('toNew', converters, older).components;
    const toOld = conversionsOf('toOld', converters, newer).components;
    for (const [name, schemaConverter] of Object.entries(converters.schemas ?? {})) {
      const [was, is] = [older.schemas.get(name), newer.schemas.get(name)];
      const isPair = schemaConverter.toNew && schemaConverter.toOld;
      if (!isPair || was === undefined || is === undefined) continue;
      const [there, back] = [toNew.of(was)!, toOld.of(is)!];
      const trips = [
        ...this.#sent.of(was).map((value) => {
          const own = this.#sent.declared(was, value);
          return [own, () => back(there(own)), 'response'] as const;
        }),
        ...this.#replied.of(is).map((value) => {
          const own = this.#replied.declared(is, value);
          return [own, () => there(back(own)), 'request'] as const;
        }),
      ];
      const pointer = `/components/schemas/${escapeToken(name)}`;
      for (const [value, convert, wayBack] of trips) {
        const returned = unlessError(convert);
        if (returned === undefined) continue;
        this.#counts.values += 1;
        // A converter of replies receives no writeOnly property, one of requests no readOnly one.
        const schema = wayBack === 'response' ? was : is;
        const isHidden = (names: readonly string[]) => isHiddenAt(schema, names, wayBack);
        const owners = [...componentsIn([was, is])];
        this.#compareValues(value, returned.value, owners, { pointer, isHidden });
      }
    }
  }

  /** @param owners the converters that may declare the loss of a part: `schemas.Toy` */
  #compareValues(
    sent: unknown,
    received: unknown,
    owners: readonly string[],
    {
      isHidden,
      ...where
    }: Pick<Failure, 'operationId' | 'pointer'> & {
      readonly isHidden?: (names: readonly string[]) => boolean;
    },
  ): void {
    const { schemas = {}, operations = {} } = this.#pair.converters;
    const declared = new Set(
      owners.flatMap((owner) => {
        const at = owner.indexOf('.');
        const name = owner.slice(at + 1);
        const group = owner.startsWith('schemas.') ? schemas : operations;
        return (Object.hasOwn(group, name) && group[name]?.loses) || [];
      }),
    );
    for (const { pointer, value } of lostParts(sent, received)) {
      const names = pointer.split('/').slice(1).map(unescapeToken);
      if (isHidden?.(names)) continue;
      if ([...names, value].some((name) => declared.has(name as string))) continue;
      this.#fail({ ...where, rule: 'round-trip', message: lossMessage(pointer), value: sent });
    }
  }

  async #mocked(newer: Operation, status: number): Promise<HandlerReply | undefined> {
    const reply = await this.#mocks.replyWith(newer, status);
    if (reply instanceof InvalidMock) return undefined;
    const selected = reply.type && newer.responses.for(status)?.contents.select(reply.type);
    const schema = selected ? selected.content.schema : undefined;
    return schema === undefined
      ? reply
      : { ...reply, body: this.#replied.coerced(schema, reply.body) };
  }

  #fail({ rule, message, value, pointer, operationId }: Failure): void {
    const group = `${rule} ${operationId ?? pointer}`;
    const found = this.#found.get(group) ?? [];
    const isKnown = found.some((roundTripFinding) => roundTripFinding.message === message);
    if (isKnown || (pointer !== '' && found.length >= MAX_PER_OPERATION)) return;
    const text = value === undefined ? null : stringifyJson(value);
    const example = text && text.length > MAX_EXAMPLE ? `${text.slice(0, MAX_EXAMPLE)}…` : text;
    const own = { rule, version: this.#pair.version, operationId: operationId ?? null, message };
    const position = pointer === '' ? undefined : this.#options.positionOf(pointer);
    this.#found.set(group, [...found, { ...own, example, position }]);
  }
}

/** True for an error of a converter or of the engine. */
function isFailed({ status, cause }: OlderResponse): boolean {
  return cause !== undefined || status >= 500;
}

function failureOf({ cause, status }: OlderResponse): string {
  return cause?.message ?? `the response is ${status}`;
}

/** No sample of a condition is one, and none belongs to a resource. */
function withTrueConditions(
  method: string,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const isRead = ['GET', 'HEAD'].includes(method);
  const entries = Object.entries(headers).map(([name, value]) => {
    if (!/^if-(?:none-)?match$/i.test(name)) return [name, value];
    return [name, isRead && !/^if-match$/i.test(name) ? '"0"' : '*'];
  });
  return Object.fromEntries(entries);
}

/** @returns the schema of the body that a reply with this status has by default */
function bodySchema({ responses }: Operation, status: number): Schema | undefined {
  return responses.for(status)?.contents.preferred?.content.schema;
}

/** @returns a status for a key of responses; undefined for a range without one of its own */
function statusFor(key: string, { responses }: Operation, older: Operation): number | undefined {
  if (/^[2-5]\d\d$/.test(key)) return Number(key);
  const status = /^[2-5]XX$/i.test(key) ? Number(`${key[0]}00`) : 500;
  const isOwn = responses.keyFor(status) === key;
  return isOwn && older.responses.for(status) !== undefined ? status : undefined;
}

/** @returns the components that values of the schemas contain: `schemas.Toy` */
function componentsIn(schemas: readonly Schema[]): Set<string> {
  const all = new Set(schemas);
  for (const schema of all) for (const inner of schema.inner) all.add(inner);
  const tokens = [...all].flatMap(
    ({ pointer }) => /^\/components\/schemas\/([^/]+)$/.exec(pointer)?.[1] ?? [],
  );
  return new Set(tokens.map((token) => `schemas.${unescapeToken(token)}`));
}

/** @returns the parts of a JSON value that another one does not have, or has with another value */
function lostParts(
  sent: unknown,
  received: unknown,
  pointer = '',
): { readonly pointer: string; readonly value: unknown }[] {
  if (isObject(sent) && isObject(received)) {
    return Object.entries(sent).flatMap(([name, value]) =>
      value === undefined
        ? []
        : lostParts(value, received[name], `${pointer}/${escapeToken(name)}`),
    );
  }
  if (Array.isArray(sent) && Array.isArray(received) && sent.length === received.length) {
    return sent.flatMap((each, at) => lostParts(each, received[at], `${pointer}/${at}`));
  }
  const isSame = received !== undefined && stringifyJson(sent) === stringifyJson(received);
  return isSame ? [] : [{ pointer, value: sent }];
}

function lossMessage(pointer: string): string {
  const name = pointer.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part));
  const expected = name === undefined ? 'loses with the value' : `loses: ['${name}']`;
  return `${pointer === '' ? 'the value' : pointer} does not come back, expected it, or ${expected}`;
}

/** The engine reports the errors of converters. */
function unlessError(convert: () => unknown): { readonly value: unknown } | undefined {
  try {
    return { value: convert() };
  } catch {
    return undefined;
  }
}
