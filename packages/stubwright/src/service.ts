// A service around a contract: settings, authentication, log, metrics, limits, documentation, shutdown.

export type { LoadedContract } from './contract/bundle.ts';
export { loadContract } from './contract/load.ts';
export type { MockOptions } from './mock/mocked.ts';
export type { AddMetrics } from './operations/admin/metrics.ts';
export type { KeyTimes } from './operations/auth/jwks.ts';
export type { SentResponse, ServiceEvents } from './operations/events.ts';
export { createLog, type Log } from './operations/log.ts';
export type { InSpan } from './operations/trace.ts';
export type { Limits } from './server/limits.ts';
export { requestOf } from './server/middleware.ts';
export { configuredTokens } from './service/authentication.ts';
export { type ProcessOptions, runService } from './service/process.ts';
export type { Resources, Store } from './service/resources.ts';
export {
  type OpenContext,
  type Service,
  type ServiceOptions,
  startService,
  type WithContext,
} from './service/service.ts';
export {
  ConfigError,
  type Environment,
  integer,
  readSettings,
  type Settings,
} from './service/settings.ts';
export { startErrorMessage } from './service/startError.ts';
