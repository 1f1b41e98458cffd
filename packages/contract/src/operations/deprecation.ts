// When a part of a contract was deprecated, and when it ends.
import { timeOf } from '../document/dates.ts';
import { isObject, type Node } from '../document/node.ts';

/** Times in milliseconds since 1970; undefined without the extension, and for one that is not a date. */
export interface Deprecation {
  /** Of `x-deprecated-since`. */
  readonly since: number | undefined;
  /** Of `x-sunset`. */
  readonly sunset: number | undefined;
  /** Of `externalDocs`: the target of a `Link` header. */
  readonly link: string | undefined;
}

/** A header has no other characters, and `>` ends the target (RFC 8288, section 3). */
const TARGET = /^[\x21-\x3b\x3d\x3f-\x7e]+$/;

/** True for an OpenAPI object or a schema with `deprecated: true`. */
export function isDeprecated(fields: unknown): boolean {
  return isObject(fields) && fields['deprecated'] === true;
}

/** @param fields of an OpenAPI object or a schema that is deprecated */
export function deprecationIn(fields: Readonly<Node>): Deprecation {
  const url: unknown = fields['externalDocs']?.url;
  return {
    since: timeOf(fields['x-deprecated-since']),
    sunset: timeOf(fields['x-sunset']),
    link: typeof url === 'string' && TARGET.test(url) ? url : undefined,
  };
}
