// An answer for an operation that has no handler: from the contract's examples, else made from its
// schema. Valid against the contract, and the same for the same request.

import { isJson, parseMediaType } from '../body/mediaType.ts';
import type { Definition, Operation, Place } from '../definition/definition.ts';
import { breaksContract } from '../problem.ts';
import { declaredResponse, type HandlerReply } from '../reply/reply.ts';
import type { Validators } from '../schema/validator.ts';
import type { Samples } from './sample.ts';

/** Stands in a handler map for an operation that is to be mocked: `listPlants: mocked`. */
export const mocked: unique symbol = Symbol('mocked');

/** Which operations are mocked: none but those marked `mocked`, those without handler, or all. */
export type MockMode = 'off' | 'missing' | 'all';

export interface MockRequest {
  /** The `Prefer` header (RFC 7240): `code=404` and `example=name` choose the answer. */
  readonly prefer: string | undefined;
  /** Chooses among the values of a schema. */
  readonly seed: string;
}

/** The mocks of one contract. */
export class Mocks {
  readonly #definition: Definition;
  readonly #validators: Validators;
  readonly #samples: Samples;

  /** @param validators and samples of the response direction */
  constructor(definition: Definition, validators: Validators, samples: Samples) {
    this.#definition = definition;
    this.#validators = validators;
    this.#samples = samples;
  }

  /** @throws {Problem} 40000 for a preference that the contract does not declare */
  reply(operation: Operation, { prefer, seed }: MockRequest): HandlerReply {
    const { code, example } = preferences(prefer);
    const status = code === undefined ? usualStatus(operation) : Number(code);
    const response = declaredResponse(operation, status);
    if (response === undefined) throw breaksContract(`Prefer code=${code} is not declared`);
    const headers = this.#headers(response, seed);
    const [type, content] = this.#content(response);
    if (content === undefined) return { status, headers };
    const body = bodyOf(type, this.#value(content, example, seed));
    return type.includes('*') ? { status, headers, body } : { status, headers, type, body };
  }

  #headers(response: Place, seed: string): Record<string, unknown> {
    const headers = this.#definition.child(response, 'headers');
    const required = Object.keys(headers?.node ?? {}).flatMap((name) => {
      const header = this.#definition.child(headers!, name)!;
      const isSent = header.node.required === true && !/^content-type$/i.test(name);
      return isSent ? [[name, this.#value(header, undefined, seed)]] : [];
    });
    return Object.fromEntries(required);
  }

  #content(response: Place): [type: string, content: Place | undefined] {
    const content = this.#definition.child(response, 'content');
    const types = Object.keys(content?.node ?? {});
    const type = types.find((each) => isJson(parseMediaType(each)?.type ?? '')) ?? types[0];
    return type === undefined ? ['', undefined] : [type, this.#definition.child(content!, type)];
  }

  /** The example that was asked for, else the first that is valid, else a value of the schema. */
  #value(holder: Place, name: string | undefined, seed: string): unknown {
    const examples = this.#definition.child(holder, 'examples');
    if (name !== undefined) {
      const named = examples && this.#definition.child(examples, name);
      if (named?.node.value === undefined)
        throw breaksContract(`Prefer example=${name} is not declared`);
      return named.node.value;
    }
    const written = Object.keys(examples?.node ?? {}).map(
      (each) => this.#definition.child(examples!, each)?.node.value,
    );
    const candidates = [holder.node.example, ...written].filter((each) => each !== undefined);
    if (holder.node.schema === undefined) return candidates[0] ?? {};
    const pointer = `${holder.pointer}/schema`;
    const isValid = this.#validators.at(pointer);
    const valid = candidates.find((each) => isValid(each));
    return valid ?? this.#samples.at(pointer, seed);
  }
}

/** RFC 7240, section 2: `code=404, example="a name"`; of two of a name the first one counts. */
function preferences(prefer = ''): Readonly<Record<string, string | undefined>> {
  const found: Record<string, string> = {};
  for (const [, name, quoted, token] of prefer.matchAll(
    /([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s,;"]*))/g,
  )) {
    found[name!.toLowerCase()] ??= quoted ?? token ?? '';
  }
  return found;
}

/** The lowest success that is declared, else the lowest status; 200 for a range and for default. */
function usualStatus({ responses }: Operation): number {
  const statuses = [...responses.keys()].sort();
  const chosen = statuses.find((each) => each.startsWith('2')) ?? statuses[0];
  if (chosen === undefined) return 200;
  return /^\d{3}$/.test(chosen)
    ? Number(chosen)
    : chosen === 'default'
      ? 200
      : Number(chosen[0]) * 100;
}

function bodyOf(type: string, value: unknown): unknown {
  const { type: plain } = parseMediaType(type) ?? { type };
  if (isJson(plain) || type.includes('*')) return value;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return plain.startsWith('text/') ? text : Buffer.from(text);
}
