// The media types whose bodies are sequences of items.

/** JSON Lines and NDJSON, one value a line. */
const JSON_LINES = /^application\/(?:jsonl|x-jsonlines|x-ndjson|ndjson)$/;

/** True for JSON text sequences (RFC 7464, RFC 8091). */
export function isJsonSequence(type: string): boolean {
  return type === 'application/json-seq' || type.endsWith('+json-seq');
}

/** True for parts of any media type (RFC 2046, section 5.1.3). */
export function isMultipartMixed(type: string): boolean {
  return type === 'multipart/mixed';
}

/** True for server-sent events (WHATWG HTML, section 9.2). */
export function isEventStream(type: string): boolean {
  return type === 'text/event-stream';
}

/** True for the sequential media types of OpenAPI 3.2.0, section 4.14.4, that the engine reads and writes. */
export function isSequential(type: string): boolean {
  const isLines = JSON_LINES.test(type);
  return isLines || isEventStream(type) || isJsonSequence(type) || isMultipartMixed(type);
}
