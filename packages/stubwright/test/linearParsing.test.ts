// The parsers of heads of requests take time linear in the length of the text; bodyGrowth.test.ts has those of
// bodies. The texts are so long that a quadratic parser takes minutes for one, and exceeds the time limit.

import { describe, expect, it } from '@jest/globals';
import {
  Content,
  Contents,
  Contract,
  listElements,
  Problem,
  parseMediaType,
} from '@stubwright/contract';
import { formFieldsOf, Validators } from '@stubwright/contract/values';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import {
  BadText,
  cookiePairs,
  fromPath,
  Pairs,
  pairsOf,
} from '../../contract/src/media/styles/parameterText.ts';
import { parsePrefer, selectMediaType } from '../../mock/src/replies/mockReplies.ts';
import { Router } from '../src/internals.ts';

const LENGTH = 2 ** 19;
/** For a busy machine; a quadratic parser exceeds it. */
const LIMIT_MS = 120_000;
const SCHEMA = {
  type: 'object',
  properties: {
    a: { type: 'array', items: { type: 'integer' } },
    d: { type: 'object', additionalProperties: { type: 'object', additionalProperties: true } },
  },
};
const definition = new Contract({
  openapi: '3.1.0',
  paths: {
    '/x/{a}-{b}-{c}.json': { get: { responses: {} } },
    '/{a}{b}=1': { get: { responses: {} } },
  },
  components: {
    schemas: { S: SCHEMA },
    requestBodies: {
      B: {
        content: {
          form: { schema: SCHEMA, encoding: { d: { style: 'deepObject' } } },
        },
      },
    },
  },
});
const content = new Content(definition, definition.at('/components/requestBodies/B/content/form')!);
const validators = new Validators(definition, 'request');
const fields = formFieldsOf(content, validators);
const items = fields.shape.property('a');
const deep = fields.shape.property('d');
const router = new Router(definition.operations, undefined);

const accepted = new Contents([
  ['application/json', 0],
  ['text/plain', 0],
]);

const parsers: [string, (text: string) => unknown][] = [
  ['a query', (text) => [...new Pairs(pairsOf(text)).rest()]],
  [
    'an array of a query',
    (text) => new Pairs(pairsOf(text)).take('a', { style: 'form', explode: true }, items),
  ],
  [
    'a deep object',
    (text) =>
      new Pairs(pairsOf(`d${text}`)).take('d', { style: 'deepObject', explode: true }, deep),
  ],
  [
    'cookies',
    (text) => new Pairs(cookiePairs(text)).take('a', { style: 'form', explode: false }, items),
  ],
  ['style simple', (text) => fromPath(text, 'a', { style: 'simple', explode: false }, items)],
  ['style label', (text) => fromPath(`.${text}`, 'a', { style: 'label', explode: true }, items)],
  [
    'style matrix',
    (text) => fromPath(`;a=${text}`, 'a', { style: 'matrix', explode: true }, items),
  ],
  ['a media type', (text) => parseMediaType(`a/b;${text}`)],
  ['Accept', (text) => selectMediaType(text, accepted)],
  ['Prefer', parsePrefer],
  ['a path', (text) => router.match('GET', `/x/${text}`)],
];

const char = fc.constantFrom(
  ...'a1&=;,. []"\\%+-/:{}\t',
  '20',
  '%20',
  'a=1&',
  '\\u',
  '1e1,',
  '[a]',
);
const unit = fc.array(char, { minLength: 1, maxLength: 4 }).map((chars) => chars.join(''));

describe('the parser of', () => {
  it.each(parsers)(
    '%s takes linear time',
    (_, parse) => {
      fc.assert(
        fc.property(unit, unit, (repeated, end) => {
          const text = repeated.repeat(LENGTH / repeated.length) + end;
          try {
            parse(text);
          } catch (error) {
            if (!(error instanceof Problem || error instanceof BadText)) throw error;
          }
        }),
        { numRuns: isTestAll ? 30 : 4 },
      );
    },
    LIMIT_MS,
  );

  it.each(['', '\\'])(
    'a list takes linear time for a quoted string that ends by %j',
    (end) => {
      const element = `"${'\\"'.repeat(LENGTH / 2)}${end}`;
      expect(listElements(element)).toEqual([element]);
    },
    LIMIT_MS,
  );
});
