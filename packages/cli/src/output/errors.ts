// The errors of a command, and what it prints for them.

import { printable } from '@stubwright/contract/printable';
import type { Styles } from './terminal.ts';

export class FailedCheck extends Error {
  /** @param message empty if the command has reported the reasons */
  constructor(message = '') {
    super(message);
  }
}

export class PolicyErrors extends Error {
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.errors = errors;
  }
}

/** @returns one line: of several errors the first, and how many more there are; all errors of a policy */
export function errorLine(error: unknown, paint: Styles['paint'] = (_, text) => text): string {
  const name = paint('red', 'stubwright');
  if (error instanceof PolicyErrors) {
    return error.errors.map((cause) => `${name}${printable(`: ${cause}`)}\n`).join('');
  }
  const [first, ...more] = messageOf(error).trimEnd().split('\n');
  const hint = isContractErrors(error) ? ': stubwright check lists all' : '';
  const rest = more.length === 0 ? '' : ` (and ${more.length} more${hint})`;
  return `${name}${printable(`: ${first}${rest}`)}\n`;
}

/** The same sentence in every command. */
export function missingFile(path: string): Error {
  return new Error(`${path}: there is no such file`);
}

/** By name: the class would load a contract's modules for each command. */
function isContractErrors(error: unknown): boolean {
  return error instanceof Error && error.name === 'ContractErrors';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
