// How a generated client sends and receives a media type.
import { type Content, isEventStream, isXml, parseMediaType } from '@stubwright/contract';
import { mediaContentOf, mediaKindOf, type Validators } from '@stubwright/contract/values';
import { isBinaryValue } from './textShapes.ts';

export type MediaCategory =
  | ('json' | 'lines' | 'events' | 'form' | 'multipart' | 'xml')
  | ('text' | 'bytes');

/** @returns a status as the client writes it: `4XX`, `default` */
export function statusKey(status: string): string {
  return status.toUpperCase().replace('DEFAULT', 'default');
}

/** @param key of the content, a media type or a range */
export function mediaCategory(
  key: string,
  content: Content,
  validators: Validators,
): MediaCategory {
  const type = parseMediaType(key)?.type ?? key;
  // Without a schema, the data of an event is text.
  if (isEventStream(type)) return 'events';
  const { name } = mediaKindOf(type, mediaContentOf(content, validators));
  // Without a codec in the client: text of any schema.
  if (isXml(type) && !isBinaryValue(content.schema)) return 'xml';
  if (name === 'sequence') return 'lines';
  return name === 'opaque' || name === 'xml' ? 'bytes' : name;
}
