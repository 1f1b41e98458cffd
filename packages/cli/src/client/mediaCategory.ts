// How a generated client sends and receives a media type.
import {
  isEventStream,
  isJson,
  isMultipartMixed,
  isSequential,
  isXml,
  parseMediaType,
  type Schema,
} from '@stubwright/contract';
import { isBinaryValue, textShape } from './textShapes.ts';

export type MediaCategory =
  | 'json'
  | 'lines'
  | 'events'
  | 'mixed'
  | 'form'
  | 'multipart'
  | 'xml'
  | 'text'
  | 'bytes';

/** The same precedence as in the engine. @param item of a sequence */
export function mediaCategory(
  key: string,
  schema: Schema | undefined,
  item: Schema | undefined,
): MediaCategory {
  const type = parseMediaType(key)?.type ?? key;
  const shape = schema === undefined ? 'string' : textShape([schema]);
  if (isEventStream(type)) return 'events';
  if (isMultipartMixed(type)) return item === undefined ? 'bytes' : 'mixed';
  if (isSequential(type) && item !== undefined) return 'lines';
  if (isJson(type)) return 'json';
  if (isXml(type) && typeof shape !== 'string' && !isBinaryValue(schema)) return 'xml';
  if (type.startsWith('text/')) return 'text';
  if (type === 'application/x-www-form-urlencoded') {
    return typeof shape === 'string' && schema?.types !== undefined ? 'text' : 'form';
  }
  return type === 'multipart/form-data' ? 'multipart' : 'bytes';
}
