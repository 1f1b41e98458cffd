// Requests as clients of a released contract sent them, played again; and what that contract, not
// today's, allows as an answer.
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type {
  Definition,
  LocatedNode,
  Operation,
} from '../../packages/stubwright/src/document/definition.ts';
import { parseJsonText } from '../../packages/stubwright/src/json/json.ts';
import {
  matchMediaType,
  parseMediaType,
} from '../../packages/stubwright/src/request/body/mediaType.ts';
import { Validators } from '../../packages/stubwright/src/schema/validator.ts';
import { TOKEN } from './service.ts';

export interface RecordedRequest {
  readonly operationId: string;
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch' | 'head' | 'options';
  /** The template, as the contract writes it. */
  readonly path: string;
  readonly params?: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
  };
  /** `TOKEN` stands for a good one. */
  readonly headers: Readonly<Record<string, string>>;
  /** Pieces of the text; a long one is told by what it repeats. */
  readonly body?: readonly (string | { readonly repeat: string; readonly times: number })[];
  /** What it was answered with when the version was released. */
  readonly status: number;
  /** No typed client would write it, though the contract allows it. */
  readonly isUntyped?: boolean;
}

/** Requests that build on each other, to a service with a store of its own. */
export interface Conversation {
  readonly name: string;
  readonly store?: 'broken' | 'unreachable';
  readonly requests: readonly RecordedRequest[];
}

export interface ReplayedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A contract of which nothing is known: what was recorded need not keep any types. */
type AnyPaths = Record<
  string,
  Record<RecordedRequest['method'], { requestBody: { content: { 'application/json': unknown } } }>
>;

/** @returns what was recorded of a release: `test/released/1.0.0.yaml` -> `….requests.json` */
export function recordedFor(releasePath: string): Conversation[] {
  return JSON.parse(readFileSync(releasePath.replace(/\.ya?ml$/, '.requests.json'), 'utf8'));
}

export function bodyOf({ body }: RecordedRequest): string | undefined {
  return body
    ?.map((piece) => (typeof piece === 'string' ? piece : piece.repeat.repeat(piece.times)))
    .join('');
}

/** Sends a request through openapi-fetch, to the last byte as it was recorded. */
export async function replay(url: string, recorded: RecordedRequest): Promise<ReplayedAnswer> {
  const client = createClient<AnyPaths>({ baseUrl: url });
  const headers = Object.entries(recorded.headers).map(([name, value]) => [
    name,
    value.replace('TOKEN', TOKEN),
  ]);
  const { response, data, error } = await client.request(recorded.method, recorded.path, {
    ...(recorded.params && { params: recorded.params }),
    headers: { Connection: 'close', ...Object.fromEntries(headers) },
    body: bodyOf(recorded),
    bodySerializer: (text: unknown) => text,
    parseAs: 'text',
  });
  const text = typeof data === 'string' ? data : JSON.stringify(error ?? '');
  return { status: response.status, headers: response.headers, text };
}

/** The answers that one contract allows. */
export class AllowedAnswers {
  readonly #definition: Definition;
  readonly #validators: Validators;

  constructor(definition: Definition) {
    this.#definition = definition;
    this.#validators = new Validators(definition, 'response');
  }

  /** @returns what is wrong with an answer; nothing where the contract allows it */
  errorsOf(operationId: string, { status, headers, text }: ReplayedAnswer): string[] {
    const operation = this.#definition.operations.find((each) => each.operationId === operationId);
    const response = operation && responseOf(operation, status);
    if (response === undefined) return [`status ${status} is not declared`];
    return [...this.#headerFaults(response, headers), ...this.#bodyFaults(response, headers, text)];
  }

  #headerFaults(response: LocatedNode, headers: Headers): string[] {
    const declared = this.#definition.child(response, 'headers');
    return Object.keys(declared?.node ?? {}).flatMap((name) => {
      const header = this.#definition.child(declared!, name)!;
      const value = headers.get(name);
      if (value === null) return header.node.required ? [`header ${name} is missing`] : [];
      const { type } = this.#definition.child(header, 'schema')!.node;
      const parsed: unknown = type === 'string' ? value : parseJsonText(value);
      return this.#validators.at(`${header.pointer}/schema`)(parsed)
        ? []
        : [`header ${name} is ${value}`];
    });
  }

  #bodyFaults(response: LocatedNode, headers: Headers, text: string): string[] {
    const content = this.#definition.child(response, 'content');
    if (content === undefined) return text === '' ? [] : ['a body is not declared'];
    const type = headers.get('content-type') ?? 'none';
    const sent = parseMediaType(type);
    const key = sent && matchMediaType(sent, Object.keys(content.node));
    if (key === undefined) return [`media type ${type} is not declared`];
    const media = this.#definition.child(content, key)!;
    return this.#validators.at(`${media.pointer}/schema`)(parseJsonText(text))
      ? []
      : [`the body is ${text}`];
  }
}

function responseOf({ responses }: Operation, status: number): LocatedNode | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  return responses.get(String(status)) ?? responses.get(range) ?? responses.get('default');
}
