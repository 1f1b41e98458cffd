// An OpenTelemetry SDK as an operator loads one: `node --import`. It appends each span to the file
// that SPANS_FILE names, as a line of JSON.
import { appendFileSync } from 'node:fs';
import {
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';

const file = process.env['SPANS_FILE']!;

function serialized(span: ReadableSpan): string {
  const { name, attributes, status, parentSpanContext } = span;
  const { traceId, spanId } = span.spanContext();
  const parentId = parentSpanContext?.spanId;
  return JSON.stringify({ name, attributes, status, traceId, spanId, parentId });
}

const exporter = {
  export(spans: ReadableSpan[], done: (result: { code: number }) => void) {
    for (const span of spans) appendFileSync(file, `${serialized(span)}\n`);
    done({ code: 0 });
  },
  shutdown: () => Promise.resolve(),
};
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
