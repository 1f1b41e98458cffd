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

/** Writes the URL of a request with another page. Keeps its path and its other query parameters. */
export class PageUrls {
  readonly #start: string;
  readonly #others: readonly string[];
  readonly #parameter: string;

  /**
   * @param hidden the names of query parameters that no URL may have: credentials
   * @param origin before the path
   */
  constructor(
    exchange: Exchange,
    parameter: string,
    { hidden, origin = '' }: { hidden: ReadonlySet<string>; origin?: string | undefined },
  ) {
    // A client of an older version requests the pages of that one.
    const { path, queryText } = exchange instanceof ConvertedExchange ? exchange.sent : exchange;
    this.#start = `${origin.replace(/\/+$/, '')}${path}`;
    this.#parameter = parameter;
    this.#others = queryText.split('&').filter((pair) => {
      const [name] = new URLSearchParams(pair).keys();
      return name !== undefined && name !== parameter && !hidden.has(name);
    });
  }

  of(value: PageValue): string {
    const own =
      value === undefined
        ? []
        : [`${encodeURIComponent(this.#parameter)}=${encodeURIComponent(value)}`];
    const query = [...this.#others, ...own].join('&');
    return uriReference(query === '' ? this.#start : `${this.#start}?${query}`);
  }

  /** @returns the value of the header `Link` */
  header({ first, prev, next }: PageValues): string {
    const links = [`<${this.of(first)}>; rel="first"`];
    if (prev !== undefined) links.push(`<${this.of(prev)}>; rel="prev"`);
    if (next !== undefined) links.push(`<${this.of(next)}>; rel="next"`);
    return links.join(', ');
  }
}

/** Escapes what a URI must not contain; Node has each byte of a request target as one character. */
function uriReference(text: string): string {
  return text.replace(
    /[^\x21\x23-\x3b\x3d\x3f-\x7e]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
