// Headers of responses that depend on how a request is answered: Vary and Cache-Control.
import { listElements } from '@stubwright/contract';
import type { EngineResponse } from 'stubwright/internals';

type Headers = EngineResponse['headers'];

/** @returns the headers with these names in `Vary` (RFC 9110, section 12.5.5) */
export function withVary(headers: Headers, names: readonly string[]): Headers {
  if (names.length === 0) return headers;
  const [field, listed] = fieldOf(headers, 'Vary');
  const isListed = (each: string) =>
    listed.some((other) => other === '*' || other.toLowerCase() === each.toLowerCase());
  const { [field]: _, ...rest } = headers;
  return { ...rest, Vary: [...listed, ...names.filter((each) => !isListed(each))].join(', ') };
}

/** For all clients: RFC 9111, section 5.2.2. */
const SHARED = /^(?:public|s-maxage\b.*|private=.*)$/i;

/** @returns the headers of a response that only the cache of its client may store */
export function withPrivate(headers: Headers): Headers {
  const [field, directives] = fieldOf(headers, 'Cache-Control');
  if (directives.some((each) => /^(?:private|no-store)$/i.test(each))) return headers;
  const { [field]: _, ...rest } = headers;
  const own = directives.filter((each) => !SHARED.test(each));
  return { ...rest, 'Cache-Control': ['private', ...own].join(', ') };
}

/** @returns the name as the response has it, and the elements of its list */
function fieldOf(headers: Headers, name: string): readonly [string, string[]] {
  const found = Object.keys(headers).find((each) => each.toLowerCase() === name.toLowerCase());
  if (found === undefined) return [name, []];
  return [found, listElements(headers[found])];
}
