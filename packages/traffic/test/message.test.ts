// The credentials of replayed requests.

import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { parse } from 'yaml';
import { curlLine, messageOf, receivedRequest, sentRequest } from '../src/record/record.ts';

const definition = new Contract(
  parse(`
openapi: 3.1.0
info: {title: Toys, version: '1'}
paths: {}
components:
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    header: {type: apiKey, in: header, name: X-Key}
    one: {type: apiKey, in: query, name: one}
    two: {type: apiKey, in: query, name: two}
    cookie: {type: apiKey, in: cookie, name: a}
`),
);

function sent(path: string, headers: Readonly<Record<string, string>>, token: string) {
  const request = { operationId: 'getToy', method: 'GET', path, headers, status: 200 };
  return sentRequest(request, definition, { token });
}

describe('a token instead of the placeholder', () => {
  it.each(['secret', '$&', "$'", '$$', '$1'])('is %j in each credential', (token) => {
    const headers = { authorization: 'Bearer TOKEN', 'X-Key': 'TOKEN', Cookie: 'a=TOKEN; b=TOKEN' };
    const encoded = encodeURIComponent(token);
    expect(sent('/toys?one=TOKEN&two=TOKEN', headers, token)).toMatchObject({
      target: `/toys?one=${encoded}&two=${encoded}`,
      headers: {
        authorization: `Bearer ${token}`,
        'X-Key': token,
        Cookie: `a=${token}; b=${token}`,
      },
    });
  });

  it('is in no other header or query parameter', () => {
    const target = '/toys?mode=TOKEN&one=TOKENS&none=TOKEN';
    const headers = { 'X-Mode': 'TOKEN', Authorization: 'Bearer TOKENS' };
    expect(sent(target, headers, 'secret')).toMatchObject({ target, headers });
  });
});

describe('a recorded request', () => {
  const recorded = {
    ...{ operationId: 'getToy', method: 'post', path: '/toys/{id}/{other}', status: 200 },
    ...{ params: { path: { id: 'a b' } }, headers: { 'X-A': 'b' } },
    body: ['{"a":"', { repeat: 'é', times: 2 }, '"}'],
  };

  it('is sent with its path parameters and its whole body', () => {
    const message = messageOf(recorded);
    expect(message).toEqual({
      ...{ method: 'post', target: '/toys/a%20b/{other}', headers: { 'X-A': 'b' } },
      body: '{"a":"éé"}',
    });
    expect(receivedRequest(message)).toEqual({
      ...{ method: 'post', url: '/toys/a%20b/{other}', bytes: Buffer.from('{"a":"éé"}') },
      headers: { 'x-a': 'b', 'content-length': '12' },
    });
    const { body: _, ...empty } = recorded;
    expect(receivedRequest(messageOf(empty))).toMatchObject({
      ...{ bytes: Buffer.alloc(0), headers: { 'x-a': 'b' } },
    });
    expect(sentRequest(recorded, definition).method).toBe('POST');
  });

  it('keeps its credentials that are no placeholders', () => {
    const basic = `Basic ${btoa('user:TOKEN')}`;
    const headersOf = (headers: Record<string, string>, added: Record<string, string>) =>
      sentRequest({ ...recorded, headers }, definition, { token: 't', headers: added }).headers;
    expect(headersOf({ Authorization: basic }, {})).toEqual({
      Authorization: `Basic ${btoa('user:t')}`,
    });
    expect(headersOf({ Authorization: basic }, { authorization: 'own' })).toEqual({
      authorization: 'own',
    });
    expect(headersOf({ 'x-key': 'bad' }, { 'X-Key': 'own', 'X-B': 'c' })).toEqual({
      ...{ 'x-key': 'bad', 'X-B': 'c' },
    });
    expect(headersOf({}, { 'X-Key': 'own' })).toEqual({});
    expect(headersOf({ 'X-B': 'a' }, { 'x-b': 'c' })).toEqual({ 'x-b': 'c' });
  });

  it.each<[object, string]>([
    [{}, 'curl -i -X GET http://t/a'],
    [{ method: 'POST', body: "it's" }, "curl -i -X POST http://t/a --data-raw 'it'\\''s'"],
    [{ headers: { 'X-A': 'b' } }, "curl -i -X GET http://t/a -H 'X-A: b'"],
    [{ target: '/a?b' }, "curl -i -X GET 'http://t/a?b'"],
    [{ body: 'a'.repeat(2000) }, `curl -i -X GET http://t/a --data-raw ${'a'.repeat(2000)}`],
    [
      { body: 'a'.repeat(2001) },
      `curl -i -X GET http://t/a --data-raw '${'a'.repeat(100)}… (2001 characters)'`,
    ],
  ])('is a curl command: %j', (parts, line) => {
    const message = { method: 'GET', target: '/a', headers: {}, body: undefined, ...parts };
    expect(curlLine('http://t', message)).toBe(line);
  });
});
