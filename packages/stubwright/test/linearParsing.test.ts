// Every parser of text from a request takes time linear in its length. The texts are so long that a
// quadratic parser takes minutes for one of them, and exceeds the time limit of the test.

import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import {
  Content,
  Contents,
  Contract,
  listElements,
  Problem,
  parseJsonText,
  parseMediaType,
} from '@stubwright/contract';
import { formFieldsOf, readForm, Validators } from '@stubwright/contract/values';
import { isTestAll } from '@stubwright/test-support/testAll';
import fc from 'fast-check';
import { mediaContentOf } from '../../contract/src/media/form.ts';
import { jsonLines } from '../../contract/src/media/mediaKinds.ts';
import { readMultipart } from '../../contract/src/media/multipart/multipart.ts';
import { PartReaders } from '../../contract/src/media/multipart/partReader.ts';
import { eventItems } from '../../contract/src/media/sequences/eventItems.ts';
import { cookiePairs, Pairs, pairsOf } from '../../contract/src/media/styles/pairs.ts';
import {
  BadText,
  fromLabel,
  fromMatrix,
  fromSimple,
} from '../../contract/src/media/styles/parameterText.ts';
import { parsePrefer, selectMediaType } from '../../mock/src/replies/mockReplies.ts';
import { Router } from '../src/pipeline/router.ts';

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
const readers = new PartReaders(mediaContentOf(content, new Validators(definition, 'request')));
const items = fields.shape.property('a');
const deep = fields.shape.property('d');
const router = new Router(definition.operations, undefined);

const accepted = new Contents([
  ['application/json', 0],
  ['text/plain', 0],
]);

const parsers: [string, (text: string) => unknown][] = [
  ['a form', (text) => readForm(text, fields)],
  ['a query', (text) => [...new Pairs(pairsOf(text)).rest()]],
  ['an array of a query', (text) => new Pairs(pairsOf(text)).take('a', 'form', items, true)],
  ['a deep object', (text) => new Pairs(pairsOf(`d${text}`)).take('d', 'deepObject', deep, true)],
  ['cookies', (text) => new Pairs(cookiePairs(text)).take('a', 'form', items, false)],
  ['style simple', (text) => fromSimple(text, items, false)],
  ['style label', (text) => fromLabel(`.${text}`, items, true)],
  ['style matrix', (text) => fromMatrix(`;a=${text}`, 'a', items, true)],
  ['a media type', (text) => parseMediaType(`a/b;${text}`)],
  ['Accept', (text) => selectMediaType(text, accepted)],
  ['Prefer', parsePrefer],
  ['JSON', (text) => parseJsonText(`[${text}`)],
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

  const item = validators.model.at('/components/schemas/S')!;
  it.each([
    ['JSON Lines', jsonLines(item, validators)],
    ['an event stream', eventItems(item, validators)],
  ])(
    '%s takes linear time',
    async (_, { read }) => {
      const part = fc.constantFrom(...'{}\n\r:,"1', 'data', 'data:', '\r\n', '{"a":[1]}', ' ');
      const parts = fc.array(part, { minLength: 1, maxLength: 4 }).map((each) => each.join(''));
      await fc.assert(
        fc.asyncProperty(parts, fc.constantFrom(1, 7, 2 ** 16), async (repeated, size) => {
          const bytes = Buffer.from(repeated.repeat(LENGTH / 4 / repeated.length));
          const chunks = function* () {
            for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
          };
          try {
            for await (const _item of read(Readable.from(chunks())));
          } catch (error) {
            if (!(error instanceof Problem)) throw error;
          }
        }),
        { numRuns: isTestAll ? 30 : 1 },
      );
    },
    LIMIT_MS,
  );

  it(
    'a multipart form takes linear time',
    async () => {
      const head = '--b\r\nContent-Disposition: form-data; name="x"';
      const line = fc.constantFrom(
        '\r\n',
        '--b',
        '\r\n--',
        '\r\n--b',
        'a: b\r\n',
        ';',
        ' ',
        '"',
        'x',
      );
      const lines = fc.array(line, { minLength: 1, maxLength: 4 }).map((each) => each.join(''));
      await fc.assert(
        fc.asyncProperty(lines, fc.constantFrom('', '\r\n\r\n'), async (repeated, separator) => {
          const text = `${head}${separator}${repeated.repeat(LENGTH / repeated.length)}\r\n--b--\r\n`;
          const body = { stream: () => Readable.from([Buffer.from(text)]) };
          try {
            await (await readMultipart(body, 'multipart/form-data; boundary=b', readers)).release();
          } catch (error) {
            if (!(error instanceof Problem)) throw error;
          }
        }),
        { numRuns: isTestAll ? 20 : 1 },
      );
    },
    LIMIT_MS,
  );
});
