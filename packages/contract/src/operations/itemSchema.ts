// The media types whose bodies are sequences of items.

/** JSON Lines and NDJSON, one value a line. */
const JSON_LINES = /^application\/(?:jsonl|x-jsonlines|x-ndjson|ndjson)$/;

/** True for server-sent events (WHATWG HTML, section 9.2). */
export function isEventStream(type: string): boolean {
  return type === 'text/event-stream';
}

/** True for the sequential media types of OpenAPI 3.2.0, section 4.14.4, that the engine reads and writes. */
export function isSequential(type: string): boolean {
  return JSON_LINES.test(type) || isEventStream(type);
}
