// The handler and the test of an operation.

import { basename } from 'node:path';
import type { LoadedContract } from '@stubwright/contract';
import { createApi } from 'stubwright';
import { fetchHandler } from 'stubwright/fetch';
import { type TestClient, testClient } from 'stubwright/testing';
import type { Entry } from './handlerIndex.ts';
import { commentOf, literal, nameOf, uniqueName } from './names.ts';
import { template } from './templates.ts';
import { RUNNERS } from './testRunner.ts';

export const HANDLERS = 'src/handlers';
const TESTS = 'test/api';

const REFUSALS = [401, 403] as const;

/** The status for a request without credentials, or without scopes. */
type RefusalStatus = (typeof REFUSALS)[number];

/** What the mock of an operation responds to the example request, or the reason why there is none. */
export type MockResult =
  | { readonly isSuccess: boolean; readonly refusals: readonly RefusalStatus[] }
  | { readonly reason: string };

export function handlerPath(name: string): string {
  return `${HANDLERS}/${name}.ts`;
}

export function testPath(name: string): string {
  return `${TESTS}/${name}.test.ts`;
}

export function handlerText({ operationId, name }: Entry): string {
  return template('operation/handler.ts', { operation: commentOf(operationId), name });
}

/** @returns the operation that the header of a handler names, as {@link commentOf} writes it */
export function operationIn(text: string): string | undefined {
  return /^\/\/ Handler of (.*)\.\r?$/m.exec(text)?.[1];
}

/** @param runner the module of the test runner: `node:test`, `vitest` or `@jest/globals` */
export function testText(
  { operationId }: Entry,
  result: MockResult,
  runner: string = RUNNERS.node.module,
): string {
  const id = literal(operationId);
  const values = { runner, operation: commentOf(operationId) };
  if ('reason' in result) {
    const title = literal(`${operationId} responds with success`);
    const todo = title.length > 70 ? `\n  ${title},\n` : title;
    return template('operation/todo.ts', { ...values, todo, reason: commentOf(result.reason) });
  }
  const { isSuccess, refusals } = result;
  const responds = isSuccess ? 'responds with success' : 'responds with a declared error';
  const text = template(`operation/${isSuccess ? 'test' : 'errorTest'}.ts`, {
    ...values,
    title: literal(`${operationId} ${responds}`),
    // As Prettier breaks a line of more than 80 characters.
    example: id.length > 43 ? `client.example(\n    ${id},\n  )` : `client.example(${id})`,
    imported: refusals.length > 0 ? ', expectRefused' : '',
  });
  const refused = refusals.map((status) =>
    template('operation/refusal.ts', {
      title: literal(`${operationId} responds with ${status}`),
      refused: id.length > 51 ? `\n    ${status},\n    ${id},\n  ` : `${status}, ${id}`,
    }),
  );
  return text + refused.join('');
}

/**
 * A known entry keeps its name. A file without entry belongs to the operation that its header names; without
 * header, to the operation that would get its name.
 */
export function entriesFor(
  operationIds: readonly string[],
  known: readonly Entry[],
  files: ReadonlyMap<string, string>,
): Entry[] {
  const names = new Map<string, string>();
  for (const [path, text] of files) {
    const operation = operationIn(text);
    if (operation !== undefined) names.set(operation, basename(path, '.ts'));
  }
  const knownNames = new Map(known.map(({ operationId, name }) => [operationId, name]));
  const found = operationIds.map(
    (operationId) => knownNames.get(operationId) ?? names.get(commentOf(operationId)),
  );
  const taken = new Set([...found, ...names.values()].map((name) => name?.toLowerCase() ?? ''));
  const added = new Map<string, string>();
  // Names that are identifiers stay as they are.
  const isExact = (operationId: string) => nameOf(operationId) === operationId;
  const missing = operationIds.filter((_, at) => found[at] === undefined);
  for (const operationId of [...missing.filter(isExact), ...missing]) {
    if (added.has(operationId)) continue;
    const name = uniqueName(operationId, taken);
    taken.add(name.toLowerCase());
    added.set(operationId, name);
  }
  return operationIds.map((operationId, at) => {
    return { operationId, name: found[at] ?? added.get(operationId)! };
  });
}

export async function mockResults(
  loaded: LoadedContract,
  operationIds: readonly string[],
): Promise<MockResult[]> {
  const api = await createApi<undefined, Request>({ contract: loaded, mock: 'all' });
  const client = await testClient({ contract: loaded, target: fetchHandler(api) });
  const limited = await refusingClient(loaded).catch(() => undefined);
  const results: MockResult[] = [];
  // The thread of slow mocks does not keep the process alive.
  const alive = setInterval(() => undefined, 60_000);
  for (const operationId of operationIds) {
    try {
      const request = client.example(operationId);
      const { status } = await client.fetch(request.clone());
      const refusals = limited === undefined ? [] : await refusalsOf(request, limited);
      results.push({ isSuccess: status < 400, refusals });
    } catch (error) {
      const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      results.push({ reason: line.slice(0, 300) });
    }
  }
  clearInterval(alive);
  return results;
}

/**
 * @returns a client of handlers, since mocks accept any credentials; its token has no scopes
 * @throws {Error} if a security scheme is not supported
 */
async function refusingClient(loaded: LoadedContract) {
  const { operations, securitySchemes } = loaded.definition;
  const handled = operations.filter(({ errors }) => errors.length === 0);
  const handlers = Object.fromEntries(handled.map(({ operationId }) => [operationId, () => ({})]));
  const schemes = [...securitySchemes.keys()];
  const verifiers = Object.fromEntries(
    schemes.map((name) => [name, () => ({ name: 'limited', scopes: [] })]),
  );
  const options = { contract: loaded, mock: 'missing', handlers, verifiers };
  const api = await createApi<undefined, Request>(options as never);
  return testClient({ contract: loaded, target: fetchHandler(api) });
}

/** @returns the statuses for requests without credentials and without scopes, if the contract declares them */
async function refusalsOf(
  request: Request,
  limited: Pick<TestClient<never>, 'fetch'>,
): Promise<RefusalStatus[]> {
  const { method, url } = request;
  const anonymous = new Request(url.replace(/\?.*/, ''), { method });
  const found: RefusalStatus[] = [];
  for (const status of REFUSALS) {
    const response = await limited
      .fetch(status === 401 ? anonymous : request)
      .catch(() => undefined);
    if (response?.status === status) found.push(status);
  }
  return found;
}
