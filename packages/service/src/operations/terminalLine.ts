// Makes a line of the log harmless for a terminal: pino-pretty prints its strings as they are.

/** An escape sequence of JSON; or, which JSON does not escape, C1 controls and marks of direction. */
const ESCAPES =
  /\\(u[\da-f]{4}|.)|[\u007F-\u009F\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/giu;
/** A stack trace has indented lines. */
const INDENTED = /^(?: |\\t)/;

/** @returns the line with control characters of its strings as text: `\u001b`, `\r` */
export function terminalLine(json: string): string {
  return json.replace(ESCAPES, (found: string, sequence: string | undefined, at: number) => {
    if (sequence === undefined) {
      return `\\\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
    }
    const rest = json.slice(at + found.length, at + found.length + 2);
    const isPrinted = sequence === 'n' ? INDENTED.test(rest) : /^["\\/t]$/.test(sequence);
    return isPrinted ? found : `\\${found}`;
  });
}
