// Replays recorded requests.
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type { TestClient } from 'stubwright/testing';
import type {
  Conversation,
  RecordedRequest,
} from '../../packages/cli/src/release/conversations.ts';
import { TOKEN } from './service.ts';

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch' | 'head' | 'options';

/** The types of a contract about which nothing is known. */
type AnyPaths = Record<
  string,
  Record<
    Method,
    {
      parameters: NonNullable<RecordedRequest['params']>;
      requestBody: { content: { 'application/json': unknown } };
    }
  >
>;

/** @returns the requests of a release: `test/released/1.0.0.yaml` -> `….requests.json` */
export function recordedFor(releasePath: string): Conversation[] {
  return JSON.parse(readFileSync(releasePath.replace(/\.ya?ml$/, '.requests.json'), 'utf8'));
}

export function bodyOf({ body }: RecordedRequest): string | undefined {
  return body
    ?.map((part) => (typeof part === 'string' ? part : part.repeat.repeat(part.times)))
    .join('');
}

/**
 * Sends a request through openapi-fetch, with the recorded bytes.
 *
 * @param fetch of a client of the released contract
 * @throws {ContractViolation} for a response that the released contract does not allow
 */
export async function replay(
  url: string,
  { fetch }: Pick<TestClient<unknown>, 'fetch'>,
  recorded: RecordedRequest,
): Promise<{ status: number; body: string }> {
  let body = '';
  const sender = createClient<AnyPaths>({
    baseUrl: url,
    async fetch(request) {
      const response = await fetch(request);
      body = await response.clone().text();
      return response;
    },
  });
  const headers = Object.entries(recorded.headers).map(([name, value]) => [
    name,
    value.replace('TOKEN', TOKEN),
  ]);
  const { response } = await sender.request(recorded.method as Method, recorded.path, {
    params: recorded.params ?? { path: {} },
    headers: { Connection: 'close', ...Object.fromEntries(headers) },
    body: bodyOf(recorded),
    bodySerializer: (text: unknown) => text,
    parseAs: 'text',
  });
  return { status: response.status, body };
}
