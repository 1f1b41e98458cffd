// The documented requests of a contract: one for each named example of a body, at least one for each operation.
import {
  type Content,
  type Contents,
  type Contract,
  type Operation,
  type Parameter,
  templateNames,
} from '@stubwright/contract';
import { multipartOf, RequestWriter, Validators } from '@stubwright/contract/values';
import { ExampleRequests } from '@stubwright/mock';
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
    const { target, headers, body } = this.#requests.of(operation, 'TOKEN');
    const base = { operationId, method, ...pathOf(operation, target), headers };
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

/** Path parameters as the generated types have them, if they are simple ones. */
function pathOf(
  { path, parameters }: Operation,
  target: string,
): Pick<ReleasedRequest, 'path' | 'params' | 'isUntyped'> {
  if (target === path) return { path };
  const needed = parameters.filter((each) => each.in === 'path');
  const typeOf = ({ schema }: Parameter) => [...(schema?.types ?? [])];
  const isSimple = needed.every((each) => /^(?:string|integer|number)$/.test(typeOf(each).join()));
  if (!isSimple) return { path: target, isUntyped: true };
  const template = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^{}]*\}/g, '([^/?]*)');
  const [matched, ...texts] = new RegExp(`^${template}(\\?.*)?$`).exec(target) ?? [];
  if (matched === undefined) return { path: target, isUntyped: true };
  const names = templateNames(path);
  const values = needed.map((each): [string, string | number] => {
    const text = decodeURIComponent(texts[names.indexOf(each.name)] ?? '');
    const isSafe = !typeOf(each).includes('string') && String(Number(text)) === text;
    return [each.name, isSafe ? Number(text) : text];
  });
  const query = texts[names.length] ?? '';
  const isTyped = parameters.every((each) => each.in === 'path' || !each.isRequired);
  return {
    path: path + query,
    ...(needed.length > 0 && { params: { path: Object.fromEntries(values) } }),
    ...(!isTyped && { isUntyped: true }),
  };
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
