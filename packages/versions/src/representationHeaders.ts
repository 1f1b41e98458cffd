// Headers that depend on the representation: entity tags, and URLs of operations.
import type { HandlerReply } from 'stubwright/internals';

/** @returns the URL of the same resource in the older contract; the URL itself for any other */
export type ToOldUrl = (url: string) => string;

const CONDITIONS = ['if-match', 'if-none-match', 'if-range'];
const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/**
 * Representations of one resource have different entity tags (RFC 9110, section 8.8.3), also those of two
 * versions.
 */
export class EntityTags {
  readonly #suffix: string;

  constructor(version: string) {
    this.#suffix = `;${version}`;
  }

  toOld(tag: string): string {
    return tag.replace(TAG, (_, weak = '', opaque) => `${weak}"${opaque}${this.#suffix}"`);
  }

  /** A tag of another version becomes one that no representation has. */
  toNew(condition: string): string {
    return condition.replace(TAG, (_, weak = '', opaque: string) => {
      const isOwn = opaque.endsWith(this.#suffix);
      const known = isOwn ? opaque.slice(0, -this.#suffix.length) : `${opaque};other-version`;
      return `${weak}"${known}"`;
    });
  }

  /** @returns headers, or header parameters, with the conditions of the newer contract */
  conditionsToNew<Headers extends Readonly<Record<string, unknown>>>(headers: Headers): Headers {
    const conditions = Object.entries(headers).flatMap(([name, value]) => {
      const isCondition = typeof value === 'string' && CONDITIONS.includes(name.toLowerCase());
      return isCondition ? [[name, this.toNew(value)] as const] : [];
    });
    return conditions.length === 0 ? headers : { ...headers, ...Object.fromEntries(conditions) };
  }
}

/** @returns the reply with the headers of the representation that is sent */
export function withOldHeaders(
  reply: HandlerReply,
  tags: EntityTags,
  toOldUrl: ToOldUrl,
): HandlerReply {
  if (reply.headers === undefined) return reply;
  const headers = Object.entries(reply.headers).map(([name, value]) => {
    if (typeof value !== 'string') return [name, value];
    return [name, headerToOld(name.toLowerCase(), value, tags, toOldUrl)];
  });
  return { ...reply, headers: Object.fromEntries(headers) };
}

function headerToOld(name: string, value: string, tags: EntityTags, toOldUrl: ToOldUrl): string {
  if (name === 'etag') return tags.toOld(value);
  if (name === 'location' || name === 'content-location') return toOldUrl(value);
  if (name !== 'link') return value;
  return value.replace(/<([^<>]*)>/g, (_, url: string) => `<${toOldUrl(url)}>`);
}
