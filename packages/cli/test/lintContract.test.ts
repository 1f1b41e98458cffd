// The lint rules for contracts.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { withFiles } from '../../stubwright/test/support/contractFiles.ts';
import { lintContract } from '../src/check/lintContract.ts';
import { CONTRACT } from './support/toyProject.ts';

const SOURCE = readFileSync(CONTRACT, 'utf8');
const CONFIG = 'packages/cli/test/support/redocly.yaml';

/** Lints files in a temporary folder; the first one is the contract. */
function findingsOf(files: Record<string, string>): Promise<string[]> {
  return withFiles(files, async (_load, folder) => {
    const lines = await lintContract(`${folder}/${Object.keys(files)[0]}`, CONFIG);
    return lines.map((line) => line.replaceAll(`${folder}/`, ''));
  });
}

/** The contract with every `from` replaced by `to`. */
function edited(from: string, to: string): Record<string, string> {
  expect(SOURCE).toContain(from);
  return { 'openapi.yaml': SOURCE.replaceAll(from, to) };
}

/** @returns `line:column`, both starting at 1 */
function locationOf(text: string, found: string): string {
  const lines = text.slice(0, text.indexOf(found)).split('\n');
  return `${lines.length}:${lines.at(-1)!.length + 1}`;
}

describe('lintContract', () => {
  it('reports nothing for a contract that follows the rules', async () => {
    expect(await lintContract(CONTRACT, CONFIG)).toEqual([]);
  });

  it.each([
    ['operation-operationId', 'operationId: storeToy', 'x-was: storeToy', 'post:'],
    ['operation-summary', 'summary: Store a toy', 'x-was: it', 'post:'],
    [
      'operation-description',
      'description: |\n        Stores',
      'x-was: |\n        Stores',
      'post:',
    ],
    ['rule/operation-id-style', 'storeToy', 'store_toy', 'store_toy'],
    ['rule/security-scheme-style', 'bearerAuth', 'Bearer', 'Bearer:\n      type'],
    ['rule/property-style', '        tag:\n', '        Tag:\n', 'Tag:'],
    ['rule/schema-name-style', 'NewToy', 'new_toy', 'new_toy:'],
    ['rule/response-name-style', 'Conflict', 'conflict', 'conflict:'],
    ['rule/header-component-style', 'RetryAfter', 'retryAfter', 'retryAfter:'],
    ['rule/example-name-style', '            taken:\n', '            IsTaken:\n', 'IsTaken:'],
    ['paths-kebab-case', '  /toys:\n', '  /Toys:\n', '/Toys:'],
    [
      'house/examples',
      'examples:\n                tagged:\n                  summary: A toy with a tag\n                  value: { name',
      'x-was:\n                tagged:\n                  summary: A toy with a tag\n                  value: { name',
      'application/json:\n              schema:\n                $ref: "#/components/schemas/Toy"',
    ],
    [
      'house/error-body',
      '      description: The id holds another toy, which stays as it was.\n      content:\n        application/json:\n          schema:\n            $ref: "#/components/schemas/Error"',
      '      description: The id holds another toy, which stays as it was.\n      content:\n        application/json:\n          schema:\n            $ref: "#/components/schemas/Toy"',
      '$ref: "#/components/schemas/Toy"\n          examples:\n            taken',
    ],
    [
      'house/error-body',
      '"409":\n          $ref: "#/components/responses/Conflict"',
      '"409":\n          description: No',
      '"409":',
    ],
    [
      'house/named-schemas',
      'schema:\n              $ref: "#/components/schemas/NewToy"',
      'schema:\n              { type: object, required: [id], properties: { id: { type: integer } } }',
      '{ type: object',
    ],
    [
      'no-invalid-media-type-examples',
      'value: { id: 2, name',
      'value: { id: two, name',
      'two, name',
    ],
    ['examples', '9223372036854775807', '9223372036854775808', '{ id: 9223372036854775808'],
    [
      'no-unused-components',
      '"409":\n          $ref: "#/components/responses/Conflict"',
      '"409":\n          $ref: "#/components/responses/BadRequest"',
      'Conflict:',
    ],
  ])('reports a violation of %s', async (rule, from, to, location) => {
    const files = edited(from, to);
    const found = await findingsOf(files);
    const at = locationOf(files['openapi.yaml']!, location);
    expect(found.filter((line) => line.endsWith(`  (${rule})`))).toContainEqual(
      expect.stringMatching(new RegExp(`^openapi\\.yaml:${at}  \\S.*  \\(`)),
    );
  });

  it('reports the file of a finding in a contract of several files', async () => {
    const files = edited(
      'schema:\n              $ref: "#/components/schemas/NewToy"',
      'schema:\n              $ref: schemas/NewToy.yaml',
    );
    files['schemas/NewToy.yaml'] =
      'type: object\ndescription: d\nproperties:\n  Id: {type: integer}\n';
    const found = await findingsOf(files);
    expect(found).toContainEqual(
      'schemas/NewToy.yaml:4:3  "Id" should use camelCase  (rule/property-style)',
    );
  });

  it('reports only the errors of a contract that does not load', async () => {
    const found = await findingsOf(edited('bearerAuth: []', 'bearer: []'));
    expect(found).toEqual([
      expect.stringMatching(/^openapi\.yaml:\d+:\d+ {2}the security scheme bearer is unknown/),
    ]);
  });
});
