// The public API of stubwright.

export type { Bundle, LoadedContract, PublishedYaml } from './contract/bundle.ts';
export { loadContract } from './contract/load.ts';
export { ContractErrors } from './document/definition.ts';
export type {
  CallbackRequestOf,
  CallbackResponseOf,
  Defaults,
  HandlerOf,
  HandlersOf,
  ReplyOf,
  RequestOf,
} from './engine/operation.ts';
export { conflict, notFound, Problem, unavailable } from './errors/problem.ts';
export type { AddMetrics } from './operations/admin/metrics.ts';
export type { KeyTimes } from './operations/auth/jwks.ts';
export { createLog, type Log } from './operations/log.ts';
export type { InSpan } from './operations/trace.ts';
export type { Verifier } from './security/security.ts';
export type { Limits } from './server/server.ts';
export { type ProcessOptions, type ProcessService, runService } from './service/process.ts';
export type { Resources, Store } from './service/resources.ts';
export { type Service, type ServiceOptions, startService } from './service/service.ts';
export {
  ConfigError,
  type Environment,
  integer,
  readSettings,
  type Settings,
} from './service/settings.ts';
