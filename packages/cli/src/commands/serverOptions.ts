// The options and the signals of commands that listen.
import { Option } from 'commander';

const LARGEST_PORT = 65_535;

/** By default HOST, else the IPv4 loopback address. */
export function hostOption(): Option {
  return new Option('--host <host>', 'address to listen on').env('HOST').default('127.0.0.1');
}

/** By default PORT, else `fallback`. */
export function portOption(fallback: number): Option {
  return new Option('--port <port>', 'port to listen on; 0 selects a free one')
    .env('PORT')
    .default(fallback)
    .argParser((text) => integer('--port', text, 0, LARGEST_PORT));
}

/** @throws {Error} for a value that is not an integer from min to max */
export function integer(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Error(
    `${name}: got ${JSON.stringify(text)}, expected an integer from ${min} to ${max}`,
  );
}

/** @returns an error for the user, if `error` is the error of a server that cannot listen */
export function listenError(error: unknown, { host, port }: { host: string; port: number }) {
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

/** Calls `stop` at the first SIGINT or SIGTERM; the second one ends the process with exit code 1. */
export function onStop(stop: () => Promise<void>): void {
  let signals = 0;
  const onSignal = () => {
    if (++signals > 1) process.exit(1);
    void stop();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
}
