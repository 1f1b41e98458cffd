// Logs the events of a service.
import { shown } from '@stubwright/contract';
import type { SentResponse, ServiceEmitter } from './events.ts';
import type { Log } from './log.ts';

/** Subscribes the log to the events of a service. */
export function logEvents(events: ServiceEmitter, log: Log): void {
  events
    .on('responded', (response) => {
      if (response.cause === undefined) log.request(response);
      else logCause(log, response);
    })
    .on('responded', deprecationLog(log))
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
function deprecationLog(log: Log): (response: SentResponse) => void {
  let day = 0;
  const logged = new Set<string>();
  return ({ deprecated, operationId, version }) => {
    if (deprecated === undefined) return;
    const { caller, parts, sunset } = deprecated;
    const today = Math.floor(Date.now() / DAY_MS);
    if (today !== day) logged.clear();
    day = today;
    if (logged.has(caller) || logged.size === MAX_CALLERS) return;
    logged.add(caller);
    const until = sunset === undefined ? {} : { sunset: new Date(sunset).toISOString() };
    const of = version === undefined ? {} : { version };
    log.warn({ caller, operationId, parts, ...of, ...until }, 'deprecated');
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
