import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { malformedHttp } from '@stubwright/contract';
import type { SentResponse, ServiceEmitter, ServiceEvents } from '../../src/operations/events.ts';
import { type Log, logEvents } from '../../src/operations/log.ts';

const error = new Error('x');
const line = {
  id: 'run-1',
  method: 'GET',
  route: '/a',
  status: 200,
  durationMs: 1.5,
  bytes: 2,
  traceId: undefined,
};
const response: SentResponse = { ...line, operationId: 'getA', cause: undefined };

type Row = {
  [Name in keyof ServiceEvents]: readonly [
    name: Name,
    payload: ServiceEvents[Name],
    lines: readonly unknown[][],
  ];
}[keyof ServiceEvents];

const rows: readonly Row[] = [
  ['responded', [response], [['request', response]]],
  ['responded', [{ ...response, cause: error }], [['warn', { ...line, err: error }, 'request']]],
  [
    'responded',
    [{ ...response, status: 503, cause: error }],
    [['warn', { ...line, status: 503, err: error }, 'request']],
  ],
  [
    'responded',
    [{ ...response, status: 500, cause: error }],
    [['error', { ...line, status: 500, err: error }, 'request']],
  ],
  [
    'requestRejected',
    [malformedHttp('expected an HTTP/1.1 request')],
    [['info', { status: 400, reason: 'expected an HTTP/1.1 request' }, 'refused']],
  ],
  ['connectionDropped', [], []],
  ['connectionFailed', [error], [['debug', { err: error }, 'connection']]],
  ['internalError', [error], [['error', { err: error }, 'internal error']]],
  [
    'sheddingStarted',
    [{ queueLength: 3, lagMs: 4 }],
    [['warn', { queue: 3, lagMs: 4 }, 'shedding load']],
  ],
  ['sheddingEnded', [{ refusedRequests: 5 }], [['warn', { refused: 5 }, 'shedding over']]],
  [
    'jwksFetchFailed',
    [{ error, jwksUrl: 'https://issuer.example/jwks' }],
    [['error', { err: error, jwksUrl: 'https://issuer.example/jwks' }, 'issuer keys not fetched']],
  ],
  [
    'introspectionFailed',
    [{ error, introspectionUrl: 'https://issuer.example/introspect' }],
    [
      [
        'error',
        { err: error, introspectionUrl: 'https://issuer.example/introspect' },
        'token not introspected',
      ],
    ],
  ],
  [
    'tokenRejected',
    [{ code: 'ERR_JWT_EXPIRED', reason: 'expired' }],
    [['debug', { code: 'ERR_JWT_EXPIRED', reason: 'expired' }, 'token refused']],
  ],
];

describe('logEvents', () => {
  it.each(rows)('logs %s', (name, payload, lines) => {
    const logged: unknown[][] = [];
    const method =
      (level: string) =>
      (...args: unknown[]) =>
        logged.push([level, ...args]);
    const levels = ['debug', 'info', 'warn', 'error', 'request'];
    const log = Object.fromEntries(levels.map((level) => [level, method(level)]));
    const events: ServiceEmitter = new EventEmitter();
    logEvents(events, log as unknown as Log);
    (events as EventEmitter).emit(name, ...payload);
    expect(logged).toEqual(lines);
  });
});
