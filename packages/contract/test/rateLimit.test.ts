// `x-rate-limit` of an operation, and the times that extensions and settings contain.
import { describe, expect, it } from '@jest/globals';
import { Contract, rateLimitErrors, windowSecondsOf } from '@stubwright/contract';

function operationWith(fields: object) {
  const operation = { security: [{ key: [] }], responses: {}, ...fields };
  const paths = { '/toys': { get: operation } };
  return new Contract({ openapi: '3.1.0', info: {}, paths }).operations[0]!;
}

describe('the rate limit of an operation', () => {
  it('is undefined without x-rate-limit', () => {
    expect(operationWith({}).rateLimit).toBeUndefined();
    expect(rateLimitErrors(operationWith({}))).toEqual([]);
  });

  it('has the number of requests and the seconds of the window', () => {
    const described = operationWith({ 'x-rate-limit': { requests: 10, window: '1m' } });
    expect(rateLimitErrors(described)).toEqual([]);
    expect(described.rateLimit).toEqual({ requests: 10, windowSeconds: 60 });
  });

  it.each([
    [10, '', 'expected an object with requests and window'],
    [
      { window: '1m' },
      '/requests',
      'requests: got nothing, expected an integer from 1 to 999999999',
    ],
    [{ requests: 1.5, window: '1m' }, '/requests', 'requests: got 1.5, expected an integer'],
    [{ requests: '9', window: '1m' }, '/requests', 'requests: got "9", expected an integer'],
    [{ requests: 1e9, window: '1m' }, '/requests', 'requests: got 1000000000, expected an integer'],
    [{ requests: 1, window: 60 }, '/window', 'window: got 60, expected a time such as 10s'],
    [
      { requests: 1, window: '1m', burst: 2 },
      '/burst',
      'burst: got 2, expected one of requests, window',
    ],
  ])('%j is invalid at %s', (described, field, message) => {
    const operation = operationWith({ 'x-rate-limit': described });
    const [error, ...others] = rateLimitErrors(operation);
    expect([error?.field, others]).toEqual([field, []]);
    expect(error?.message).toContain(message);
    expect(operation.rateLimit).toBeUndefined();
  });

  it('requires security', () => {
    const described = { security: [], 'x-rate-limit': { requests: 10, window: '1m' } };
    expect(rateLimitErrors(operationWith(described))).toEqual([
      {
        field: '',
        message: 'expected security requirements: the requests of a caller are counted',
      },
    ]);
    expect(operationWith(described).rateLimit).toBeUndefined();
  });
});

describe('windowSecondsOf', () => {
  it.each<[unknown, number | undefined]>([
    ['10s', 10],
    ['1m', 60],
    ['24h', 86_400],
    ['596h', 2_145_600],
    ['597h', undefined],
    ['0s', undefined],
    ['1.5h', undefined],
    ['1d', 86_400],
    ['25d', undefined],
    [' 1m', undefined],
    ['1m\n', undefined],
    [60, undefined],
    [undefined, undefined],
  ])('%j is %j', (duration, seconds) => {
    expect(windowSecondsOf(duration)).toBe(seconds);
  });
});
