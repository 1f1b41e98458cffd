// The lines that report the result of a reload.

const MAX_ERRORS = 20;

/** @param what the saved file */
export function servedLine(what: string, seconds: string): string {
  return `${time()}  ${what} served in ${seconds} s`;
}

/** @param errors of the version that cannot be served */
export function keptLines(what: string, errors: string): string[] {
  const lines = errors.split('\n');
  const left = lines.length - MAX_ERRORS;
  return [
    `${time()}  ${what} cannot be served; the last good version stays`,
    ...lines.slice(0, MAX_ERRORS),
    ...(left > 0 ? [`and ${left} more lines`] : []),
  ];
}

function time(): string {
  return new Date().toTimeString().slice(0, 8);
}
