// The package as a library: two contracts in memory, without files.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import {
  applyPolicy,
  changelogOf,
  changesBetween,
  jsonOf,
  markdownOf,
  reportOf,
} from '@stubwright/diff';
import { releaseError } from '@stubwright/diff/versions';

function toys(version: string, schema: object): { readonly definition: Contract } {
  const content = { 'application/json': { schema } };
  const paths = { '/toys': { post: { requestBody: { content }, responses: { 201: {} } } } };
  return {
    definition: new Contract({ openapi: '3.1.0', info: { title: 'Toys', version }, paths }),
  };
}

const BEFORE = toys('1.0.0', { type: 'string', maxLength: 20 });
const AFTER = toys('1.1.0', { type: 'string', maxLength: 10 });
const at = (file: string) => ({
  at: (pointer: string) => `${file}#${pointer}`,
  position: () => ({ file, line: 1, column: 1 }),
});
const LOCATIONS = { before: at('old'), after: at('new') };
const SCHEMA = '/paths/~1toys/post/requestBody/content/application~1json/schema';

describe('two contracts in memory', () => {
  const changes = changesBetween(BEFORE, AFTER);
  const breaking = changes.filter(({ severity }) => severity === 'breaking');

  it('are compared', () => {
    expect(breaking).toEqual([
      expect.objectContaining({
        rule: 'request-max-length-narrowed',
        operations: ['POST /toys'],
        part: 'request body',
        what: 'maxLength 20 became 10',
        before: `${SCHEMA}/maxLength`,
        after: `${SCHEMA}/maxLength`,
      }),
    ]);
  });

  it('are reported at the places that the caller knows', () => {
    expect(reportOf(breaking, LOCATIONS)).toContain(
      `old#${SCHEMA}/maxLength -> new#${SCHEMA}/maxLength`,
    );
    expect(jsonOf(breaking, LOCATIONS)).toMatchObject({
      severity: 'breaking',
      changes: [{ operation: 'POST /toys', after: { file: 'new', line: 1 } }],
    });
    expect(markdownOf(breaking, 'Toys')).toContain('maxLength 20 became 10');
    const title = { name: 'Toys', before: '1.0.0', after: '1.1.0' };
    expect(changelogOf(changes, title)).toContain('# Toys: 1.0.0 → 1.1.0');
  });

  it('need another version, unless the policy lowers the severity', () => {
    const error = (severities: Readonly<Record<string, 'compatible'>>) =>
      releaseError(
        applyPolicy(changes, { severities, ignore: [] }).changes,
        BEFORE.definition,
        AFTER.definition,
      );
    expect(error({})).toBe('1 breaking change since 1.0.0: expected none, or info.version 2.0.0');
    expect(error({ 'request-max-length-narrowed': 'compatible' })).toBeUndefined();
  });
});
