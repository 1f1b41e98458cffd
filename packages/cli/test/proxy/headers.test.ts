// Which fields a proxy forwards, by the lists of RFC 9110.
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import {
  forwardedOnly,
  requestFields,
  responseFields,
  trailersOf,
} from '../../src/proxy/headers.ts';

/** Section 7.6.1. */
const HOP_BY_HOP = ['Connection', 'Keep-Alive', 'Proxy-Connection', 'TE', 'Upgrade'];
const FRAMING = ['Content-Length', 'Transfer-Encoding', 'Trailer'];
/** Section 6.5.1: fields for framing, routing, request modifiers, authentication and response control. */
const NO_TRAILERS = [
  ...['Host', 'Expect', 'Max-Forwards', 'Range', 'If-Match', 'If-None-Match', 'If-Range'],
  ...['If-Modified-Since', 'If-Unmodified-Since', 'Authorization', 'Proxy-Authorization', 'Cookie'],
  ...['Cache-Control', 'Pragma', 'Age', 'Date', 'Expires', 'Location', 'Retry-After', 'Vary'],
  ...['Set-Cookie', 'WWW-Authenticate', 'Proxy-Authenticate', 'Content-Encoding', 'Content-Type'],
  ...['Content-Range', 'Via', 'Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host'],
  ...['X-Forwarded-Proto'],
];

function message(fields: Readonly<Record<string, string>>) {
  const headers = Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]);
  return { headers: Object.fromEntries(headers), rawHeaders: Object.entries(fields).flat() };
}

describe('a forwarded request', () => {
  it.each([...HOP_BY_HOP, ...FRAMING])('has no %s of the client', (name) => {
    const sent = message({ 'X-A': '1', [name]: 'x', 'X-B': '2' });
    expect(requestFields(sent)).toEqual([
      ['X-A', '1'],
      ['X-B', '2'],
    ]);
  });

  it.each(HOP_BY_HOP)('is validated without %s', (name) => {
    const sent = message({ 'X-A': '1', [name]: 'x' });
    expect(forwardedOnly(sent)).toEqual({ 'x-a': '1' });
  });

  it('is validated with the fields that announce a body', () => {
    const { headers, rawHeaders } = message({ 'Transfer-Encoding': 'chunked' });
    expect(forwardedOnly({ headers, rawHeaders })).toEqual(headers);
  });

  it('has no field that Connection names', () => {
    const sent = message({ Connection: 'close, X-Own', 'X-Own': '1', 'X-A': '2' });
    expect(requestFields(sent)).toEqual([['X-A', '2']]);
    expect(forwardedOnly(sent)).toEqual({ 'x-a': '2' });
  });

  it.each(NO_TRAILERS)('has %s even if Connection names it', (name) => {
    const sent = message({ Connection: name, [name]: 'x' });
    expect(requestFields(sent)).toEqual([[name, 'x']]);
  });
});

describe('a forwarded response', () => {
  const request = { method: 'GET', httpVersion: '1.1' };
  const fieldsOf = (statusCode: number, to = request) => {
    const fields = { 'Transfer-Encoding': 'chunked', Trailer: 'X-Sum', 'Content-Length': '3' };
    const arrived = { statusCode, ...message({ ...fields, TE: 'x', 'X-A': '1' }) };
    return responseFields(arrived as IncomingMessage, to as IncomingMessage);
  };

  it('announces trailers, and neither has a length nor fields of the connection', () => {
    expect(fieldsOf(200)).toEqual([
      ['Trailer', 'X-Sum'],
      ['X-A', '1'],
    ]);
  });

  it('announces no trailers where it has no chunks', () => {
    const without = [['X-A', '1']];
    for (const status of [204, 304]) expect(fieldsOf(status)).toEqual(without);
    expect(fieldsOf(200, { ...request, method: 'HEAD' })).toEqual(without);
    expect(fieldsOf(200, { ...request, httpVersion: '1.0' })).toEqual(without);
  });

  it.each([
    [200, [['Content-Length', '3']]],
    [304, [['Content-Length', '3']]],
    [204, []],
  ])('of status %d without chunks has its length: %j', (statusCode, fields) => {
    const arrived = { statusCode, ...message({ 'Content-Length': '3' }) };
    const found = responseFields(arrived as IncomingMessage, request as IncomingMessage);
    expect(found).toEqual(fields);
  });
});

it.each([...HOP_BY_HOP, ...FRAMING, ...NO_TRAILERS])('no trailer is forwarded as %s', (name) => {
  expect(trailersOf({ rawTrailers: ['X-Sum', 'a', name, 'x'] })).toEqual([['X-Sum', 'a']]);
});
