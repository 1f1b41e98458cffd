// The URLs of other pages, for the header `Link` (RFC 8288).
import { ConvertedExchange } from '../request/convertedExchange.ts';
import type { Exchange } from '../request/exchange.ts';

/** The value of the parameter that selects a page; undefined for the first page without one. */
export type PageValue = string | number | undefined;

/** The pages that a page leads to. */
export interface PageValues {
  readonly first: PageValue;
  /** Undefined on the first page, and for cursors. */
  readonly prev?: PageValue;
  /** Undefined on the last page. */
  readonly next?: PageValue;
}

/**
 * Writes the URLs of a request with another page. They keep its path and its other query parameters.
 *
 * @param hidden the names of query parameters that no URL may have: credentials
 * @param origin before the path
 */
export function pageUrls(
  exchange: Exchange,
  parameter: string,
  hidden: ReadonlySet<string>,
  origin = '',
) {
  // A client of an older version requests the pages of that one.
  const { path, queryText } = exchange instanceof ConvertedExchange ? exchange.sent : exchange;
  const start = `${origin.replace(/\/+$/, '')}${path}`;
  const others = queryText.split('&').filter((pair) => {
    const [name] = new URLSearchParams(pair).keys();
    return name !== undefined && name !== parameter && !hidden.has(name);
  });
  const urlOf = (value: PageValue): string => {
    const own =
      value === undefined ? [] : [`${encodeURIComponent(parameter)}=${encodeURIComponent(value)}`];
    const query = [...others, ...own].join('&');
    return uriReference(query === '' ? start : `${start}?${query}`);
  };
  return {
    of: urlOf,
    /** @returns the value of the header `Link` */
    header({ first, prev, next }: PageValues): string {
      const links = [`<${urlOf(first)}>; rel="first"`];
      if (prev !== undefined) links.push(`<${urlOf(prev)}>; rel="prev"`);
      if (next !== undefined) links.push(`<${urlOf(next)}>; rel="next"`);
      return links.join(', ');
    },
  };
}

/** Escapes what a URI must not contain; Node has each byte of a request target as one character. */
function uriReference(text: string): string {
  return text.replace(
    /[^\x21\x23-\x3b\x3d\x3f-\x7e]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
