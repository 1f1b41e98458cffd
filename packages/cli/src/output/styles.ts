// Colours on a terminal.
import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

type TextStyle = 'red' | 'yellow' | 'green' | 'cyan' | 'bold' | 'dim';

/**
 * Marks parts of a text with a style. The marks become colours after the text is escaped: text of a contract cannot
 * contain them.
 */
export class Styles {
  readonly isOn: boolean;
  readonly #mark = randomUUID();
  readonly #marked = new RegExp(`${this.#mark}<(\\w+)>(.*?)${this.#mark}<>`, 'gs');

  constructor(isOn: boolean) {
    this.isOn = isOn;
  }

  readonly paint = (style: TextStyle, text: string): string =>
    this.isOn && text !== '' ? `${this.#mark}<${style}>${text}${this.#mark}<>` : text;

  rendered(text: string): string {
    if (!this.isOn) return text;
    return text.replace(this.#marked, (_, style: TextStyle, marked: string) =>
      styleText(style, marked, { validateStream: false }),
    );
  }
}

/**
 * @param option of `--no-color`
 * @returns true on a terminal, unless `NO_COLOR` or `FORCE_COLOR` decide otherwise
 */
export function hasColors(
  stream: Writable,
  env: Readonly<Record<string, string | undefined>>,
  option = true,
): boolean {
  if (!option || env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined) return !['0', 'false'].includes(env['FORCE_COLOR']);
  return isTerminal(stream) && env['TERM'] !== 'dumb';
}

export function isTerminal(stream: Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true;
}
