// The credentials of replayed requests.

import { describe, expect, it } from '@jest/globals';
import { Contract } from '@stubwright/contract';
import { sentRequest } from '../src/record/message.ts';

const definition = new Contract({
  openapi: '3.1.0',
  info: { title: 'Toys', version: '1' },
  paths: {},
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      one: { type: 'apiKey', in: 'query', name: 'one' },
      two: { type: 'apiKey', in: 'query', name: 'two' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'a' },
    },
  },
});

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
