// Replies by status and media type, with their headers and forms.
import { describe, expect, it } from '@jest/globals';
import { receiveAny, receiveForm, receiveHeader, type TextShape } from '../src/index.ts';
import { exchange } from './exchange.ts';

describe('a reply', () => {
  const read = (types: string[]) =>
    Object.fromEntries(types.map((type) => [type, async () => type]));

  it.each([
    ['text/csv; v=2', 'text/csv;v=2'],
    ['text/csv;  V=3', 'Text/CSV'],
    ['TEXT/html', 'text/*'],
    ['image/png', '*/*'],
    [null, '*/*'],
  ])('of type %s is read by the most specific declared type', async (type, expected) => {
    const content = read(['*/*', 'text/*', 'Text/CSV', 'text/csv;v=2']);
    const response = new Response('x', type === null ? {} : { headers: { 'Content-Type': type } });
    if (type === null) response.headers.delete('Content-Type');
    const { reply } = await exchange({ replies: { 200: { content } } }, response);
    expect(reply.body).toBe(expected);
  });

  it.each([
    ['application/json', 'json'],
    ['Application/JSON ; charset=utf-8', 'json'],
    ['text/json', 'json'],
    ['application/problem+json', 'json'],
    ['text/plain; of=application/json', 'text'],
    ['application/json-seq', 'other'],
    ['application/geo+json-seq', 'other'],
    ['application/jsonl', 'other'],
    ['image/png; of="a+json"', 'other'],
  ])('of type %s in */* is read as %s', async (type, expected) => {
    const [json, text, other] = ['json', 'text', 'other'].map((name) => async () => name);
    const content = { '*/*': receiveAny({ json: json!, text: text!, other: other! }) };
    const response = new Response('x', { headers: { 'Content-Type': type } });
    const { reply } = await exchange({ replies: { 200: { content } } }, response);
    expect(reply.body).toBe(expected);
  });

  it.each([
    ['200,2XX,default', 200, '200'],
    ['200,2XX,default', 201, '2XX'],
    ['4XX,default', 404, '4XX'],
    ['200,default', 404, 'default'],
    ['default', 200, 'default'],
    ['200,default', 201, undefined],
    ['200', 500, undefined],
  ])('of %s for %d is described by %s', async (declared, status, expected) => {
    const specs = Object.fromEntries(
      declared.split(',').map((key) => [key, { content: { 'text/plain': async () => key } }]),
    );
    const call = exchange({ replies: specs }, new Response('x', { status }));
    if (expected !== undefined) expect((await call).reply.body).toBe(expected);
    else await expect(call).rejects.toThrow(`got status ${status}`);
  });

  it.each([
    ['bigint', '12', 12n],
    ['bigint', '1.5', '1.5'],
    ['number', '12', 12],
    ['number', '-1.5e2', -150],
    ['number', '01', '01'],
    ['string', '12', '12'],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['boolean', 'truer', 'truer'],
    ['null', '', null],
    ['null', 'null', null],
    ['number null', 'null', null],
    ['string null', 'null', 'null'],
    ['null', 'nullable', 'nullable'],
    [{ json: { items: 1 } }, '[9007199254740993]', [9007199254740993n]],
    [{ json: 0 }, '[1]', [1]],
    [{ items: 'bigint' }, '1 , 2', [1n, 2n]],
    [{ items: 'bigint' }, '', []],
    [{ properties: { a: 'number' } }, 'a,1,b,2,c', { a: 1, b: '2', c: '' }],
    [{ properties: {}, others: 'number' }, 'a,1', { a: 1 }],
  ] as const)('has a header of the shape %j: %s', async (shape, value, expected) => {
    const headers = { 'x-a': receiveHeader(shape), 'x-b': receiveHeader(shape) };
    const response = new Response(null, { status: 204, headers: { 'X-A': value } });
    const { reply } = await exchange({ replies: { 204: { headers } } }, response);
    expect(reply.headers).toEqual({ 'x-a': expected });
  });

  it('has several cookies, which may contain commas', async () => {
    const cookies = ['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2'];
    const response = new Response(null, { status: 204 });
    for (const each of cookies) response.headers.append('Set-Cookie', each);
    const table: [TextShape, unknown][] = [
      [{ items: 'string' }, cookies],
      ['string', cookies.join('\n')],
    ];
    for (const [shape, expected] of table) {
      const headers = { 'Set-Cookie': receiveHeader(shape) };
      const { reply } = await exchange({ replies: { 204: { headers } } }, response);
      expect(reply.headers).toEqual({ 'Set-Cookie': expected });
    }
  });

  it('has an exploded header', async () => {
    const shape = { properties: { a: 'number' } } as const;
    const response = new Response(null, { status: 204, headers: { 'X-A': 'a=1,b=c=d' } });
    const headers = { 'x-a': receiveHeader(shape, true) };
    const { reply } = await exchange({ replies: { 204: { headers } } }, response);
    expect(reply.headers).toEqual({ 'x-a': { a: 1, b: 'c=d' } });
  });

  it('has a form whose arrays repeat the name', async () => {
    const type = 'application/x-www-form-urlencoded';
    const shape = {
      properties: { a: { items: 'number' }, b: 'number', c: { json: { items: 1 } } },
    } as const;
    const response = new Response('a=1&b=2&b=3&c=[9007199254740993]&d=4&toString=5', {
      headers: { 'Content-Type': type },
    });
    const content = { [type]: receiveForm(shape) };
    const { reply } = await exchange({ replies: { 200: { content } } }, response);
    expect({ ...(reply.body as object) }).toEqual({
      ...{ a: [1], b: [2, 3], c: [9007199254740993n], d: '4', toString: '5' },
    });
    const broken = new Response('x', { headers: { 'Content-Type': 'multipart/form-data' } });
    const form = { 'multipart/form-data': receiveForm(shape) };
    await expect(exchange({ replies: { 200: { content: form } } }, broken)).rejects.toThrow(
      'expected a form',
    );
  });
});
