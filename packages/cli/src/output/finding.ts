// What a command found at a location of a contract, as one line.

import type { Finding, Position } from '@stubwright/contract';
import { printable } from '@stubwright/contract/printable';

/** @param text `file:line:column  message`, as contract errors are written */
export function findingIn(text: string, level: Finding['level'], rule: string): Finding {
  const [, file, line, column, message] = /^(.*?):(\d+):(\d+) {2}(.*)$/s.exec(text) ?? [];
  if (file === undefined) return { level, rule, message: text, position: undefined };
  const position = { file, line: Number(line), column: Number(column) };
  return { level, rule, message: message!.replace(/^warning(?:: | {2})/, ''), position };
}

/** @returns `file:line:column  message  (rule)`; a warning has `warning: ` before the message */
export function lineOf({ level, rule, message, position }: Finding): string {
  const at = position === undefined ? '' : `${placeOf(position)}  `;
  return printable(`${at}${level === 'error' ? '' : `${level}: `}${message}  (${rule})`);
}

export function placeOf({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}
