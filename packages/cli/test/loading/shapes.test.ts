// Contracts in which one node has another shape: each loads, or has located errors.
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ContractErrors, contractFromBundle } from '@stubwright/contract';
import { errorsOf, toy } from '@stubwright/test-support/contractFiles';
import { RICH } from '@stubwright/test-support/richContracts';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { checkedContract, publishedYaml } from '../../src/loading/load.ts';
import { mutated, pathsIn, SHAPE_ERRORS, SHAPES, shapeErrors } from './shapeErrors.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Of JavaScript, not of contracts. */
const RAW = /Cannot (?:read|destructure|convert|use)|is not (?:iterable|a function)|call stack/;

async function expectLocated(contract: object): Promise<void> {
  const path = `${folder.path}/a.json`;
  writeFileSync(path, JSON.stringify(contract));
  try {
    const checked = await checkedContract(path);
    // As loadMockable and loadContract do.
    const publish = () => publishedYaml(path, checked.document);
    for (const isMocked of [true, false]) contractFromBundle(path, checked, publish, { isMocked });
  } catch (error) {
    if (!(error instanceof ContractErrors)) throw error;
    for (const line of error.errors) {
      expect(line.replace(path, 'a.json')).toMatch(/^a\.json:\d+:\d+ {2}.* {2}expected /);
      expect(line).not.toMatch(RAW);
    }
  }
}

inTestAll(it)(
  'shapeErrors.txt has the errors of one node of another shape; make transcripts writes it',
  async () => {
    expect(await shapeErrors()).toBe(readFileSync(SHAPE_ERRORS, 'utf8'));
  },
);

describe.each(Object.entries(RICH))('a contract of OpenAPI %s', (_, contract) => {
  const paths = [...pathsIn(contract)];

  it('loads', async () => {
    expect(await errorsOf({ 'a.json': JSON.stringify(contract) })).toEqual([]);
  });

  it('loads or has located errors for any shape of one node', async () => {
    const mutation = fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...SHAPES));
    await fc.assert(
      fc.asyncProperty(mutation, ([path, shape]) => expectLocated(mutated(contract, path, shape))),
      { numRuns: isTestAll ? 1_000 : 60 },
    );
  }, 300_000);
});

const NUMERIC = ['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum'];
const COUNTED = ['Length', 'Items', 'Contains', 'Properties'].flatMap((of) => [
  `min${of}`,
  `max${of}`,
]);

describe('a keyword', () => {
  const errorOf = (keyword: string, value: unknown, openapi = '3.1.0') =>
    errorsOf({ 'a.json': toy({ openapi, schemas: JSON.stringify({ A: { [keyword]: value } }) }) });

  it.each(NUMERIC)('%s is a number', async (keyword) => {
    for (const value of ['x', [], {}]) {
      expect(await errorOf(keyword, value)).toEqual([expect.stringContaining('expected a number')]);
    }
    expect(await errorOf(keyword, 0.5)).toEqual([]);
  });

  it.each(COUNTED)('%s is a number of 0 or more', async (keyword) => {
    for (const value of ['x', -1, true]) {
      const [error, ...others] = await errorOf(keyword, value);
      expect([error, ...others]).toEqual([
        expect.stringContaining('expected a number of 0 or more'),
      ]);
    }
    expect(await errorOf(keyword, 0)).toEqual([]);
  });

  it.each(['exclusiveMinimum', 'exclusiveMaximum'])(
    '%s is a flag of OpenAPI 3.0',
    async (keyword) => {
      expect(await errorOf(keyword, true, '3.0.3')).toEqual([]);
    },
  );
});
