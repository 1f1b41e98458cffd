// The parsers of heads of requests take time linear in the length of the text; bodyGrowth.test.ts has those of
// bodies. The texts are so long that a quadratic parser takes minutes for one, and exceeds the time limit.

import { describe, expect, it } from '@jest/globals';
import { listElements } from '@stubwright/contract';
import type { BodySource } from '@stubwright/contract/values';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { createEngine, Exchange, type HttpRequest } from '../src/internals.ts';
import { loadedContract } from './support/contract.ts';

const LENGTH = 2 ** 19;
/** For a busy machine; a quadratic parser exceeds it. */
const LIMIT_MS = 120_000;
const ARRAY = '{type: array, items: {type: integer}}';
const OK = "responses: {'200': {description: ok, content: {application/json: {}, text/plain: {}}}}";
const operation = (id: string, parameter: string) =>
  `get: {operationId: ${id}, parameters: [{${parameter}}], ${OK}}`;
const ofPath = (style: string, explode: boolean) =>
  `/${style}/{a}: {${operation(style, `in: path, name: a, required: true, style: ${style}, explode: ${explode}, schema: ${ARRAY}`)}}`;
const { definition } = loadedContract(`
paths:
  /array: {${operation('array', `in: query, name: a, schema: ${ARRAY}`)}}
  /deep:
    ${operation('deep', 'in: query, name: d, style: deepObject, schema: {type: object, additionalProperties: {type: object, additionalProperties: true}}')}
  /cookies: {${operation('cookies', `in: cookie, name: a, explode: false, schema: ${ARRAY}`)}}
  ${ofPath('simple', false)}
  ${ofPath('label', true)}
  ${ofPath('matrix', true)}
  /body: {post: {operationId: body, requestBody: {content: {application/json: {}}}, ${OK}}}
  /plain: {get: {operationId: plain, ${OK}}}
  /x/{a}-{b}-{c}.json: {get: {operationId: several, ${OK}}}
  /{a}{b}=1: {get: {operationId: adjacent, ${OK}}}
`);
const engine = await createEngine({ definition, mock: 'all' });

/** The start of a request that has the text in one place. */
type Head = (text: string) => Partial<HttpRequest>;
const inPath = (text: string) => text.replaceAll('/', '%2F');

const heads: [string, Head][] = [
  ['a query', (text) => ({ url: `/plain?${text}` })],
  ['an array of a query', (text) => ({ url: `/array?${text}` })],
  ['a deep object', (text) => ({ url: `/deep?d${text}` })],
  ['cookies', (text) => ({ url: '/cookies', headers: { cookie: text } })],
  ['style simple', (text) => ({ url: `/simple/${inPath(text)}` })],
  ['style label', (text) => ({ url: `/label/.${inPath(text)}` })],
  ['style matrix', (text) => ({ url: `/matrix/;a=${inPath(text)}` })],
  [
    'a media type',
    (text) => ({ method: 'POST', url: '/body', headers: { 'content-type': `a/b;${text}` } }),
  ],
  ['Accept', (text) => ({ url: '/plain', headers: { accept: text } })],
  ['Prefer', (text) => ({ url: '/plain', headers: { prefer: text } })],
  ['a path', (text) => ({ url: `/x/${text}` })],
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
  it.each(heads)(
    '%s takes linear time',
    async (_, headOf) => {
      await fc.assert(
        fc.asyncProperty(unit, unit, async (repeated, end) => {
          const text = repeated.repeat(LENGTH / repeated.length) + end;
          const request = { method: 'GET', url: '/', headers: {}, ...headOf(text) };
          const { status } = await engine.handle(
            new Exchange(request, {} as BodySource, undefined),
          );
          expect(status).toBeLessThan(500);
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
