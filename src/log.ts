// The log: JSON lines, or lines for people on a terminal. Nothing of a token or a body goes in.
import { type Logger, pino } from 'pino';

export type Log = Logger;

/** @param level a pino level, or `silent` */
export function createLog(level: string): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stdout.isTTY) return pino(options);
  const transport = {
    target: 'pino-pretty',
    options: { colorize: true, translateTime: 'HH:MM:ss.l' },
  };
  return pino({ ...options, transport });
}
