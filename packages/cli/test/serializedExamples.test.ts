// `check` compares the serialized form of examples with their data (OpenAPI 3.2).
import { expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { parse } from 'yaml';
import { exampleErrors } from '../src/check/examples.ts';

const CONTRACT = `
openapi: 3.2.0
paths:
  /toys:
    get:
      parameters:
        - name: q
          in: querystring
          content:
            application/x-www-form-urlencoded:
              schema: {type: object, required: [a], properties: {a: {type: string}}}
              examples: {valid: {dataValue: {a: b}, serializedValue: a=b}, invalid: {dataValue: {}}, other: {dataValue: {a: b}, serializedValue: a=c}}
      responses:
        '200':
          content:
            application/json:
              schema: {type: object, properties: {id: {type: integer, format: int64}}}
              examples:
                same: {dataValue: {id: 1}, serializedValue: ' {"id" : 1}'}
                other: {dataValue: {id: 1}, serializedValue: '{"id":2}'}
                invalid: {serializedValue: '{"id":"x"}'}
                broken: {dataValue: {id: 1}, serializedValue: '{'}
            text/plain: {schema: {type: integer}, examples: {a: {serializedValue: 'x'}}}
`;

it('reports examples whose data is invalid or differs from the serialized form', () => {
  const content = '/paths/~1toys/get/responses/200/content/application~1json/examples';
  const errors = exampleErrors(new Contract(parse(CONTRACT)));
  expect(errors.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
    expect.stringMatching(
      /content\/.*\/examples\/other\/serializedValue the serializedValue differs/,
    ),
    expect.stringMatching(/examples\/invalid\/dataValue\S* the example violates its schema: .*a/),
    `${content}/other/serializedValue the serializedValue differs from the dataValue  expected the same value`,
    `${content}/broken/serializedValue the serializedValue is malformed  expected application/json`,
    expect.stringMatching(/examples\/invalid\/serializedValue\S* the example violates its schema/),
  ]);
});
