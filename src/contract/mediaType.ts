// Media types as they stand in Content-Type (RFC 9110, section 8.3).

const MEDIA_TYPE = /^([\w!#$&^.+-]+\/[\w!#$&^.+-]+)[ \t]*(?:;(.*))?$/s;
const CHARSET = /(?:^|;)[ \t]*charset=(?:"([^"]*)"|([^;\s]*))/i;

/**
 * @returns the media type in lower case, without its parameters; undefined for a value that is no
 *   media type, or whose charset is not UTF-8
 */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  if (contentType === 'application/json') return contentType;
  const [, type, parameters = ''] = MEDIA_TYPE.exec(contentType?.trim() ?? '') ?? [];
  const [, quoted, token] = CHARSET.exec(parameters) ?? [];
  const charset = quoted ?? token;
  return charset === undefined || /^utf-?8$/i.test(charset) ? type?.toLowerCase() : undefined;
}

/** True for `application/json` and every type with the structured suffix `+json` (RFC 6839). */
export function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json');
}
