// What a command found at a location of a contract.

import { printable } from './printable.ts';

/** A position in a file; line and column start at 1. */
export interface Position {
  /** Relative to the working directory. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Finding {
  /** An `error` fails the command. */
  readonly level: 'error' | 'warning' | 'note';
  /** A stable id. */
  readonly rule: string;
  readonly message: string;
  /** Undefined for the whole contract. */
  readonly position: Position | undefined;
}

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
