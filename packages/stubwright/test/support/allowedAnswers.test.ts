import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { Definition } from '../../src/document/definition.ts';
import { AllowedAnswers } from './allowedAnswers.ts';

describe('AllowedAnswers', () => {
  const header = `headers: {X-Left: {required: true, schema: {type: integer}}}`;
  const content = `content: {application/json: {schema: {type: object, required: [name]}}}`;
  const allowed = new AllowedAnswers(
    new Definition(
      parse(`openapi: 3.0.3
paths: {/toys: {get: {operationId: getToys, responses: {
  '200': {description: a, ${header}, ${content}}, 4XX: {description: b}}}}}`),
    ),
  );
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const LEFT = { 'X-Left': '1' };

  it.each<[string, number, Record<string, string>, string, string[]]>([
    ['a complete response', 200, { ...JSON_TYPE, ...LEFT }, '{"name":"x","more":1}', []],
    ['a status of a range', 404, {}, '', []],
    ['another status', 201, {}, '', ['status 201 is not declared']],
    ['no header', 200, JSON_TYPE, '{"name":"x"}', ['header X-Left is missing']],
    [
      'a header of another type',
      200,
      { ...JSON_TYPE, 'X-Left': '0.5' },
      '{"name":"x"}',
      ['header X-Left is 0.5'],
    ],
    [
      'another media type',
      200,
      { ...LEFT, 'Content-Type': 'text/plain' },
      'x',
      ['media type text/plain is not declared'],
    ],
    [
      'a body without a required property',
      200,
      { ...JSON_TYPE, ...LEFT },
      '{}',
      ['the body is {}'],
    ],
    ['an undeclared body', 404, JSON_TYPE, '{}', ['a body is not declared']],
  ])('checks %s', (_, status, headers, text, faults) => {
    const answer = { status, headers: new Headers(headers), text };
    expect(allowed.errorsOf('getToys', answer)).toEqual(faults);
  });
});
