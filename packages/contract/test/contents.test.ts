// The entries of a `content` map by media type.
import { describe, expect, it } from '@jest/globals';
import { Contents, Contract, parseMediaType } from '@stubwright/contract';

const contents = new Contents([
  ['text/plain', 1],
  ['application/*', 2],
  ['application/json; v=2', 3],
  ['application/json', 4],
]);

describe('the entries of a content map', () => {
  it.each([
    ['text/plain; charset=utf-8', 1],
    ['TEXT/Plain', 1],
    ['application/json', 4],
    ['application/json;v=2', 3],
    ['application/json; v=3', 4],
    ['application/xml', 2],
    ['image/png', undefined],
    ['text', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('are selected by the media type %s: %s', (sent, expected) => {
    expect(contents.select(sent)?.content).toBe(expected);
  });

  it('are selected with their key and the media type that was sent', () => {
    const { key, sent } = contents.select('Application/XML; q="1"')!;
    expect([key, sent.type, [...sent.parameters]]).toEqual([
      'application/*',
      'application/xml',
      [['q', '1']],
    ]);
  });

  it.each([
    [['text/plain', 'application/problem+json', 'application/json'], 'application/problem+json'],
    [['text/plain', 'application/xml'], 'text/plain'],
    [[], undefined],
  ])('of %j prefer JSON, else the first', (keys, expected) => {
    const entries = new Contents(keys.map((key) => [key, key]));
    expect(entries.preferred?.content).toBe(expected);
    expect([entries.keys, entries.size, entries.values()]).toEqual([keys, keys.length, keys]);
  });

  it('keep their order when they are compiled', () => {
    expect([...contents.map((value, key) => `${key}=${value}`)].map(([, text]) => text)).toEqual([
      ...['text/plain=1', 'application/*=2', 'application/json; v=2=3', 'application/json=4'],
    ]);
  });

  it('are read once from an object, references followed', () => {
    const shared = { schema: { type: 'string' } };
    const body = { content: { 'text/plain': { $ref: '#/components/mediaTypes/Text' } } };
    const definition = new Contract({
      openapi: '3.2.0',
      info: { title: 'Toys', version: '1' },
      paths: { '/': { put: { requestBody: body, responses: {} }, post: { responses: {} } } },
      components: { mediaTypes: { Text: shared } },
    });
    const { request } = definition.operations[0]!;
    expect(request.get('text/plain')!.pointer).toBe('/components/mediaTypes/Text');
    expect(request.get('text/plain')!.schema!.written).toBe(shared.schema);
    expect(definition.operations[0]!.request).toBe(request);
    expect(definition.operations[1]!.request.size).toBe(0);
  });

  it('belong to their own operation where it has no responses', () => {
    const { operations } = new Contract({
      openapi: '3.1.0',
      paths: { '/a': { get: {} }, '/b': { get: {} } },
    });
    const contents = operations.map(({ responses }) => responses.for(200)!.contents.get('*/*'));
    expect(contents.map((each) => each?.pointer)).toEqual([
      '/paths/~1a/get/responses/default/content/*~1*',
      '/paths/~1b/get/responses/default/content/*~1*',
    ]);
  });
});

it.each<[string, [type: string, parameters: object, charset: string | undefined] | undefined]>([
  ['Text/Plain', ['text/plain', {}, undefined]],
  ['text/plain; Charset=UTF-8 ;q=1', ['text/plain', { q: '1' }, 'UTF-8']],
  ['a/b;;x="1;2";x=3;y=', ['a/b', { x: '3', y: '' }, undefined]],
  ['a/b; x', undefined],
  ['a', undefined],
])('the media type %s is read as %j', (text, expected) => {
  const { type, parameters, charset } = parseMediaType(text) ?? {};
  expect(type && [type, Object.fromEntries(parameters!), charset]).toEqual(expected);
});
