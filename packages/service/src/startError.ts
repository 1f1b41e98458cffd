// Formats an error of the start as one line.

/** Errors whose message is one complete line for the operator. */
const PLAIN_ERRORS = new Set(['ConfigError', 'ContractErrors', 'StoreRefused']);

/** @returns one line that names the setting to change; the stack of an unexpected error */
export function startErrorMessage(error: unknown): string {
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
  if (code === 'ECONNREFUSED' || code === 'ETIMEDOUT')
    return `the service cannot open what it needs: ${error.message}`;
  return error.stack ?? error.message;
}
