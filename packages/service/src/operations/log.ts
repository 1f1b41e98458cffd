// The log: JSON lines, or formatted lines on a terminal. Tokens and bodies are never logged.

import { isatty } from 'node:tty';
import { developmentPath, shown } from '@stubwright/contract';
import { type DestinationStream, type Logger, pino } from 'pino';
import SonicBoom from 'sonic-boom';
import type { SentResponse, ServiceEmitter } from './events.ts';

/** A pino logger with a faster method for the line of a request. */
export type Log = Logger & {
  /** Equivalent to `info(line, 'request')`, in a fifth of the time. */
  request(line: SentResponse): void;
};

/** Not `process.stdout`: that makes a pipe non-blocking, and pino waits 100 ms when one is full. */
export const STANDARD_OUTPUT = 1;

/** Lines are written in batches: one system call per line costs as much as the request itself. */
const BUFFER_CHARS = 16 * 1024;
/** Pino writes once per event loop iteration: its default of 16 KiB is too small for a busy service. */
const WRITE_BYTES = 1024 * 1024;
/** Maximum delay of a line. SIGKILL loses at most the lines of this interval. */
const FLUSH_MS = 100;
/** Ten seconds of full load. Beyond it lines are discarded, so that a stalled reader does not exhaust memory. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/** Shared by all logs of the process: each destination adds an exit listener. */
let standardOutput: DestinationStream | undefined;

/**
 * Creates a log.
 *
 * @param level a pino level, or `silent`
 * @param stream by default standard output
 */
export function createLog(level: string, stream?: DestinationStream): Log {
  const isOther = stream !== undefined && !('fd' in stream && stream.fd === STANDARD_OUTPUT);
  const destination = isOther ? stream : bufferedOutput();
  const log = pino({ level, base: null, timestamp: isoTime }, destination);
  return Object.assign(log, {
    request(line: SentResponse) {
      if (log.isLevelEnabled('info')) destination.write(textOf(line));
    },
  });
}

/** @returns a log that writes through a logger of the application, with its level and its bindings */
export function logTo(logger: Logger): Log {
  if ('request' in logger) return logger as Log;
  return Object.assign(Object.create(logger) as Logger, {
    request(line: SentResponse) {
      logger.info(line, 'request');
    },
  });
}

function bufferedOutput(): DestinationStream {
  standardOutput ??= prettyDestination() ?? bufferedDestination();
  return standardOutput;
}

/** @returns undefined without a terminal or without pino-pretty */
function prettyDestination(): DestinationStream | undefined {
  const target = isatty(STANDARD_OUTPUT) ? developmentPath('pino-pretty') : undefined;
  const options = { colorize: true, singleLine: true, translateTime: 'HH:MM:ss.l' };
  if (target === undefined) return undefined;
  const pretty = pino.transport({ target, options });
  // A prototype: pino waits for the stream at the exit of the process.
  return Object.create(pretty, {
    write: { value: (line: string) => pretty.write(terminalLine(line)) },
  });
}

// Pino measures its whole buffer at each line: half of the time of a line. Pino's own SonicBoom 4 retries
// a failed flushSync forever: a process whose reader is gone, or whose disk is full, would not end.
function bufferedDestination() {
  let lines = '';
  let lost = 0;
  let isFull = false;
  let isClosed = false;
  const handOver = () => {
    if (lines === '') return;
    isFull = false;
    if (!isClosed) destination.write(lost === 0 ? lines : `${lossOf(lost)}${lines}`);
    lost = isFull ? lost + lines.split('\n').length - 1 : 0;
    lines = '';
  };
  const buffered = { sync: false, minLength: BUFFER_CHARS - 1, maxWrite: WRITE_BYTES };
  const destination = new SonicBoom.SonicBoom({
    fd: STANDARD_OUTPUT,
    ...buffered,
    maxLength: MAX_UNREAD_BYTES,
  });
  destination.on('drop', () => {
    isFull = true;
  });
  // After another error than a closed reader, such as a full disk, the next write repeats the lines.
  destination.on('error', ({ code }: NodeJS.ErrnoException) => {
    isClosed = code === 'EPIPE';
  });
  process.on('exit', () => {
    handOver();
    try {
      if (!isClosed) destination.flushSync();
    } catch {
      // Nowhere to report it.
    }
  });
  const flush = (onWritten?: (error?: Error) => void) => {
    handOver();
    if (isClosed) onWritten?.();
    else destination.flush(onWritten);
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

/** The same line as pino's, without undefined properties. */
function textOf(sent: SentResponse): string {
  const { id, method, route, status, caller, durationMs, bytes } = sent;
  const { items, headMs, reason, traceId, version } = sent;
  const at = route === undefined ? '' : `,"route":${JSON.stringify(route)}`;
  const ofVersion = version === undefined ? '' : `,"version":${JSON.stringify(version)}`;
  const by = caller === undefined ? '' : `,"caller":${JSON.stringify(caller)}`;
  const stream =
    (items === undefined ? '' : `,"items":${items}`) +
    (headMs === undefined ? '' : `,"headMs":${headMs}`);
  const why = reason === undefined ? '' : `,"reason":${JSON.stringify(reason)}`;
  const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`;
  return `{"level":30${isoTime()},"id":"${id}","method":"${method}"${at}${ofVersion},"status":${status}${by},"durationMs":${durationMs},"bytes":${bytes}${stream}${why}${trace},"msg":"request"}\n`;
}

/** Written after lines were discarded. */
function lossOf(lines: number): string {
  return `{"level":40${isoTime()},"lines":${lines},"msg":"log lines lost: standard output was not read"}\n`;
}

let lastMs = 0;
let lastText = '';

/** Same as pino.stdTimeFunctions.isoTime, cached for a millisecond. */
function isoTime(): string {
  const nowMs = Date.now();
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    lastText = `,"time":"${new Date(nowMs).toISOString()}"`;
  }
  return lastText;
}

/** Subscribes the log to the events of a service. */
export function logEvents(events: ServiceEmitter, log: Log): void {
  const logDeprecated = deprecationLog(log);
  events
    .on('responded', (response) => {
      if (response.cause === undefined) log.request(response);
      else logCause(log, response);
      if (response.deprecated !== undefined) logDeprecated(response, response.deprecated);
    })
    .on('requestRejected', ({ status, message: reason }) => log.info({ status, reason }, 'refused'))
    .on('connectionFailed', (err) => log.debug({ err }, 'connection'))
    .on('internalError', (err) => log.error({ err }, 'internal error'))
    .on('sheddingStarted', ({ queueLength: queue, lagMs }) =>
      log.warn({ queue, lagMs }, 'shedding load'),
    )
    .on('sheddingEnded', ({ refusedRequests: refused }) => log.warn({ refused }, 'shedding over'))
    .on('jwksFetchFailed', ({ error: err, jwksUrl }) =>
      log.error({ err, jwksUrl }, 'issuer keys not fetched'),
    )
    .on('introspectionFailed', ({ error: err, introspectionUrl }) =>
      log.error({ err, introspectionUrl }, 'token not introspected'),
    )
    .on('tokenRejected', (rejection) => log.debug(rejection, 'token refused'));
}

/** Callers beyond this number are not logged on the same day. */
const MAX_CALLERS = 10_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Logs each caller that uses deprecated parts once a day (UTC). */
function deprecationLog(log: Log) {
  let day = 0;
  const logged = new Set<string>();
  return (
    { operationId, version }: SentResponse,
    { caller, parts, sunset }: NonNullable<SentResponse['deprecated']>,
  ) => {
    const today = Math.floor(Date.now() / DAY_MS);
    if (today !== day) logged.clear();
    day = today;
    if (logged.has(caller) || logged.size === MAX_CALLERS) return;
    logged.add(caller);
    const until = sunset === undefined ? {} : { sunset: new Date(sunset).toISOString() };
    const ofVersion = version === undefined ? {} : { version };
    log.warn({ caller, operationId, parts, ...ofVersion, ...until }, 'deprecated');
  };
}

function logCause(log: Log, { operationId, cause: err, ...line }: SentResponse): void {
  const level = line.status === 503 || line.status < 500 ? 'warn' : 'error';
  try {
    log[level]({ ...line, err }, 'request');
  } catch {
    // The error has a getter that throws.
    log[level]({ ...line, err: shown(err) }, 'request');
  }
}

/** An escape sequence of JSON; or, which JSON does not escape, C1 controls and marks of direction. */
const ESCAPES =
  /\\(u[\da-f]{4}|.)|[\u007F-\u009F\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/giu;
/** A stack trace has indented lines. */
const INDENTED = /^(?: |\\t)/;

/** @returns the line with control characters of its strings as text: `\u001b`, `\r` */
export function terminalLine(json: string): string {
  return json.replace(ESCAPES, (found: string, sequence: string | undefined, at: number) => {
    if (sequence === undefined) {
      return `\\\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
    }
    const rest = json.slice(at + found.length, at + found.length + 2);
    const isPrinted = sequence === 'n' ? INDENTED.test(rest) : /^["\\/t]$/.test(sequence);
    return isPrinted ? found : `\\${found}`;
  });
}
