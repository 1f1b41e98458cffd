// Which version a request names by its path.
import { expect, it } from '@jest/globals';
import { VersionSelection } from '../src/versionSelection.ts';

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
