// The operations that an error affects: those that a request reads it for.
import { describe, expect, it } from '@jest/globals';
import type { Document } from '@redocly/openapi-core';
import type { ContractFiles } from '../../src/loading/files.ts';
import { operationsLeadingTo } from '../../src/loading/scope.ts';

const FILE = 'a.yaml';

/** @param operation the fields of `post /toys` */
async function affectedBy(pointer: string, operation: object): Promise<readonly string[]> {
  const parsed = { paths: { '/toys': { get: {}, post: operation } } };
  const files = { documents: async () => new Map([[FILE, parsed]]) };
  const root = { parsed, source: { absoluteRef: FILE } };
  const thing = { file: FILE, pointer: `#/paths/~1toys/post${pointer}` };
  const all = await operationsLeadingTo(
    [thing],
    root as unknown as Document,
    files as unknown as ContractFiles,
  );
  return all.get(thing)!;
}

describe('an error', () => {
  it.each([
    ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
    ...['responses', 'headers', 'content', 'encoding', 'schemas', 'securitySchemes', 'variables'],
  ])('below a name in %s affects the operation, whatever the name', async (map) => {
    for (const name of ['example', 'default', 'x-name', '$ref', 'toy']) {
      expect([name, await affectedBy(`/${map}/${name}`, { [map]: { [name]: {} } })]).toEqual([
        name,
        ['post /toys'],
      ]);
    }
  });

  it.each([
    ...['example', 'examples', 'default', 'enum', 'const', 'callbacks', 'links', 'externalDocs'],
    'x-data',
  ])('below the field %s affects no operation', async (field) => {
    expect(await affectedBy(`/${field}/a`, { [field]: { a: {} } })).toEqual([]);
    const inner = { items: { [field]: { a: {} } } };
    expect(await affectedBy(`/items/${field}/a`, inner)).toEqual([]);
  });

  it('below another field affects the operation', async () => {
    expect(await affectedBy('/items/properties', { items: { properties: {} } })).toEqual([
      'post /toys',
    ]);
  });
});
