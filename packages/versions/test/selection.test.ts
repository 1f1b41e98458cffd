// Which version a request names by its path.
import { expect, it } from '@jest/globals';
import { VersionSelection } from '../src/versionSelection.ts';
import { served, v1 } from './support.ts';

const selection = new VersionSelection(
  {
    ...{ header: undefined, mediaType: undefined, default: undefined },
    versions: ['/v1', '/v1/beta'].map((path, at) => ({
      ...{ version: `1.${at}.0`, path, until: undefined, contract: '', converters: '' },
    })),
  },
  '2.0.0',
  '/api',
);

it.each([
  ['/api/v1', '1.0.0', '/api/v1'],
  ['/api/v1/toys', '1.0.0', '/api/v1'],
  ['/api/v1/beta/toys', '1.1.0', '/api/v1/beta'],
  ['/api/v1/betas', '1.0.0', '/api/v1'],
  ['/api/v10/toys', undefined, undefined],
  ['/api/toys', undefined, undefined],
  ['/v1/toys', undefined, undefined],
])('%s names %s', (path, version, prefix) => {
  const expected = version === undefined ? undefined : { version, prefix };
  expect(selection.named({ path, headers: {} })).toEqual(expected);
});

it('fails for the path of the servers of the current contract', async () => {
  const yaml =
    'servers: [{url: https://toys.example/v1}]\npaths: {/toys: {get: {operationId: list}}}';
  const options = { yaml, older: v1(yaml), handlers: { list: () => ({ status: 200 }) } as never };
  await expect(served(options)).rejects.toThrow('the path /v1 hides /v1/toys of 2.0.0');
  await expect(served({ ...options, basePath: '' })).resolves.toBeDefined();
});
