// For the packages of stubwright: the parts of the request pipeline. Any release may change it.

export { headerError, originOf, sendResponse, sendsEvents } from './adapters/send.ts';
export { deprecationOf, type SunsetPolicy } from './deprecation/deprecations.ts';
export { RepeatedResponse } from './idempotency/keyClaim.ts';
export {
  type ApiOperation,
  type ApiResponse,
  type ErrorResponder,
  errorResponder,
  reportingEmitter,
} from './pipeline/api.ts';
export { type CorsOptions, corsViolation } from './pipeline/corsPolicy.ts';
export { createEngine } from './pipeline/engine.ts';
export {
  type Admit,
  type EngineOptions,
  type HandlingOptions,
  isMocked,
  MIN_SECRET_LENGTH,
  type RateLimitOf,
} from './pipeline/engineOptions.ts';
export type {
  Authenticated,
  CallOperation,
  Engine,
  EngineResponse,
  RequestEntry,
} from './pipeline/engineResponse.ts';
export { type ErrorFinding, errorFindings, undeclaredText } from './pipeline/errorFindings.ts';
export { RequestCheck } from './pipeline/requestCheck.ts';
export { Router } from './pipeline/router.ts';
export { type BodyLimits, bodyLimits, NodeBody } from './request/body/nodeBody.ts';
export {
  type CallerKey,
  type ContextRequest,
  ConvertedExchange,
  type ConvertedRequest,
  callerOf,
  Exchange,
  type HttpRequest,
  headOf,
  originForm,
  type Principal,
  type RequestLog,
} from './request/exchange.ts';
export { undeclaredResponse } from './response/errorFormat.ts';
export { ItemStream, isItems } from './response/itemStream.ts';
export { discardBody, type HandlerReply, type HttpResponse, Replies } from './response/reply.ts';
export {
  type CheckedItem,
  ResponseCheck,
  type UndeclaredProperties,
} from './response/responseCheck.ts';
export { isPrincipal, schemeOf, type Verifier } from './security/security.ts';
export { mockWarnings } from './security/securityErrors.ts';
