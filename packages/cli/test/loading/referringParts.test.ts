// The references between the parts of a document.
import { expect, it } from '@jest/globals';
import { referringParts } from '../../src/loading/equalParts.ts';

const schema = (name: string) => `/components/schemas/${name}`;

it('are those of $ref, of a mapping and of its default', () => {
  const parts = referringParts({
    openapi: '3.2.0',
    components: {
      schemas: {
        Pet: {
          discriminator: {
            propertyName: 'kind',
            mapping: { cat: `#${schema('Cat')}`, dog: 'Dog' },
            defaultMapping: 'Other',
          },
          properties: { owner: { $ref: `#${schema('Owner')}` } },
        },
        ...{ Cat: {}, Dog: {}, Other: {}, Owner: {} },
      },
    },
  });
  expect(parts!.get(schema('Pet'))!.targets).toEqual(
    new Set(['Cat', 'Dog', 'Other', 'Owner'].map(schema)),
  );
});

it.each([
  ['a file', { $ref: 'other.yaml' }],
  ['an identifier', { $anchor: 'a' }],
])('are unknown with %s', (_, Pet) => {
  expect(referringParts({ openapi: '3.1.0', components: { schemas: { Pet } } })).toBeUndefined();
});
