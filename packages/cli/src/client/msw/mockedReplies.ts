// The replies of mocks as text, exact to the last digit.
import type { Contract, Operation } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { createMocks, type Mocks } from '@stubwright/mock';
import { InvalidMock } from '@stubwright/mock/mocked';
import { type HttpResponse, Replies } from 'stubwright/internals';

export interface MockedText {
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body: string | undefined;
}

/** Of ranges and `default`. */
const STATUSES = [500, 400, 300, 200].flatMap((first) =>
  Array.from({ length: 100 }, (_, at) => first + at),
);

export class MockedReplies {
  readonly #mocks: Mocks;
  readonly #replies: Replies;

  private constructor(mocks: Mocks, replies: Replies) {
    this.#mocks = mocks;
    this.#replies = replies;
  }

  static async of(definition: Contract): Promise<MockedReplies> {
    const validators = new Validators(definition, 'response');
    const mocks = await createMocks(definition, validators);
    const options = { validation: 'log', keepAliveMs: 0 } as const;
    return new MockedReplies(mocks, new Replies(definition, validators, options));
  }

  statusOf(operation: Operation): number {
    return this.#mocks.statusOf(operation);
  }

  /** @returns the replies by status code, range or `default` */
  async of(operation: Operation): Promise<ReadonlyMap<string, MockedText>> {
    const found = new Map<string, MockedText>();
    const statuses = [this.statusOf(operation), ...STATUSES];
    for (const key of operation.responses.keys()) {
      const status = statuses.find((each) => operation.responses.keyFor(each) === key);
      if (status === undefined) continue;
      const mock = await this.#mocks.replyWith(operation, status);
      const { headers, body } =
        mock instanceof InvalidMock
          ? mock.toHttpResponse()
          : this.#replies.of(operation).serialize(mock);
      found.set(key.replace('xx', 'XX'), withFixedBoundary(headers, await textOf(body)));
    }
    return found;
  }
}

async function textOf(body: HttpResponse['body']): Promise<string | undefined> {
  if (body === undefined || typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  return Buffer.concat(await body.toArray()).toString();
}

/** Random ones would differ each time. */
function withFixedBoundary(
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): MockedText {
  const { 'Content-Type': type } = headers;
  const [, boundary] = /;\s*boundary="?([^";]+)/.exec(type ?? '') ?? [];
  const entries = Object.entries(headers);
  if (boundary === undefined) {
    return { headers: entries.length === 0 ? undefined : headers, body };
  }
  const fixed = (text: string) => text.replaceAll(boundary, 'boundary');
  return {
    headers: Object.fromEntries(entries.map(([name, value]) => [name, fixed(value)])),
    body: body && fixed(body),
  };
}
