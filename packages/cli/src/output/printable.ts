// Text of a contract in one line of a terminal or a CI log.

/** C0 and C1 controls, line and paragraph separators, and marks that change the direction of text. */
const CONTROLS = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/**
 * @returns the text with control characters as `\\u001b`. A `::` at its start, which GitHub reads as a
 *   workflow command, follows a backslash.
 */
export function printable(text: string): string {
  return text
    .replace(CONTROLS, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/^(\s*)(?=::|##\[)/, '$1\\');
}
