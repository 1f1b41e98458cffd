// The handler and the test of an operation.
import { basename } from 'node:path';
import type { Entry } from './handlerIndex.ts';
import { commentOf, literal, nameOf, uniqueName } from './names.ts';
import { template } from './templates.ts';
import { RUNNERS } from './testRunner.ts';

export const HANDLERS = 'src/handlers';
export const TESTS = 'test/api';

export const REFUSALS = [401, 403] as const;

/** The status for a request without credentials, or without scopes. */
export type RefusalStatus = (typeof REFUSALS)[number];

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
