// The spans of requests and steps, by status and error, in this process.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import type { Engine, EngineResponse, Exchange } from 'stubwright/internals';
import { inSpan, tracedEngine, tracedStep } from '../../src/operations/trace.ts';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
beforeAll(() => provider.register());
beforeEach(() => exporter.reset());
afterAll(async () => {
  await provider.shutdown();
  for (const api of [trace, context, propagation]) api.disable();
});

async function handled(response: Partial<EngineResponse>, headers: Exchange['headers'] = {}) {
  const engine = tracedEngine({ handle: async () => response } as Partial<Engine> as Engine);
  const found = await engine.handle({ method: 'GET', headers } as Exchange);
  const [span] = exporter.getFinishedSpans();
  return { found, span: span! };
}

describe('the span of a request', () => {
  it.each([200, 304, 404, 499])('is no error for status %d', async (status) => {
    const { span, found } = await handled({ status, route: '/toys/{id}' });
    expect([span.name, span.kind, span.status.code]).toEqual([
      ...['GET /toys/{id}', SpanKind.SERVER, SpanStatusCode.UNSET],
    ]);
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/toys/{id}',
      'http.response.status_code': status,
    });
    expect(span.events).toEqual([]);
    expect(found.traceId).toBe(span.spanContext().traceId);
  });

  it('has the version of a request that names an older one', async () => {
    const { span } = await handled({ status: 200, version: '1.4.0' });
    expect(span.attributes['stubwright.version']).toBe('1.4.0');
  });

  it.each([500, 503])('is an error for status %d, with its cause', async (status) => {
    const { span } = await handled({ status, cause: new Error('broken') });
    expect([span.name, span.status.code]).toEqual(['GET', SpanStatusCode.ERROR]);
    expect(span.events[0]?.attributes?.['exception.message']).toBe('broken');
    expect(span.attributes['http.route']).toBeUndefined();
  });

  it('records no cause that is not an Error', async () => {
    const { span } = await handled({ status: 500, cause: 'text' });
    expect(span.events).toEqual([]);
  });

  it("continues the caller's trace", async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    const { span } = await handled({ status: 200 }, { traceparent });
    expect(span.spanContext().traceId).toBe(traceId);
    expect(span.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
  });
});

describe('the span of a step', () => {
  it('ends with its promise, with attributes', async () => {
    const result = await inSpan('put', async (setAttribute) => {
      setAttribute('toy', 'a');
      expect(exporter.getFinishedSpans()).toEqual([]);
      return 1;
    });
    const [span] = exporter.getFinishedSpans();
    expect([result, span!.name, span!.attributes]).toEqual([1, 'put', { toy: 'a' }]);
    expect(span!.status.code).toBe(SpanStatusCode.UNSET);
  });

  it('is an error if its promise rejects', async () => {
    const error = new Error('broken');
    await expect(inSpan('put', () => Promise.reject(error))).rejects.toBe(error);
    const [span] = exporter.getFinishedSpans();
    expect(span!.status.code).toBe(SpanStatusCode.ERROR);
    expect(span!.events).toHaveLength(1);
  });

  it('ends with a synchronous function, and with one that throws', () => {
    expect(tracedStep('validate', () => 1)).toBe(1);
    const fails = () => {
      throw new Error('broken');
    };
    expect(() => tracedStep('other', fails)).toThrow('broken');
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['validate', 'other']);
  });
});
