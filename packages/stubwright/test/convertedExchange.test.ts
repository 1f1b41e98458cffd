// A converted request has the id, the log, the signal and the context of the request that was sent.
import { expect, it } from '@jest/globals';
import type { Operation } from '@stubwright/contract';
import { wholeBody } from '@stubwright/contract/values';
import { ConvertedExchange, Exchange, type RequestLog } from '../src/internals.ts';

const OPERATION = { operationId: 'getToy', method: 'get' } as Operation;

function exchanges() {
  const body = wholeBody(Buffer.alloc(0));
  const sent = new Exchange({ method: 'GET', url: '/v1/toys?a=1', headers: { etag: 'x' } }, body);
  const log = { child: (properties: object) => ({ properties }) } as unknown as RequestLog;
  sent.parentLog = log;
  const signals: Exchange[] = [];
  sent.onSignal = (exchange) => signals.push(exchange);
  return { sent, signals, converted: new ConvertedExchange(sent, OPERATION) };
}

it('has the head of the sent request, and an operation of its own', () => {
  const { sent, converted } = exchanges();
  const { method, url, path, queryText, headers, operationId, sent: of } = converted;
  expect({ method, url, path, queryText, headers, operationId, of }).toEqual({
    ...{ method: 'GET', url: '/v1/toys?a=1', path: '/v1/toys', queryText: 'a=1' },
    ...{ headers: { etag: 'x' }, operationId: 'getToy', of: sent },
  });
  expect(sent.operationId).toBeUndefined();
  expect(new ConvertedExchange(sent, OPERATION, { headers: { etag: 'y' } }).headers).toEqual({
    etag: 'y',
  });
});

it.each(['sent', 'converted'] as const)('shares what the %s one sets first', (name) => {
  const both = exchanges();
  const first = both[name];
  const other = name === 'sent' ? both.converted : both.sent;
  const { requestId, log, signal } = first;
  expect([other.requestId, other.log, other.signal]).toEqual([requestId, log, signal]);
  expect(log).toEqual({ properties: { requestId } });
  expect(other.signal).toBe(signal);
  expect(both.signals).toEqual([first]);
  const context = { async [Symbol.asyncDispose]() {} };
  first.context = context;
  first.timedOut = new Error('late');
  expect(other.context).toBe(context);
  expect(other.timedOut).toBe(first.timedOut);
  first.abort('gone');
  expect(signal.aborted).toBe(true);
  expect(other.isAbort(signal.reason)).toBe(true);
  expect(other.isAbort(new Error('gone'))).toBe(false);
});

it('has deprecated parts, principals and a rate limit of its own', () => {
  const { sent, converted } = exchanges();
  converted.deprecated = { parts: [], headers: {}, sunset: undefined };
  converted.rateLimit = { RateLimit: 'x' };
  converted.principal = { name: 'ann' };
  converted.isHandled = true;
  const { deprecated, rateLimit, principal, isHandled } = sent;
  expect([deprecated, rateLimit, principal, isHandled]).toEqual([
    undefined,
    undefined,
    undefined,
    false,
  ]);
});
