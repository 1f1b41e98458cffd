// The log: JSON lines, or lines for people on a terminal. Nothing of a token or a body goes in.
import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, pino } from 'pino';
import { developmentPath } from '../contract/development.ts';
import type { SentResponse } from './events.ts';

export type Log = Logger & {
  /** As `info(line, 'request')`, in a fifth of the time: one is written for every request. */
  request(line: SentResponse): void;
};

/** Its file descriptor: `process.stdout` makes a pipe non-blocking, and pino waits 100 ms when one is full. */
export const STANDARD_OUTPUT = 1;

/** Lines are written together: a system call for each costs as much as answering. */
const BUFFER_CHARS = 16 * 1024;
/** Pino writes once in a turn of the event loop: with its own 16 KiB it falls behind a busy service. */
const WRITE_BYTES = 1024 * 1024;
/** No line waits longer. A process killed with -9 loses at most these. */
const FLUSH_MS = 100;
/** Ten seconds of full load. What a stalled reader leaves behind would else end the process, and be lost whole. */
const MOST_UNREAD_BYTES = 32 * 1024 * 1024;

/** One for all logs of the process: each would listen for its end. */
let standardOutput: DestinationStream | undefined;

/** @param level a pino level, or `silent` */
export function createLog(level: string): Log {
  standardOutput ??= prettyDestination() ?? bufferedDestination();
  const destination: DestinationStream = standardOutput;
  const log = pino({ level, base: null, timestamp: isoTime }, destination);
  return Object.assign(log, {
    request(line: SentResponse) {
      if (log.isLevelEnabled('info')) destination.write(textOf(line));
    },
  });
}

/** On a terminal, where pino-pretty is installed. */
function prettyDestination(): DestinationStream | undefined {
  const target = isatty(STANDARD_OUTPUT) ? developmentPath('pino-pretty') : undefined;
  const options = { colorize: true, singleLine: true, translateTime: 'HH:MM:ss.l' };
  return target === undefined ? undefined : pino.transport({ target, options });
}

// Pino's own buffering measures all that it holds at each line: half of what a line cost.
function bufferedDestination() {
  let lines = '';
  let lost = 0;
  let isFull = false;
  const handOver = () => {
    if (lines === '') return;
    isFull = false;
    destination.write(lost === 0 ? lines : `${lossOf(lost)}${lines}`);
    lost = isFull ? lost + lines.split('\n').length - 1 : 0;
    lines = '';
  };
  // Before pino's own listener, which sees to it that what it was given is written.
  process.on('exit', handOver);
  // A full buffer is written at once; the rest on request, or at the end.
  const buffered = { sync: false, minLength: BUFFER_CHARS - 1, maxWrite: WRITE_BYTES };
  const destination = pino.destination({
    dest: STANDARD_OUTPUT,
    ...buffered,
    maxLength: MOST_UNREAD_BYTES,
  });
  destination.on('drop', () => {
    isFull = true;
  });
  const flush = (onWritten?: (error?: Error) => void) => {
    handOver();
    destination.flush(onWritten);
  };
  setInterval(flush, FLUSH_MS).unref();
  return {
    write(line: string) {
      lines += line;
      if (lines.length >= BUFFER_CHARS) handOver();
    },
    flush,
  };
}

/** The line that pino would write, which leaves out what is undefined. */
function textOf({ id, method, route, status, durationMs, bytes, traceId }: SentResponse): string {
  const at = route === undefined ? '' : `,"route":${JSON.stringify(route)}`;
  const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`;
  return `{"level":30${isoTime()},"id":"${id}","method":"${method}"${at},"status":${status},"durationMs":${durationMs},"bytes":${bytes}${trace},"msg":"request"}\n`;
}

/** Written in the place of what was lost, once there is room again. */
function lossOf(lines: number): string {
  return `{"level":40${isoTime()},"lines":${lines},"msg":"log lines lost: standard output was not read"}\n`;
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
