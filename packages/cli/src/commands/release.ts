// `stubwright release`: stores the contract and the requests of its clients as a release.
// Usage: release.ts [CONTRACT [FOLDER]]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition, Operation } from 'stubwright/internal/document/definition';
import { ExampleRequests } from 'stubwright/internal/mock/exampleRequest';
import { Samples } from 'stubwright/internal/mock/sample';
import { Validators } from 'stubwright/internal/schema/validator';
import { stringify } from 'yaml';
import { CONTRACT, contractOf, RELEASED } from '../check/contracts.ts';
import { changesBetween } from '../diff/changes.ts';
import { releaseError, releasesIn, versionOf } from '../diff/releases.ts';
import { parseText } from '../loading/parse.ts';

interface Conversation {
  readonly name: string;
  readonly requests: readonly { readonly operationId: string }[];
}

const [path = CONTRACT, folder = RELEASED] = process.argv.slice(2);
try {
  await release();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function release(): Promise<void> {
  const contract = await contractOf(path);
  const version = versionOf(contract.definition);
  const target = join(folder, `${version}.yaml`);
  if (existsSync(target)) {
    throw new Error(`${version} is released already: expected another info.version in ${path}`);
  }
  const last = releasesIn(folder).at(-1);
  if (last !== undefined) {
    const before = await contractOf(last.path);
    const changes = changesBetween(before, contract);
    const error = releaseError(changes, before.definition, contract.definition);
    if (error !== undefined) throw new Error(error);
  }
  const known = last === undefined ? [] : conversationsOf(last.path);
  const conversations = [...known, ...exampleCalls(contract.definition, known)];
  mkdirSync(folder, { recursive: true });
  writeFileSync(target, textOf(contract.definition));
  writeFileSync(requestsOf(target), `${JSON.stringify(conversations, null, 2)}\n`);
  process.stdout.write(
    `${target}: ${conversations.length} conversations in ${requestsOf(target)}\n`,
  );
}

/** A release that was copied by hand has no recorded requests. */
function conversationsOf(release: string): Conversation[] {
  const path = requestsOf(release);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
}

function requestsOf(contract: string): string {
  return contract.replace(/\.ya?ml$/, '.requests.json');
}

/** @returns the source of a contract in one file; otherwise the bundled document */
function textOf({ document }: Definition): string {
  const text = readFileSync(path, 'utf8');
  const hasNoExternalRefs = (node: unknown): boolean =>
    typeof node !== 'object' || node === null
      ? true
      : Object.entries(node).every(([key, value]) =>
          key === '$ref' && typeof value === 'string'
            ? value.startsWith('#')
            : hasNoExternalRefs(value),
        );
  const parsed = parseText(text, path.endsWith('.json'));
  return parsed.errors === undefined && hasNoExternalRefs(parsed.value)
    ? text
    : stringify(document);
}

/**
 * Makes a conversation from the examples of each operation that no conversation calls. The operations
 * other than POST come after all POST operations, which create the resources.
 */
function exampleCalls(definition: Definition, known: readonly Conversation[]) {
  const called = new Set(
    known.flatMap(({ requests }) => requests.map(({ operationId }) => operationId)),
  );
  const validators = new Validators(definition, 'request');
  const samples = new Samples(validators);
  const requests = new ExampleRequests(definition, validators, samples);
  const callOf = (operation: Operation) => {
    const { target, headers, body } = requests.of(operation, 'TOKEN');
    const success = [...operation.responses.keys()].find((status) => /^2\d\d$/.test(status));
    return {
      operationId: operation.operationId,
      method: operation.method,
      path: target,
      headers,
      ...(typeof body === 'string' && { body: [body] }),
      status: Number(success ?? 200),
      isUntyped: target !== operation.path,
    };
  };
  const posts = definition.operations.filter(({ method }) => method === 'post');
  return definition.operations
    .filter(({ operationId }) => !called.has(operationId))
    .map((operation) => ({
      name: `${operation.operationId} as documented`,
      requests: [...(operation.method === 'post' ? [] : posts), operation].map(callOf),
    }));
}
