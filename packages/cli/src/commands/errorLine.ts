// What a command prints when it cannot do its work.
import { ContractErrors } from 'stubwright/internal/document/definition';

/** @returns one line; of a contract with several errors the first, and how many more there are */
export function errorLine(error: unknown): string {
  const lines = messageOf(error).split('\n');
  const more = error instanceof ContractErrors ? lines.length - 1 : 0;
  const rest = more === 0 ? '' : ` (and ${more} more: stubwright check lists all)`;
  return `stubwright: ${lines[0]}${rest}\n`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
