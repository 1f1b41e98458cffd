// The target of a forwarded request (RFC 9112, section 3.2).

import type { IncomingMessage } from 'node:http';
import { malformedHttp } from '@stubwright/contract';
import type { Problem } from 'stubwright';
import { originForm } from 'stubwright/internals';

/** A proxy in between and the service may each decode once; one more is a margin. */
const DECODINGS = 3;
/** Also with parameters (`..;a=b`), which some services remove before they resolve dot segments. */
const DOT_SEGMENT = /(?:^|[/\\])\.\.?(?:;[^/\\]*)?(?:[/\\]|$)/;

/** @returns undefined for a target that can be appended to the path of a service */
export function targetError({ method, url = '' }: IncomingMessage): Problem | undefined {
  const target = originForm(url);
  const isAsterisk = target === '*' && method === 'OPTIONS';
  if ((isAsterisk || target.startsWith('/')) && !target.includes('#')) return undefined;
  return malformedHttp('expected a path or an http URL without a fragment as request target');
}

/**
 * A service resolves dot segments, so such a path may lead to another operation, or out of the base path.
 *
 * @returns undefined for a path without `.` and `..` segments, percent-encoded or not
 */
export function dotSegmentError({ url = '' }: IncomingMessage): Problem | undefined {
  let [path = ''] = originForm(url).split('?');
  for (let round = 0; round <= DECODINGS; round++) {
    if (DOT_SEGMENT.test(path)) return malformedHttp('expected a path without dot segments');
    path = path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  }
  return undefined;
}

/** @returns the host and port that the client asked for; the target precedes `Host` (section 3.2.2) */
export function authorityOf({ url = '', headers }: IncomingMessage): string | undefined {
  const [, authority] = /^https?:\/\/(?:[^/?#]*@)?([^/?#]+)/i.exec(url) ?? [];
  return authority ?? headers.host;
}
