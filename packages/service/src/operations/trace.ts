// OpenTelemetry spans for requests and their steps. The operator chooses the SDK: `node --import ./sdk.js`.

import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Engine, EngineResponse, Exchange } from 'stubwright/internals';

const tracer = trace.getTracer('stubwright');

/** @returns an engine with a span per request, in the trace of the caller (W3C Trace Context) */
export function tracedEngine<Handling extends Pick<Engine, 'handle'>>(engine: Handling): Handling {
  return {
    ...engine,
    handle(exchange) {
      const caller = propagation.extract(context.active(), exchange.headers);
      const attributes = { 'http.request.method': exchange.method };
      const span = tracer.startSpan(exchange.method, { kind: SpanKind.SERVER, attributes }, caller);
      return context.with(trace.setSpan(caller, span), () => handleIn(span, engine, exchange));
    },
  };
}

async function handleIn(
  span: Span,
  engine: Pick<Engine, 'handle'>,
  exchange: Exchange,
): Promise<EngineResponse> {
  const response = await engine.handle(exchange);
  const { route, status, cause, version } = response;
  if (route !== undefined) {
    span.updateName(`${exchange.method} ${route}`);
    span.setAttribute('http.route', route);
  }
  if (version !== undefined) span.setAttribute('stubwright.version', version);
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) fail(span, cause);
  span.end();
  return { ...response, traceId: span.spanContext().traceId };
}

/** Calls `callback` in a span, which ends when the promise settles; a rejection sets the status ERROR. */
export type InSpan = <T>(
  name: string,
  callback: (setAttribute: (name: string, value: string) => void) => Promise<T>,
) => Promise<T>;

/** @throws the error of `callback` */
export const inSpan: InSpan = (name, callback) => {
  return tracer.startActiveSpan(name, async (span) => {
    try {
      return await callback((attribute, value) => span.setAttribute(attribute, value));
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
};

/** Calls a synchronous step of a request in a span. */
export function tracedStep<T>(name: string, callback: () => T): T {
  return tracer.startActiveSpan(name, (span) => {
    try {
      return callback();
    } finally {
      span.end();
    }
  });
}

function fail(span: Span, cause: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  if (cause instanceof Error) span.recordException(cause);
}
