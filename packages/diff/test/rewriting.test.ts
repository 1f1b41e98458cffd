// Contracts that are rewritten without a change for clients: upgraded to 3.1, or in other keywords.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Contract, type Node } from '@stubwright/contract';
import { LABELLED_PAIRS, labelledSample } from '@stubwright/test-support/labelled/pairs';
import { FIGMA, GITHUB, itWith } from '@stubwright/test-support/publicContracts';
import { inTestAll, isTestAll } from '@stubwright/test-support/testAll';
import { changesBetween } from '../src/contract/changes.ts';
import { reexpressed, upgraded } from './rewriting.ts';
import { nodeOf } from './toyContract.ts';

function incompatible(before: Node, after: Node) {
  return changesBetween(
    { definition: new Contract(before) },
    { definition: new Contract(after) },
  ).filter(({ severity }) => severity !== 'compatible');
}

describe('an upgrade to OpenAPI 3.1', () => {
  const toys = () => nodeOf(readFileSync('packages/test-support/toys.yaml', 'utf8'));

  it('is compatible for the toy store', () => {
    expect(incompatible(toys(), upgraded(toys()))).toEqual([]);
  });

  it('rewrites every keyword of the recipe', () => {
    const before = nodeOf(`
openapi: 3.0.3
info: {title: Toys, version: '1'}
paths:
  /toys:
    post:
      requestBody:
        content:
          multipart/form-data: {schema: {type: object, properties: {file: {type: string, format: binary}}}}
          application/octet-stream: {schema: {type: string, format: binary}}
          application/json:
            schema:
              type: object
              properties:
                a: {type: string, nullable: true, enum: [x], example: x}
                b: {type: number, minimum: 1, exclusiveMinimum: true}
                c: {type: string, format: byte}
                d: {nullable: true, allOf: [{$ref: '#/components/schemas/Toy'}]}
      responses: {'200': {description: a, content: {image/png: {schema: {type: string, format: binary}}}}}
components: {schemas: {Toy: {type: object, properties: {name: {type: string}}}}}`);
    const after = upgraded(before);
    expect(JSON.stringify(after)).not.toMatch(/nullable|"format"|exclusiveMinimum":true|"example"/);
    expect(incompatible(before, after)).toEqual([]);
    expect(incompatible(after, before)).toEqual([]);
  });

  itWith(GITHUB)(
    'is compatible for GitHub',
    () => {
      const document = nodeOf(readFileSync(GITHUB, 'utf8'));
      expect(incompatible(document, upgraded(document))).toEqual([]);
    },
    600_000,
  );
});

describe('a contract in other keywords', () => {
  inTestAll(it)(
    'is compatible for Figma',
    () => {
      const document = nodeOf(readFileSync(FIGMA, 'utf8'));
      const after = reexpressed(document);
      expect(JSON.stringify(after)).not.toBe(JSON.stringify(document));
      expect(incompatible(document, after)).toEqual([]);
    },
    600_000,
  );

  it('is compatible for each contract of the labelled pairs', () => {
    const pairs = isTestAll ? LABELLED_PAIRS : labelledSample(300);
    const texts = pairs.map(({ before }) => before).filter((text) => !text.includes('nullable'));
    const tested = [...new Set(texts)];
    const changed = tested.filter((text) => {
      const document = nodeOf(text);
      return incompatible(document, reexpressed(document)).some(
        ({ severity }) => severity === 'breaking',
      );
    });
    expect(changed).toEqual([]);
  }, 600_000);
});
