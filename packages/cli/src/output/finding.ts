// What a command found at a location of a contract, as one line.

import type { Finding } from '@stubwright/contract';
import { printable, textOf } from '@stubwright/contract/printable';

/** @returns `file:line:column  message  (rule)`; a warning has `warning: ` before the message */
export function lineOf({ level, rule, message, position }: Finding): string {
  const text = `${level === 'error' ? '' : `${level}: `}${message}  (${rule})`;
  return printable(textOf({ position, message: text }));
}
