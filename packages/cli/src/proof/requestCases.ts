// The requests of an operation of the older contract that are converted.
import {
  type Content,
  escapeToken,
  isObject,
  type Node,
  type Operation,
  type Parameter,
  stringifyJson,
} from '@stubwright/contract';
import { concreteType, multipartOf, Validators } from '@stubwright/contract/values';
import type { TriedValue } from '@stubwright/diff/internals';
import { ExampleRequests, type GivenValues } from '@stubwright/mock';
import { Samples } from '@stubwright/mock/samples';
import { receivedRequest, type SentRequest } from '@stubwright/traffic';
import { RequestCheck } from 'stubwright/internals';
import type { ProofValues } from './proofValues.ts';
import type { VersionPair } from './versionPair.ts';

export interface RequestCase {
  /** Of the part with the value, in the older contract. */
  readonly pointer: string;
  readonly given: GivenValues;
  /** Undefined for a request with examples only. */
  readonly value: unknown;
  /** True if the newer contract refuses the value. */
  readonly isWitness: boolean;
}

const BOUNDARY = 'stubwright-proof-boundary';

export class RequestCases {
  readonly #values: ProofValues;
  readonly #requests: ExampleRequests;
  readonly #check: RequestCheck;

  constructor({ older }: VersionPair, values: ProofValues) {
    const validators = new Validators(older, 'request');
    this.#values = values;
    this.#requests = new ExampleRequests(older, validators, new Samples(validators));
    this.#check = new RequestCheck({ definition: older, basePath: '', realm: '' });
  }

  /** @param newer undefined for a removed operation @yields the required parts alone first */
  *of(older: Operation, newer: Operation | undefined): Generator<RequestCase> {
    yield { pointer: older.pointer, given: {}, value: undefined, isWitness: false };
    const all = new Map<Parameter, unknown>();
    for (const parameter of older.parameters.filter(({ isReserved }) => !isReserved)) {
      const other = newer?.parameter(parameter.in, parameter.name);
      for (const tried of this.#values.requests(parameter.valueSchema, other?.valueSchema)) {
        if (!all.has(parameter)) all.set(parameter, tried.value);
        const given = { parameters: new Map([[parameter, tried.value]]) };
        yield caseOf(parameter.pointer, given, tried);
      }
    }
    if (all.size > 1) {
      const value = Object.fromEntries([...all].map(([{ name }, each]) => [name, each]));
      yield caseOf(older.pointer, { parameters: all }, { value, refusal: undefined });
    }
    yield* this.#bodies(older, newer);
  }

  /** @returns undefined for values that the request cannot carry */
  async written(
    operation: Operation,
    { given }: RequestCase,
    credentials: NonNullable<GivenValues['credentials']>,
  ): Promise<SentRequest | undefined> {
    try {
      const { method, target, headers, body } = this.#requests.of(operation, 'TOKEN', {
        ...given,
        credentials,
      });
      const form = body instanceof FormData ? multipartOf(body, BOUNDARY) : undefined;
      const text = body instanceof FormData ? await form!.text() : body;
      const ofForm = form === undefined ? {} : { 'Content-Type': form.type };
      const sent = { method, target, headers: { ...headers, ...ofForm }, body: text };
      const { violations, exchange } = await this.#check.checkWhole(receivedRequest(sent));
      const isOwn = exchange.operation?.operationId === operation.operationId;
      return isOwn && violations.length === 0 ? sent : undefined;
    } catch {
      return undefined;
    }
  }

  *#bodies(older: Operation, newer: Operation | undefined): Generator<RequestCase> {
    if (older.requestBody?.isRequired === false) {
      const { pointer } = older.requestBody;
      yield caseOf(pointer, { body: undefined }, { value: undefined, refusal: undefined });
    }
    for (const [key, content] of older.request) {
      const mediaType = concreteType(key, content.schema === undefined ? '' : {});
      const other = newer?.request.select(mediaType)?.content;
      const values =
        this.#values.sequences('request', { content, mediaType, other }) ??
        this.#patches(mediaType, content, other) ??
        this.#values.requests(content.schema, other?.schema);
      for (const each of values) {
        yield caseOf(content.pointer, { body: { mediaType, value: each.value } }, each);
      }
    }
  }

  /** @returns patches that replace all properties of a resource; undefined for another body */
  #patches(
    mediaType: string,
    { patchOf }: Content,
    other: Content | undefined,
  ): TriedValue[] | undefined {
    if (patchOf === undefined) return undefined;
    const resources = this.#values.requests(patchOf, other?.patchOf);
    return resources.flatMap(({ value }) => {
      if (!isObject(value)) return [];
      const isMerged = mediaType === 'application/merge-patch+json';
      return [{ value: isMerged ? value : replacing(value), refusal: undefined }];
    });
  }
}

/** @returns a JSON Patch */
function replacing(resource: Node): unknown[] {
  return Object.entries(resource).map(([name, value]) => ({
    ...{ op: 'replace', path: `/${escapeToken(name)}`, value },
  }));
}

function caseOf(pointer: string, given: GivenValues, { value, refusal }: TriedValue): RequestCase {
  return { pointer, given, value, isWitness: refusal !== undefined };
}

const MAX_EXAMPLE = 300;

/** @returns the value as JSON, shortened; null for none */
export function exampleText(value: unknown): string | null {
  if (value === undefined) return null;
  const text = stringifyJson(value);
  return text.length > MAX_EXAMPLE ? `${text.slice(0, MAX_EXAMPLE)}…` : text;
}
