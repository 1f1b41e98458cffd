// `check` reports the properties of examples that a response would not contain.
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { parse } from 'yaml';
import { undeclaredProperties } from '../src/check/runChecks.ts';

/** @returns the pointers and messages for a response with the content */
function findingsOf(content: string, schemas = '') {
  const text = `openapi: 3.1.0
paths:
  /toys:
    get:
      operationId: getToy
      responses: { '200': { content: ${content} } }
components:
  schemas:
    Toy: { type: object, properties: { name: { type: string }, key: { type: string, writeOnly: true } } }
${schemas}`;
  return undeclaredProperties(new Contract(parse(text)));
}

const json = (rest: string, schema = "{ $ref: '#/components/schemas/Toy' }") =>
  `{ application/json: { schema: ${schema}, ${rest} } }`;
const warning = (properties: string) =>
  `a response omits ${properties} of the example  expected declared properties`;

describe('undeclaredProperties', () => {
  it.each<[string, string, string, string[]]>([
    ['example', json('example: { name: a, size: 1 }'), '', ['/size']],
    ['examples', json('examples: { big: { value: { size: 1, tags: [] } } }'), '', ['/size, /tags']],
    [
      'items',
      json(
        'example: [{ name: a }, { size: 1 }]',
        "{ type: array, items: { $ref: '#/components/schemas/Toy' } }",
      ),
      '',
      ['/1/size'],
    ],
    ['a writeOnly property of a response', json('example: { key: a }'), '', ['/key']],
    [
      'XML',
      "{ application/xml: { schema: { $ref: '#/components/schemas/Toy' }, example: { size: 1 } } }",
      '',
      ['/size'],
    ],
    [
      'the example of a schema',
      json('', "{ $ref: '#/components/schemas/Box' }"),
      '    Box: { type: object, properties: { a: { type: integer } }, example: { a: 1, b: 2 } }',
      ['/b'],
    ],
    [
      'the examples of a schema in a property',
      json('', "{ type: object, properties: { box: { $ref: '#/components/schemas/Box' } } }"),
      '    Box: { type: object, properties: { a: { type: integer } }, examples: [{ a: 1 }, { b: 2 }] }',
      ['/b'],
    ],
    [
      'the example of a schema that a discriminator selects',
      json('', "{ $ref: '#/components/schemas/Pet' }"),
      `    Pet: { type: object, properties: { kind: { type: string } }, discriminator: { propertyName: kind } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { lives: { type: integer } } }], example: { kind: Cat, lives: 9, barks: 1 } }`,
      ['/barks'],
    ],
  ])('reports undeclared properties of %s', (_, content, schemas, properties) => {
    const findings = findingsOf(content, schemas);
    expect(findings.map(({ message }) => message)).toEqual(properties.map(warning));
    expect(findings[0]?.pointer).toMatch(/\/(?:example|examples\/1|examples\/big\/value)$/);
  });

  it.each<{ what: string; content: string; schemas?: string }>([
    { what: 'declared properties', content: json('example: { name: a }') },
    {
      what: 'any property of a free-form object',
      content: json('example: { a: 1 }', '{ type: object }'),
    },
    {
      what: 'additional properties that are described',
      content: json(
        'example: { a: 1, b: 2 }',
        '{ type: object, properties: { a: {} }, additionalProperties: true }',
      ),
    },
    {
      what: 'properties that a discriminator declares',
      content: json('example: { kind: Cat, lives: 9 }', "{ $ref: '#/components/schemas/Pet' }"),
      schemas: `    Pet: { type: object, properties: { kind: { type: string } }, discriminator: { propertyName: kind } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { lives: { type: integer } } }] }`,
    },
    {
      what: 'a writeOnly property of the example of a schema',
      content: json('', "{ $ref: '#/components/schemas/Box' }"),
      schemas:
        '    Box: { type: object, properties: { a: { type: integer, writeOnly: true } }, example: { a: 1 } }',
    },
    {
      what: 'an error that another rule reports',
      content: json('example: { name: 1, size: 1 }'),
    },
    {
      what: 'bytes',
      content:
        "{ application/octet-stream: { schema: { $ref: '#/components/schemas/Toy' }, example: { size: 1 } } }",
    },
  ])('accepts examples with $what', ({ content, schemas }) => {
    expect(findingsOf(content, schemas)).toEqual([]);
  });
});
