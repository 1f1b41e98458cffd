// What operations, path items and responses of a contract declare.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Contract, reachableSchemas, referencedValue } from '@stubwright/contract';
import { DECLARED_FACTS, DOCUMENTS, declaredFacts, factsOf } from './declaredFacts.ts';

const schema = (title: string) => ({ title });
const header = { schema: schema('header') };
const definition = new Contract({
  openapi: '3.1.0',
  info: { license: { name: 'MIT License', identifier: 'MIT' } },
  paths: { '/toys': { $ref: '#/components/pathItems/Toys' } },
  components: {
    pathItems: {
      Toys: {
        summary: 'Toys',
        post: {
          parameters: [
            { name: 'a', in: 'query', schema: schema('parameter') },
            { name: 'b', in: 'query', content: { 'text/plain': { schema: schema('content') } } },
          ],
          requestBody: { content: { 'text/plain': { schema: schema('body') }, 'a/b': {} } },
          responses: {
            200: {
              headers: { 'Content-Type': header },
              content: { 'text/plain': { schema: schema('reply') } },
            },
          },
        },
      },
    },
  },
});
const [post] = definition.operations;

describe('an operation', () => {
  it('has the schemas of its requests and of its responses', () => {
    const titles = (key: 'requestSchemas' | 'responseSchemas') =>
      post![key].map(({ keywords }) => keywords['title']);
    expect(titles('requestSchemas')).toEqual(['parameter', 'content', 'body']);
    expect(titles('responseSchemas')).toEqual(['header', 'reply']);
  });

  it('has the path item behind a reference', () => {
    expect(post!.pathItem.summary).toBe('Toys');
  });
});

it('lists the header Content-Type among the declared headers only', () => {
  const { headers, declaredHeaders } = post!.responses.for(200)!;
  expect([[...headers.keys()], [...declaredHeaders.keys()]]).toEqual([[], ['Content-Type']]);
});

it.each([
  ['#/paths/~1boxes/get', '/paths/~1boxes/get'],
  ['#/paths/~1a%7Bb%7D/get', '/paths/~1a{b}/get'],
  ['other.yaml#/paths/~1boxes/get', undefined],
  ['other.yaml#', undefined],
  [undefined, undefined],
])('has the pointer of the operation that a link refers to by %s', (operationRef, pointer) => {
  const responses = { 200: { links: { Box: { operationRef } } } };
  const { operations } = new Contract({
    openapi: '3.1.0',
    paths: { '/a': { get: { responses } } },
  });
  expect(operations[0]!.responses.for(200)!.links.get('Box')!.operationPointer).toBe(pointer);
});

it('has the SPDX identifier of the license', () => {
  expect(definition.license).toBe('MIT');
});

it('reaches recursive schemas once', () => {
  const { operations } = new Contract({
    openapi: '3.1.0',
    paths: { '/a': { get: { parameters: [{ schema: { $ref: '#/components/schemas/A' } }] } } },
    components: { schemas: { A: { items: { $ref: '#/components/schemas/A' } } } },
  });
  expect(reachableSchemas(operations[0]!.requestSchemas).size).toBe(3);
});

describe('a referenced value', () => {
  const document = {
    'a b': { $ref: '#/c' },
    c: [1],
    circular: { $ref: '#/circular' },
  };

  it.each([
    ['#/a%20b', [1]],
    ['#/circular', undefined],
    ['#/nowhere', undefined],
  ])('of %s is %j', ($ref, expected) => {
    expect(referencedValue(document, { $ref })).toEqual(expected);
  });

  it('is not read from another document', () => {
    expect(() => referencedValue(document, { $ref: 'a.json' })).toThrow(
      '$ref: got a.json, expected a location in the contract',
    );
  });
});

describe('an object of a contract with errors', () => {
  it.each([null, '', 1, true, []])('has no fields if its value is %j', (value) => {
    const { operations } = new Contract({
      openapi: '3.1.0',
      paths: {
        '/': { post: { parameters: [{ $ref: '#/components/parameters/P' }], requestBody: value } },
      },
      components: { parameters: { P: value } },
    });
    const { parameters, request, requestSchemas } = operations[0]!;
    expect(parameters.map((each) => [each.fields, each.contents.size])).toEqual([[[], 0]]);
    expect([request.size, requestSchemas]).toEqual([0, []]);
  });
});

it.each(DOCUMENTS)('no object of document %# belongs to two contracts', (document) => {
  const [one, other] = [new Contract(document), new Contract(document)].map(factsOf);
  expect(one!.objects.size).toBeGreaterThan(0);
  expect([...other!.objects].filter((each) => one!.objects.has(each))).toEqual([]);
});

it('declaredFacts.txt has the objects of whole contracts; make transcripts writes it', () => {
  expect(declaredFacts()).toBe(readFileSync(DECLARED_FACTS, 'utf8'));
});
