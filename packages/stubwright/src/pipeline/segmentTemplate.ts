// Matches a path segment with template expressions (`{page}.{format}`) in linear time.

export interface SegmentTemplate {
  /** The segment without the names of its expressions. */
  readonly source: string;
  readonly names: readonly string[];
  /** The number of characters outside the expressions. */
  readonly literalLength: number;
  /**
   * @returns the value of each expression, non-empty and as short as possible from left to right;
   *   undefined if the segment does not match
   */
  match(segment: string): readonly string[] | undefined;
}

/** Compiles a path segment of a path template. */
export function segmentTemplate(segment: string): SegmentTemplate {
  const parts = segment.split(/\{([^}]*)\}/);
  const literals = parts.filter((_, at) => at % 2 === 0).map(escapeLiteral);
  const prefix = literals[0]!;
  const suffix = literals.at(-1)!;
  const inner = literals.slice(1, -1);
  return {
    source: literals.join('{}'),
    names: parts.filter((_, at) => at % 2 === 1),
    literalLength: literals.join('').length,
    match(text) {
      if (!text.startsWith(prefix) || !text.endsWith(suffix)) return undefined;
      const end = text.length - suffix.length;
      const values: string[] = [];
      let start = prefix.length;
      // The first occurrence of a literal leaves the most text for the rest: no backtracking.
      for (const literal of inner) {
        const at = text.indexOf(literal, start + 1);
        if (at < 0) return undefined;
        values.push(text.slice(start, at));
        start = at + literal.length;
      }
      if (start >= end) return undefined;
      values.push(text.slice(start, end));
      return values;
    },
  };
}

/** Percent-encodes non-ASCII text as clients do (RFC 3986, section 2.1). */
function escapeLiteral(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}
