// The key of an operation that runs once: `x-idempotency`.
import { describe, expect, it } from '@jest/globals';
import { Contract, idempotencyErrors, type Node } from '@stubwright/contract';

const header = (fields: Node): Node => ({
  ...{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } },
  ...fields,
});

function operationWith(...parameters: Node[]) {
  const paths = { '/toys': { post: { parameters, responses: {} } } };
  return new Contract({ openapi: '3.1.0', info: {}, paths }).operations[0]!;
}

describe('x-idempotency', () => {
  it.each([
    ['1s', 1000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['365d', 31_536_000_000],
  ])('with ttl %s lasts %d ms', (ttl, ttlMs) => {
    const operation = operationWith(header({ 'x-idempotency': { ttl } }));
    const [parameter] = operation.parameters;
    expect(operation.idempotency).toEqual({ parameter, ttlMs, ignored: [] });
    expect(idempotencyErrors(operation.parameters)).toEqual([]);
  });

  it('is absent from a header that only has the usual name', () => {
    expect(operationWith(header({})).idempotency).toBeUndefined();
  });

  const time = 'a time from 1s to 365d, such as 30s, 15m, 24h or 7d';
  it.each<[unknown, string, string]>([
    [true, '', 'x-idempotency: got true, expected {ttl: 24h}'],
    [null, '', 'x-idempotency: got null, expected {ttl: 24h}'],
    [
      { ttl: '1h', scope: 'x' },
      '',
      'x-idempotency: got {"ttl":"1h","scope":"x"}, expected {ttl: 24h}',
    ],
    [{}, '/ttl', `x-idempotency ttl: got nothing, expected ${time}`],
    [{ ttl: 3600 }, '/ttl', `x-idempotency ttl: got 3600, expected ${time}`],
    [{ ttl: '0s' }, '/ttl', `x-idempotency ttl: got "0s", expected ${time}`],
    [{ ttl: '366d' }, '/ttl', `x-idempotency ttl: got "366d", expected ${time}`],
    [{ ttl: '1.5h' }, '/ttl', `x-idempotency ttl: got "1.5h", expected ${time}`],
  ])('of %j is reported', (value, field, message) => {
    const operation = operationWith(header({ 'x-idempotency': value }));
    const pointer = `/paths/~1toys/post/parameters/0/x-idempotency${field}`;
    expect(idempotencyErrors(operation.parameters)).toEqual([{ pointer, message }]);
    expect(operation.idempotency).toBeUndefined();
  });

  it.each([
    ['header', true],
    ['cookie', true],
    ['query', false],
  ])('may ignore a %s: %s', (location, isIgnored) => {
    const marked = header({ 'x-idempotency': { ttl: '1h', ignore: ['Trace'] } });
    const operation = operationWith(marked, header({ name: 'trace', in: location }));
    expect(operation.idempotency !== undefined).toBe(isIgnored);
  });

  it('belongs to one header', () => {
    const mark = { 'x-idempotency': { ttl: '1h' } };
    const operation = operationWith(header(mark), header({ ...mark, name: 'X-Other' }));
    expect(idempotencyErrors(operation.parameters).map(({ message }) => message)).toEqual([
      'x-idempotency: got the parameter X-Other, expected one for each operation',
    ]);
    const inQuery = operationWith(header({ ...mark, in: 'query' }));
    expect(idempotencyErrors(inQuery.parameters).map(({ message }) => message)).toEqual([
      'x-idempotency: got a query parameter, expected a header',
    ]);
  });
});
