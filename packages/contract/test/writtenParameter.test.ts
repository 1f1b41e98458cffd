// Parameters as text: by style, or by the media type of their content.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { writeParameter, writtenParameter } from '../src/media/writeForm.ts';
import { Validators } from '../src/schema/validator.ts';
import { STYLE_READINGS, styleReadings } from './styleReadings.ts';

const VALUE = { a: 'b c' };

function written(parameter: object): string[] {
  const paths = { '/toys': { get: { parameters: [parameter], responses: { 200: {} } } } };
  const info = { title: 'Toys', version: '1' };
  const definition = new Contract({ openapi: '3.2.0', info, paths });
  const [declared] = definition.operations[0]!.parameters;
  const { name, in: where } = declared!;
  return writtenParameter(declared!, { name, where }, VALUE, new Validators(definition, 'request'));
}

describe('writtenParameter', () => {
  const json = { 'application/json': { schema: { type: 'object' } } };
  const form = { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } };
  const text = { 'text/plain': { schema: { type: 'string' } } };

  it.each([
    ['JSON in a query, escaped', { in: 'query', content: json }, ['q=%7B%22a%22%3A%22b%20c%22%7D']],
    ['JSON in a header, as it is', { in: 'header', content: json }, ['{"a":"b c"}']],
    ['JSON in a cookie', { in: 'cookie', content: json }, ['q=%7B%22a%22%3A%22b%20c%22%7D']],
    ['other media types as text', { in: 'header', content: text }, ['[object Object]']],
    ['a whole query as a form', { in: 'querystring', content: form }, ['a=b%20c']],
    [
      'a schema by its style',
      { in: 'query', style: 'deepObject', schema: { type: 'object' } },
      ['q%5Ba%5D=b%20c'],
    ],
  ])('writes %s', (_title, parameter, expected) => {
    expect(written({ name: 'q', ...parameter })).toEqual(expected);
  });
});

describe('the name of a parameter', () => {
  it.each([
    ['query', 'form', 'a b&$c', ['a%20b%26$c=1']],
    ['cookie', 'form', 'a b&$c', ['a%20b%26$c=1']],
    ['cookie', 'cookie', 'a b', ['a b=1']],
    ['path', 'matrix', 'a b&$c', [';a%20b%26$c=1']],
    ['path', 'simple', 'a b', ['1']],
    ['header', 'simple', 'a b', ['1']],
  ])('in a %s, style %s, %j is written as %j', (where, style, name, expected) => {
    expect(writeParameter(where, name, { style, explode: true }, 1)).toEqual(expected);
  });
});

it('styleReadings.txt has the texts of each style; make transcripts writes it', () => {
  expect(styleReadings()).toBe(readFileSync(STYLE_READINGS, 'utf8'));
});
