// The lines that report the result of a reload.

const MAX_ERRORS = 20;

export function servedLine(what: string, seconds: string): string {
  return `${time()}  ${what} served in ${seconds} s`;
}

/** @param errors of the version that cannot be served */
export function keptLines(what: string, errors: string): string[] {
  return [`${time()}  ${what} cannot be served; the last good version stays`, ...atMost(errors)];
}

/** @param errors of the first version, which cannot be served */
export function waitingLines(errors: string): string[] {
  return [...atMost(errors), `${time()}  nothing is served; waits for a save`];
}

function atMost(errors: string): string[] {
  const lines = errors.split('\n');
  const left = lines.length - MAX_ERRORS;
  return [...lines.slice(0, MAX_ERRORS), ...(left > 0 ? [`and ${left} more lines`] : [])];
}

function time(): string {
  return new Date().toTimeString().slice(0, 8);
}
