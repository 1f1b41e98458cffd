// Traces by OpenTelemetry's API: a span for each request, its validation and what it awaits. Which SDK
// exports them is the choice of the operator: `node --import ./sdk.js`.
import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Answer, Engine } from '../engine/engine.ts';
import type { Exchange } from '../request/exchange.ts';

const tracer = trace.getTracer('stubwright');

/** An engine whose requests are spans, continuing the caller's trace (W3C Trace Context). */
export function tracedEngine(engine: Engine): Engine {
  return {
    handle(exchange) {
      const caller = propagation.extract(context.active(), exchange.headers);
      const attributes = { 'http.request.method': exchange.method };
      const span = tracer.startSpan(exchange.method, { kind: SpanKind.SERVER, attributes }, caller);
      return context.with(trace.setSpan(caller, span), () => answerIn(span, engine, exchange));
    },
  };
}

async function answerIn(span: Span, engine: Engine, exchange: Exchange): Promise<Answer> {
  const answer = await engine.handle(exchange);
  const { route, status, cause } = answer;
  if (route !== undefined) {
    span.updateName(`${exchange.method} ${route}`);
    span.setAttribute('http.route', route);
  }
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) fail(span, cause);
  span.end();
  return { ...answer, traceId: span.spanContext().traceId };
}

/** Does an act within a span of its own, which ends with it; a rejection marks it as failed. */
export type InSpan = <T>(
  name: string,
  act: (setAttribute: (name: string, value: string) => void) => Promise<T>,
) => Promise<T>;

export const inSpan: InSpan = (name, act) => {
  return tracer.startActiveSpan(name, async (span) => {
    try {
      return await act((attribute, value) => span.setAttribute(attribute, value));
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
};

/** Does a step of a request within a span of its own. */
export function tracedStep<T>(name: string, act: () => T): T {
  return tracer.startActiveSpan(name, (span) => {
    try {
      return act();
    } finally {
      span.end();
    }
  });
}

function fail(span: Span, cause: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  if (cause instanceof Error) span.recordException(cause);
}
