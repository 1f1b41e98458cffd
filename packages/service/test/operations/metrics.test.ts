import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { malformedHttp } from '../../../contract/src/errors/problem.ts';
import { collectMetrics } from '../../src/operations/admin/metrics.ts';
import type { SentResponse, ServiceEmitter } from '../../src/operations/events.ts';

const response: SentResponse = {
  id: 'run-1',
  method: 'GET',
  route: '/a',
  operationId: 'getA',
  status: 200,
  durationMs: 1.5,
  bytes: 2,
  traceId: undefined,
  cause: undefined,
};

describe('collectMetrics', () => {
  it('observes responses, rejected requests and dropped connections', async () => {
    const events: ServiceEmitter = new EventEmitter();
    const metrics = collectMetrics(events, () => 7);
    events.emit('responded', response);
    events.emit('responded', { ...response, operationId: undefined, status: 404 });
    events.emit('requestRejected', malformedHttp('expected an HTTP/1.1 request'));
    events.emit('connectionDropped');
    const lines = (await metrics()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'http_request_duration_seconds_count{operation="getA",status="200"} 1',
        'http_request_duration_seconds_sum{operation="getA",status="200"} 0.0015',
        'http_request_duration_seconds_count{operation="none",status="404"} 1',
        'http_request_duration_seconds_sum{operation="none",status="400"} 0',
        'http_connections_dropped_total 1',
        'service_queue_length 7',
      ]),
    );
  });

  it('labels the requests of an older version, and no others', async () => {
    const events: ServiceEmitter = new EventEmitter();
    const metrics = collectMetrics(events, () => 0);
    const older = { ...response, version: '1.4.0', caller: 'web', items: 3 };
    const deprecated = { caller: 'web', parts: [], sunset: undefined };
    events.emit('responded', { ...older, deprecated });
    events.emit('responded', { ...response, caller: 'web' });
    const lines = (await metrics()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'http_request_duration_seconds_count{operation="getA",version="1.4.0",status="200"} 1',
        'http_request_duration_seconds_count{operation="getA",status="200"} 1',
        'http_caller_requests_total{caller="web",version="1.4.0",status="200"} 1',
        'http_caller_requests_total{caller="web",status="200"} 1',
        'http_stream_items_total{operation="getA",version="1.4.0"} 3',
        'http_deprecated_requests_total{operation="getA",version="1.4.0",caller="web"} 1',
      ]),
    );
  });

  it('adds metrics of the service', async () => {
    const events: ServiceEmitter = new EventEmitter();
    const metrics = collectMetrics(
      events,
      () => 0,
      ({ Counter }, registers, emitter) => {
        const bytes = new Counter({ name: 'bytes_total', help: 'Bytes sent', registers });
        emitter.on('responded', (sent) => bytes.inc(sent.bytes));
      },
    );
    events.emit('responded', response);
    events.emit('responded', response);
    expect(await metrics()).toContain('\nbytes_total 4\n');
  });
});
