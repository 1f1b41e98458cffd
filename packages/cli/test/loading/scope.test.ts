// The operations that an error affects: those that read it for a request.
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { checkContract } from '../../src/loading/checkContract.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const BROKEN = { $ref: '#/nowhere' };

/** @param operation the fields of `post /toys` */
async function affectedBy(operation: object, root: object = {}): Promise<readonly string[]> {
  const responses = { 204: { description: 'ok' } };
  const contract = {
    ...{ openapi: '3.1.0', info: { title: 'Toys', version: '1' }, ...root },
    paths: { '/toys': { get: { responses }, post: { responses, ...operation } } },
  };
  const text = JSON.stringify(contract);
  writeFileSync(`${folder.path}/a.json`, text);
  const { errors } = await checkContract(`${folder.path}/a.json`);
  expect(errors).toHaveLength(1);
  return errors[0]!.operations;
}

const body = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } });

describe('an error', () => {
  it.each(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])(
    'below a name in %s affects the operation, whatever the name',
    async (map) => {
      for (const name of ['example', 'default', 'x-name', 'enum', 'toy']) {
        const operation = body({ [map]: { [name]: BROKEN } });
        expect([name, await affectedBy(operation)]).toEqual([name, ['post /toys']]);
      }
    },
  );

  it.each([
    ['a response', { responses: { 200: BROKEN } }],
    ['a header', { responses: { 200: { description: 'ok', headers: { 'x-a': BROKEN } } } }],
    ['an item', body({ items: { items: BROKEN } })],
  ])('in %s affects the operation', async (_, operation) => {
    expect(await affectedBy(operation)).toEqual(['post /toys']);
  });

  it.each([
    ['callbacks', { callbacks: { done: BROKEN } }],
    ['links', { responses: { 200: { description: 'ok', links: { next: BROKEN } } } }],
    ['examples', { requestBody: { content: { 'a/b': { examples: { one: BROKEN } } } } }],
    ['externalDocs', body({ externalDocs: BROKEN })],
  ])('in %s affects no operation', async (_, operation) => {
    expect(await affectedBy(operation)).toEqual([]);
  });

  it('in a security scheme affects the operations that require it', async () => {
    const components = { securitySchemes: { key: BROKEN } };
    expect(await affectedBy({ security: [{ key: [] }] }, { components })).toEqual(['post /toys']);
    const all = await affectedBy({ security: [] }, { components, security: [{ key: [] }] });
    expect(all).toEqual(['get /toys']);
  });
});
