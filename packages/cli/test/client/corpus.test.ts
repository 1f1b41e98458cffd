// Generated clients of public contracts: they compile, and every call gets a declared success of the mock,
// also those of the README.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { AnyReply } from '@stubwright/client';
import {
  Contract,
  type DeclaredResponse,
  isHidden,
  isJson,
  type Node,
  type Operation,
  type Schema,
  type SecurityScheme,
  valueAt,
  withValueAt,
} from '@stubwright/contract';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import { createApi } from 'stubwright';
import { clientValidation } from 'stubwright/client-validation';
import { fetchHandler } from 'stubwright/fetch';
import ts from 'typescript';
import { clientPackage } from '../../src/client/clientPackage.ts';
import { ExampleCalls } from '../../src/client/exampleCalls.ts';
import { functionNames } from '../../src/client/names.ts';
import { clientContract } from '../../src/loading/load.ts';
import { readmeSource } from '../support/readmeSource.ts';

const CORPUS = '../shared/corpus/contracts.tar.xz';
const OWN = ['contract.yaml', 'openapi32.yaml', 'partHeaders.yaml'];
const NAMES = [
  ...['2ch.yaml', 'cloudevents-subscriptions.yaml', 'manga.json', 'museum.yaml'],
  ...['oai-3.2-tags-example.yaml', 'oai-non-oauth-scopes.yaml', 'redoc-petstore-3.1.yaml'],
  ...['schemathesis-petstore.yaml', 'swagger-petstore.yaml', 'traccar.yaml', 'train-travel.yaml'],
  'ynab.yaml',
];
const hasCorpus = isTestAll && existsSync(CORPUS);
if (isTestAll && !hasCorpus) process.stderr.write(`SKIPPED: ${CORPUS} is not there\n`);

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** @returns the module with a function for each call */
async function writeCalls(path: string, target: string): Promise<Contract> {
  mkdirSync(target, { recursive: true });
  const contract = await clientContract(path);
  const { document } = contract;
  const { files } = await clientPackage(path, contract);
  for (const [name, text] of files) writeFileSync(join(target, name), text);
  writeReadme(files.get('README.md')!, target);
  const definition = new Contract(structuredClone(document), contract.errors);
  const examples = new ExampleCalls(definition);
  const names = functionNames(definition.operations);
  const calls = definition.operations.map((operation) => {
    const name = names.get(operation.operationId)!;
    const example = examples.of(operation)?.text.replaceAll('withPartHeaders(', 'api.$&');
    const args = ['connection', example].filter(Boolean).join(', ');
    return [
      `  async ${name}(connection: api.Connection) {\n`,
      `    const reply = await api.${name}(${args});\n    bodies.push(reply.body);\n    const { status } = reply;\n    switch (reply.status) {\n`,
      ...successesOf(operation).map((status) => caseOf(operation, status)),
      '      default:\n        return { status, isSuccess: false };\n    }\n  },\n',
    ].join('');
  });
  const source = `import * as api from './index.js';\nexport const bodies: unknown[] = [];\nexport const calls = {\n${calls.join('')}};\n`;
  writeFileSync(join(target, 'calls.ts'), source);
  writeFileSync(join(target, 'calls.js'), ts.transpile(source, { module: ts.ModuleKind.ESNext }));
  return definition;
}

const SUCCESSES = [200, 201, 202, 203, 204, 205, 206, 207, 208, 226];

/** `default` describes errors, unless it is the only response. */
function successesOf({ responses }: Operation): number[] {
  const isOnly = responses.size === 1 && responses.has('default');
  const hasRange = isOnly || responses.has('2XX') || responses.has('2xx');
  return SUCCESSES.filter((status) => hasRange || responses.has(String(status)));
}

/** Reads the required properties of a success, which compiles only if the status narrows the reply. */
function caseOf(operation: Operation, status: number): string {
  const { responses } = operation;
  const response =
    responses.get(String(status)) ??
    [...responses].find(([each]) => /^(?:2XX|default)$/i.test(each))?.[1];
  const read = requiredProperties(response!).map((name) => `${JSON.stringify(name)}`);
  const values = read.map((name) => `reply.body[${name}]`);
  return `      case ${status}:\n        return { status, isSuccess: true, read: [${values.join(', ')}] };\n`;
}

function requiredProperties({ contents }: DeclaredResponse): string[] {
  const [only, other] = contents.entries;
  if (only === undefined || other !== undefined || !isJson(only.key)) return [];
  const { schema } = only.content;
  if (!schema || schema.isNullable) return [];
  const parts: readonly Schema[] = schema.conjuncts;
  const isPlain = parts.every((each) => !each.has('oneOf') && !each.has('anyOf'));
  if (!isPlain || !parts.some(({ types }) => types?.size === 1 && types.has('object'))) return [];
  const properties = new Map(parts.flatMap((each) => [...each.map('properties')]));
  const isRead = (name: string) => {
    const property = properties.get(name);
    return property !== undefined && !isHidden(property, 'response');
  };
  return parts.flatMap(({ keywords }) => (keywords.required ?? []) as string[]).filter(isRead);
}

/** Writes the examples of a README as a module: its first call, and each call of an operation in a block. */
function writeReadme(readme: string, target: string): void {
  const source = readmeSource(readme);
  writeFileSync(join(target, 'readme.ts'), source);
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  writeFileSync(join(target, 'readme.js'), ts.transpile(source, options));
}

/** @returns the calls of the README without a declared success of the mock, which needs no credentials */
async function callReadme(target: string, { document }: Contract): Promise<string[]> {
  const definition = new Contract(withoutSecurity(structuredClone(document)));
  const contract = { definition, warnings: [], files: [] } as never;
  const serve = fetchHandler(await createApi({ contract, mock: 'all' }));
  const original = globalThis.fetch;
  globalThis.fetch = (async (url: string, init: RequestInit) =>
    serve(new Request(url, init))) as typeof fetch;
  try {
    const { replies }: { replies: AnyReply[] } = await import(join(target, 'readme.js'));
    await cancelStreams(replies.map(({ body }) => body));
    const statuses = new Map(replies.map(({ operationId, status }) => [operationId, status]));
    return definition.operations.flatMap((operation) => {
      const status = statuses.get(operation.operationId)!;
      const successes = successesOf(operation);
      const isExpected = successes.length === 0 ? status > 0 : successes.includes(status);
      return isExpected ? [] : [`${operation.operationId}: ${status}`];
    });
  } finally {
    globalThis.fetch = original;
  }
}

/** Nobody reads them. */
async function cancelStreams(bodies: readonly unknown[]): Promise<void> {
  for (const body of bodies as readonly (Partial<AsyncIterable<unknown>> | null | undefined)[]) {
    await body?.[Symbol.asyncIterator]?.().return?.();
  }
}

function withoutSecurity(document: Node): Node {
  delete document.security;
  return new Contract(document).operations.reduce((whole, { pointer }) => {
    const { security: _, ...operation } = valueAt(whole, pointer) as Node;
    return withValueAt(whole, pointer, operation) as Node;
  }, document);
}

/** @returns the calls without a declared success, and the number of operations that declare one */
async function callAll(target: string, definition: Contract) {
  const { connect } = await import(join(target, 'index.js'));
  const { bodies, calls } = await import(join(target, 'calls.js'));
  const schemes = [...definition.securitySchemes];
  const contract = { definition, warnings: [], files: [] } as never;
  const api = await createApi({
    contract,
    mock: 'all',
    basePath: '',
    verifiers: Object.fromEntries(schemes.map(([name]) => [name, () => ({ name: 'any' })])),
  });
  const serve = fetchHandler(api);
  const connection = connect({
    baseUrl: 'http://localhost',
    retry: false,
    validate: await clientValidation(contract),
    fetch: (url: string, init: RequestInit) => serve(new Request(url, init)),
    ...Object.fromEntries(schemes.map(([name, scheme]) => [name, credentialOf(scheme)])),
  });
  const failed: string[] = [];
  const names = functionNames(definition.operations);
  let count = 0;
  for (const operation of definition.operations) {
    const { operationId } = operation;
    const isExpected = successesOf(operation).length > 0;
    if (isExpected) count++;
    try {
      const { status, isSuccess } = await calls[names.get(operationId)!](connection);
      if (isSuccess !== isExpected) failed.push(`${operationId}: ${status}`);
    } catch (error) {
      failed.push(`${operationId}: ${error}`);
    }
  }
  await cancelStreams(bodies);
  failed.push(...(await callReadme(target, definition)).map((each) => `README: ${each}`));
  return { failed, count };
}

function credentialOf({ type, scheme }: SecurityScheme): unknown {
  return type === 'http' && scheme === 'basic' ? { username: 'u', password: 'p' } : 'token';
}

/** @returns the errors under `strict`, with the declarations of libraries checked */
function compile(targets: readonly string[]): string[] {
  const program = ts.createProgram(
    targets.flatMap((target) => [join(target, 'calls.ts'), join(target, 'readme.ts')]),
    {
      ...{ strict: true, skipLibCheck: false, noEmit: true, allowImportingTsExtensions: true },
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ verbatimModuleSyntax: true, isolatedModules: true, types: [] },
      ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 },
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    },
  );
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file, start }) => {
    const line = file?.text.slice(0, start).split('\n').length;
    return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

describe('a generated client', () => {
  const targetOf = (name: string) => join(folder.path, name.replace(/\.\w+$/, ''));
  mkdirSync(join(folder.path, 'node_modules/@stubwright'), { recursive: true });
  symlinkSync(resolve('packages/client'), join(folder.path, 'node_modules/@stubwright/client'));
  writeFileSync(join(folder.path, 'package.json'), '{"type": "module"}');

  it('gets a declared success of the mock for each of its calls, and those of its README', async () => {
    let total = 0;
    for (const name of OWN) {
      const definition = await writeCalls(join('packages/cli/test/types', name), targetOf(name));
      const { failed, count } = await callAll(targetOf(name), definition);
      expect({ name, failed }).toEqual({ name, failed: [] });
      total += count;
    }
    expect(total).toBe(20);
  });

  inTestAll(it)('of public contracts too, and compiles under strict', async () => {
    if (hasCorpus) execFileSync('tar', ['xJf', resolve(CORPUS)], { cwd: folder.path });
    let total = 0;
    for (const name of hasCorpus ? NAMES : []) {
      const definition = await writeCalls(join(folder.path, name), targetOf(name));
      const { failed, count } = await callAll(targetOf(name), definition);
      expect({ name, failed }).toEqual({ name, failed: [] });
      total += count;
    }
    if (hasCorpus) expect(total).toBeGreaterThan(250);
    const all = [...OWN, ...(hasCorpus ? NAMES : [])];
    expect(compile(all.map(targetOf))).toEqual([]);
  });
});
