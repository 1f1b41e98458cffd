// Small contracts, each for an error that a public contract once met: checked, served and mocked.
// `x-expect` in one lists its warnings, its errors, and how many operations these disable.

import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { loadContractFiles, loadMockable } from '@stubwright/cli/loader';
import { type Contract, ContractErrors, type LoadedContract } from '@stubwright/contract';
import { textOf } from '@stubwright/contract/printable';
import { Validators } from '@stubwright/contract/values';
import { createMocks } from '@stubwright/mock';
import { serveDefinition, type ToyOptions } from '@stubwright/test-support/toy';
import { sweep } from '../src/corpus/sweep.ts';

const FOLDER = 'packages/test-support/regressions';

interface Expectation {
  readonly warnings?: readonly string[];
  readonly errors?: readonly string[];
  readonly disabled?: number;
  /** As `get /toys`. */
  readonly operations?: readonly string[];
}

const contracts = readdirSync(FOLDER).map((name) => {
  const path = `${FOLDER}/${name}`;
  return existsSync(`${path}/openapi.yaml`) ? `${path}/openapi.yaml` : path;
});

async function failuresOf(
  contract: LoadedContract,
  options: ToyOptions,
): Promise<readonly string[]> {
  const { url, close } = await serveDefinition(contract.definition, options);
  try {
    return (await sweep(contract, url)).failures;
  } finally {
    await close();
  }
}

/** Handlers that return declared responses, and verifiers that accept all credentials. */
async function implementation(definition: Contract): Promise<ToyOptions> {
  const mocks = await createMocks(definition, new Validators(definition, 'response'));
  const handlers = definition.operations.map((operation) => [
    operation.operationId,
    () => mocks.replyWith(operation, mocks.statusOf(operation)),
  ]);
  const schemes = [...definition.securitySchemes.keys()].map((name) => [
    name,
    () => ({ name: 'caller' }),
  ]);
  return { handlers: Object.fromEntries(handlers), verifiers: Object.fromEntries(schemes) };
}

/** Each text contains one of the parts, and each part is in a text. */
function expectEach(texts: readonly string[], parts: readonly string[]): void {
  expect(texts.filter((text) => !parts.some((part) => text.includes(part)))).toEqual([]);
  expect(parts.filter((part) => !texts.some((text) => text.includes(part)))).toEqual([]);
}

describe.each(contracts)('%s', (path) => {
  it('is checked', async () => {
    const loaded = await loadMockable(path);
    const { definition } = loaded;
    const warnings = loaded.warnings.map(textOf);
    const expected: Expectation = definition.document['x-expect'] ?? {};
    const isDisabling = (text: string) => text.endsWith(' is disabled');
    expect(warnings.filter(isDisabling)).toHaveLength(expected.disabled ?? 0);
    const { errors = [], operations } = expected;
    const found = definition.operations.map(
      ({ method, path: template }) => `${method} ${template}`,
    );
    expect(found).toEqual(operations ?? found);
    const rest = warnings.filter((text) => !isDisabling(text));
    expectEach(rest, [...(expected.warnings ?? []), ...errors]);
  });

  it('is served, or refused with its errors', async () => {
    try {
      const contract = await loadContractFiles(path);
      expect(contract.definition.document['x-expect']?.errors).toBeUndefined();
      expect(await failuresOf(contract, await implementation(contract.definition))).toEqual([]);
    } catch (error) {
      if (!(error instanceof ContractErrors)) throw error;
      const { definition } = await loadMockable(path);
      expectEach(error.errors, definition.document['x-expect'].errors);
    }
  });

  it('is mocked', async () => {
    const contract = await loadMockable(path);
    expect(await failuresOf(contract, { mock: 'all', handlers: {} })).toEqual([]);
  });
});
