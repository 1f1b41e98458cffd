// The JSON-Schema-Test-Suite of draft 2020-12 through contracts. `make test-conformance` runs it whole.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { type Failures, OPTIONAL_FAILURES, REQUIRED_FAILURES } from './jsonSchemaFailures.ts';
import { failuresOf, failuresOfAjv, type SuiteGroup, suiteGroups } from './jsonSchemaTestSuite.ts';

const isAllTested = process.env['ALL_TESTS'] === '1';
/** The files of the default run. */
const REPRESENTATIVE = [
  ...['anchor', 'boolean_schema', 'content', 'dynamicRef', 'ref', 'refRemote', 'unevaluatedItems'],
];

const groups = suiteGroups().filter(
  ({ name }) => isAllTested || REPRESENTATIVE.includes(name.split(':')[0]!),
);

describe.each(isAllTested ? ['3.1.1', '3.2.0'] : ['3.1.1'])(
  'the JSON-Schema-Test-Suite in OpenAPI %s',
  (openapi) => {
    let folder: TemporaryFolder;
    beforeAll(() => {
      folder = temporaryFolder();
    });
    afterAll(() => folder.remove());

    const failed = async (tested: readonly SuiteGroup[]) => {
      const failures: string[] = [];
      for (const group of tested) failures.push(...(await failuresOf(group, openapi, folder.path)));
      return failures;
    };

    it('passes each required test, but the listed ones', async () => {
      const required = groups.filter(({ isOptional }) => !isOptional);
      const failures = await failed(required);
      expect(differences(failures, required, REQUIRED_FAILURES)).toEqual([]);
      report('required', openapi, required, failures);
    }, 600_000);

    if (!isAllTested) return;
    it('passes each optional test, but the listed ones, and as many as Ajv alone', async () => {
      const optional = groups.filter(({ isOptional }) => isOptional);
      const failures = await failed(optional);
      expect(differences(failures, optional, OPTIONAL_FAILURES)).toEqual([]);
      expect(failures.length).toBeLessThanOrEqual(optional.flatMap(failuresOfAjv).length);
      report('optional', openapi, optional, failures);
    }, 600_000);
  },
);

/** @returns the failures that are not listed, and the listed tests of these groups that pass */
function differences(
  failures: readonly string[],
  tested: readonly SuiteGroup[],
  listed: Failures,
): string[] {
  const files = new Set(tested.map(({ name }) => fileOf(name)));
  const starts = Object.values(listed)
    .flat()
    .map((each): readonly [string, number] => (typeof each === 'string' ? [each, 1] : each))
    .filter(([start]) => files.has(fileOf(start)));
  const startOf = (failure: string) => starts.find(([start]) => failure.startsWith(start))?.[0];
  return [
    ...failures.filter((failure) => startOf(failure) === undefined),
    ...starts.flatMap(([start, expected]) => {
      const count = failures.filter((failure) => startOf(failure) === start).length;
      return count === expected ? [] : [`${start}  ${count} fail, ${expected} are listed`];
    }),
  ];
}

function fileOf(name: string): string {
  return name.split(':')[0]!;
}

function report(
  kind: string,
  openapi: string,
  tested: readonly SuiteGroup[],
  failures: readonly string[],
): void {
  if (!isAllTested) return;
  const total = tested.reduce((sum, { tests }) => sum + tests.length, 0);
  const ajv = total - tested.flatMap(failuresOfAjv).length;
  const passed = total - failures.length;
  process.stdout.write(
    `JSON-Schema-Test-Suite, ${kind}, OpenAPI ${openapi}: ${passed} of ${total} pass, ${ajv} with Ajv alone\n`,
  );
}
