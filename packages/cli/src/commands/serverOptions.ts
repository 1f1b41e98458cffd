// The options and the end of commands that listen.
import { Option } from 'commander';
import type { CommandIo } from '../output/io.ts';

const HOST = '127.0.0.1';
const LARGEST_PORT = 65_535;

export interface ServerOptions {
  readonly host?: string;
  readonly port?: string;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** @param port by default, if neither the option nor PORT is set */
export function serverOptions(port: number): Option[] {
  return [
    new Option('--host <host>', `address to listen on (default: "${HOST}", env: HOST)`),
    new Option(
      '--port <port>',
      `port to listen on; 0 selects a free one (default: ${port}, env: PORT)`,
    ),
  ];
}

export function addressOf(
  { env }: CommandIo,
  options: ServerOptions,
  defaultPort: number,
): Address {
  const { host = env['HOST'] ?? HOST, port = env['PORT'] ?? String(defaultPort) } = options;
  return { host, port: integerOption('--port', port, 0, LARGEST_PORT) };
}

/** @throws {Error} for a value that is not an integer from min to max */
export function integerOption(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Error(
    `${name}: got ${JSON.stringify(text)}, expected an integer from ${min} to ${max}`,
  );
}

/** @returns an error for the user, if `error` is the error of a server that cannot listen */
export function listenError(error: unknown, { host, port }: Address) {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return new Error(`--port: got ${port}, which is in use, expected a free port`);
    case 'EACCES':
      return new Error(`--port: got ${port}, which needs privileges, expected a port above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(
        `--host: got ${JSON.stringify(host)} (${code}), expected an address of this machine`,
      );
    default:
      return error;
  }
}

/** Resolves when a command that listens must stop. */
export function stopped({ untilSignal }: CommandIo): Promise<void> {
  return untilSignal?.() ?? new Promise(() => {});
}
