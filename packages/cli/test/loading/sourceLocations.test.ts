// Source locations of changes in contracts of several files.
import { describe, expect, it } from '@jest/globals';
import { changesBetween } from '@stubwright/diff';
import { withFiles } from '@stubwright/test-support/contractFiles';
import { SourceLocations } from '../../src/loading/load.ts';

const PARTS = {
  'openapi.yaml': `openapi: 3.0.3
info: { title: Toys, version: '1' }
paths:
  /toys:
    $ref: paths/toys.yaml
`,
  'paths/toys.yaml': `post:
  requestBody:
    content:
      application/json:
        schema: { $ref: '../schemas.yaml#/Toy' }
  responses: { '204': { description: none } }
`,
  'schemas.yaml': `Toy:
  type: object
  properties:
    parts:
      type: array
      items: { $ref: '#/Part' }
Part:
  type: object
  properties:
    name:
      type: string
`,
};

/** Locations of the first change, in the contract of several files and in the changed one. */
function locationsOfChange(changed: Partial<typeof PARTS>) {
  return withFiles(PARTS, (loadBefore, folder) =>
    withFiles({ ...PARTS, ...changed }, async (loadAfter, otherFolder) => {
      const [before, after] = [await loadBefore(), await loadAfter()];
      const [change] = changesBetween(before, after);
      const locations = async (root: string) =>
        SourceLocations.of(`${root}/openapi.yaml`, {
          shown: (file) => file.slice(root.length + 1),
        });
      return [
        (await locations(folder)).at(change!.before),
        (await locations(otherFolder)).at(change!.after),
      ];
    }),
  );
}

describe('the location of a change', () => {
  it('is in the target file of nested $refs', async () => {
    const schemas = PARTS['schemas.yaml'].replace('string', 'string\n      maxLength: 9');
    expect(await locationsOfChange({ 'schemas.yaml': schemas })).toEqual([
      'schemas.yaml:10:5',
      'schemas.yaml:12:7',
    ]);
  });

  it('is in the file of a path item', async () => {
    const toys = PARTS['paths/toys.yaml'].replace('post:', 'post:\n  operationId: addToy');
    expect(await locationsOfChange({ 'paths/toys.yaml': toys })).toEqual([
      'paths/toys.yaml:1:1',
      'paths/toys.yaml:2:3',
    ]);
  });

  it('is that of the nearest ancestor where the value is absent', async () => {
    const toys = PARTS['paths/toys.yaml'].replace("'204'", "'200'");
    expect(await locationsOfChange({ 'paths/toys.yaml': toys })).toEqual([
      'paths/toys.yaml:6:16',
      'paths/toys.yaml:6:3',
    ]);
  });
});
