// Replays requests that clients of a released contract sent.
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type { TestClient } from 'stubwright/testing';
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
  /** `TOKEN` represents a valid token. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parts of the text; a long part is given as the string that it repeats. */
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

/**
 * Sends a request through openapi-fetch, with the recorded bytes.
 *
 * @param fetch of a client of the released contract
 * @returns the status
 * @throws {ContractViolation} for a response that the released contract does not allow
 */
export async function replay(
  url: string,
  { fetch }: Pick<TestClient<unknown>, 'fetch'>,
  recorded: RecordedRequest,
): Promise<number> {
  const sender = createClient<AnyPaths>({ baseUrl: url, fetch });
  const headers = Object.entries(recorded.headers).map(([name, value]) => [
    name,
    value.replace('TOKEN', TOKEN),
  ]);
  const { response } = await sender.request(recorded.method, recorded.path, {
    ...(recorded.params && { params: recorded.params }),
    headers: { Connection: 'close', ...Object.fromEntries(headers) },
    body: bodyOf(recorded),
    bodySerializer: (text: unknown) => text,
    parseAs: 'text',
  });
  return response.status;
}
