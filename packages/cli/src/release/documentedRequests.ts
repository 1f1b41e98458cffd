// The documented requests of a contract: one for each named example of a body, at least one for each operation.
import type { Content, Contents, Contract, Operation } from '@stubwright/contract';
import { multipartOf, RequestWriter, Validators } from '@stubwright/contract/values';
import { type ExampleRequest, ExampleRequests } from '@stubwright/mock';
import { Samples } from '@stubwright/mock/samples';
import type { ReleasedRequest } from '@stubwright/traffic';

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
  { path, parameters }: Operation,
  { target, pathValues }: ExampleRequest,
): Pick<ReleasedRequest, 'path' | 'params' | 'isUntyped'> {
  if (target === path) return { path };
  const values = Object.entries(pathValues).map(([name, value]) => [name, typedValue(value)]);
  if (values.some(([, value]) => value === undefined)) return { path: target, isUntyped: true };
  const [, query] = /^[^?]*(.*)$/s.exec(target)!;
  const isTyped = parameters.every((each) => each.in === 'path' || !each.isRequired);
  return {
    path: path + query,
    ...(values.length > 0 && { params: { path: Object.fromEntries(values) } }),
    ...(!isTyped && { isUntyped: true }),
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
  const status = [...responses.keys()].find((each) => /^2\d\d$/.test(each));
  return Number(status ?? 200);
}
