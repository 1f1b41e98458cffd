import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { malformedHttp } from '@stubwright/contract';
import { type StoreEmitter, storeMetrics } from '@stubwright/store';
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

/** @returns the upper bounds of the buckets of a histogram */
function bucketsOf(text: string, name: string): string[] {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}_bucket{`));
  return lines.map((line) => /le="([^"]+)"/.exec(line)![1]!);
}

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

  it('has buckets from a write on a fast disk to the timeouts of clients', async () => {
    const events: ServiceEmitter = new EventEmitter();
    const metrics = collectMetrics(events, () => 0);
    events.emit('responded', response);
    expect(bucketsOf(await metrics(), 'http_request_duration_seconds')).toEqual([
      ...['0.001', '0.0025', '0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5'],
      ...['10', '+Inf'],
    ]);
  });

  it('has the commits of a store', async () => {
    const commits: StoreEmitter = new EventEmitter();
    const metrics = collectMetrics(new EventEmitter(), () => 0, storeMetrics(commits, 'creates'));
    commits.emit('committed', { writes: 3, durationMs: 2 });
    const text = await metrics();
    expect(text).toContain('# HELP store_commit_creates Creates in one commit\n');
    expect(text).toContain('store_commit_creates_sum 3\n');
    expect(text).toContain('store_commit_duration_seconds_sum 0.002\n');
    expect(bucketsOf(text, 'store_commit_creates')).toEqual([
      ...['1', '2', '5', '10', '20', '50', '100', '200', '255', '+Inf'],
    ]);
    expect(bucketsOf(text, 'store_commit_duration_seconds')).toEqual([
      ...['0.00025', '0.0005', '0.001', '0.0025', '0.005', '0.01', '0.05', '0.25', '1', '5'],
      '+Inf',
    ]);
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
});
