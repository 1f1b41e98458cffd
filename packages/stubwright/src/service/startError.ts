// Why the service did not start, in one line.

/** Errors whose message is meant for the operator, complete in one line. */
const PLAIN_ERRORS = new Set(['ConfigError', 'ContractErrors', 'StoreRefused']);

/** @returns a line that names what to change; of an error that nobody foresaw, its stack */
export function oneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (PLAIN_ERRORS.has(error.name)) return error.message;
  const { code, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (code === 'EADDRINUSE') return `PORT: ${address}:${port} is in use, expected a free port`;
  if (code === 'EACCES')
    return `PORT: ${address}:${port} needs privileges, expected a port above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST: expected an address of this machine: ${error.message}`;
  return error.stack ?? error.message;
}
