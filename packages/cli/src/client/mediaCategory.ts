// How a generated client sends and receives a media type.
import { isJson, isXml, type Node, parseMediaType, type Schema } from 'stubwright/contract';
import { isBinaryValue, textShape } from './textShapes.ts';

export type MediaCategory =
  | 'json'
  | 'lines'
  | 'events'
  | 'form'
  | 'multipart'
  | 'xml'
  | 'text'
  | 'bytes';

const LINES = /^application\/(?:jsonl|x-ndjson|ndjson|json-seq)$/;

/** The same precedence as in the engine. @param node a Media Type Object */
export function mediaCategory(key: string, node: Node, schema: Schema | undefined): MediaCategory {
  const type = parseMediaType(key)?.type ?? key;
  const shape = schema === undefined ? 'string' : textShape([schema]);
  if (LINES.test(type) && node.itemSchema !== undefined) return 'lines';
  if (isJson(type)) return 'json';
  if (type === 'text/event-stream') return 'events';
  if (isXml(type) && typeof shape !== 'string' && !isBinaryValue(schema)) return 'xml';
  if (type.startsWith('text/')) return 'text';
  if (type === 'application/x-www-form-urlencoded') {
    return typeof shape === 'string' && schema?.types !== undefined ? 'text' : 'form';
  }
  return type === 'multipart/form-data' ? 'multipart' : 'bytes';
}
