// Text of a contract in a terminal or a CI log.

export { positionText, textOf } from './document/finding.ts';

/** C0 and C1 controls, line and paragraph separators, and marks that change the direction of text. */
const CONTROLS = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/**
 * @returns one line, with control characters as `\\u001b`. A `::` at its start, which GitHub reads as a
 *   workflow command, follows a backslash.
 */
export function printable(text: string): string {
  return withoutCommands(text.replace(CONTROLS, escapeOf));
}

/** @returns the same for each line; tabs remain */
export function printableLines(text: string, { isLineStart }: { isLineStart: boolean }): string {
  const lines = text.replace(CONTROLS, (character) =>
    character === '\n' || character === '\t' ? character : escapeOf(character),
  );
  const first = isLineStart ? withoutCommands(lines) : lines;
  return first.replace(/\n[^\S\n]*(?=::|##\[)/g, '$&\\');
}

/** @returns such as `1 error`, `2 errors` */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** @returns an argument of a command in a shell */
export function shellWord(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function withoutCommands(text: string): string {
  return text.replace(/^(\s*)(?=::|##\[)/, '$1\\');
}
