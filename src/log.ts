// The log: JSON lines, or lines for people on a terminal. Nothing of a token or a body goes in.
import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Lines are written together: a system call for each costs as much as answering. */
const BUFFER_BYTES = 8 * 1024;
/** No line waits longer. A process killed with -9 loses at most these. */
const FLUSH_MS = 100;

/** @param level a pino level, or `silent` */
export function createLog(level: string): Log {
  const options = { level, base: null, timestamp: isoTime };
  if (process.stdout.isTTY) {
    const pretty = { colorize: true, singleLine: true, translateTime: 'HH:MM:ss.l' };
    return pino({ ...options, transport: { target: 'pino-pretty', options: pretty } });
  }
  const buffered = { sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS };
  return pino(options, pino.destination({ dest: 1, ...buffered }));
}

let lastMs = 0;
let lastText = '';

/** As pino.stdTimeFunctions.isoTime, made once a millisecond. */
function isoTime(): string {
  const nowMs = Date.now();
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    lastText = `,"time":"${new Date(nowMs).toISOString()}"`;
  }
  return lastText;
}
