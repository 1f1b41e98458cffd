// A service around a contract: settings, authentication, log, metrics, limits, documentation, shutdown.

export type { LoadedContract } from '@stubwright/contract';
export { loadContract } from '@stubwright/contract';
export type { MockOptions } from '@stubwright/mock/mocked';
export { configuredTokens } from './authentication.ts';
export type { AddMetrics } from './operations/admin/metrics.ts';
export type { KeyTimes } from './operations/auth/jwt.ts';
export type { SentResponse, ServiceEvents } from './operations/events.ts';
export { createLog, type Log } from './operations/log.ts';
export type { RateLimiter, RateLimiterLimit, RateLimitWindow } from './operations/rateLimit.ts';
export type { InSpan } from './operations/trace.ts';
export type {
  ContractOptions,
  OpenContext,
  ServiceOptions,
  ServiceVerifier,
  SeveralContracts,
  WithContext,
} from './options.ts';
export { runService, startErrorMessage } from './process.ts';
export type { Resources, Store } from './resources.ts';
export { requestOf } from './server/app.ts';
export type { Limits } from './server/server.ts';
export { type Service, startService } from './service.ts';
export {
  ConfigError,
  type Environment,
  integer,
  readSettings,
  type Settings,
} from './settings.ts';
