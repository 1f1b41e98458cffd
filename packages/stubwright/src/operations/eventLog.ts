// Logs the events of a service.
import { shown } from '../errors/thrown.ts';
import type { SentResponse, ServiceEmitter } from './events.ts';
import type { Log } from './log.ts';

/** Subscribes the log to the events of a service. */
export function logEvents(events: ServiceEmitter, log: Log): void {
  events
    .on('responded', (response) => {
      if (response.cause === undefined) log.request(response);
      else logCause(log, response);
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
    .on('tokenRejected', (rejection) => log.debug(rejection, 'token refused'));
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
