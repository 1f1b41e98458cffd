// The public entry of stubwright: an API is a contract with its handlers.

export type {
  Defaults,
  JsonPatch,
  JsonPatchOperation,
  MergePatch,
  ReadOnly,
  WriteOnly,
} from '@stubwright/contract';
export {
  ContractErrors,
  InvalidReply,
  Problem,
  type ProblemOptions,
  type ProblemViolation,
} from '@stubwright/contract';
export { type MockMode, mocked } from '@stubwright/mock/mocked';
export {
  type Api,
  type ApiEvents,
  type ApiOperation,
  type ApiOptions,
  type ApiResponse,
  createApi,
} from './pipeline/api.ts';
export type { CorsOptions } from './pipeline/corsPolicy.ts';
export type { FailedRequest, HandlingOptions, ToProblem } from './pipeline/engineOptions.ts';
export type {
  CallbackRequestOf,
  CallbackResponseOf,
  HandlerOf,
  HandlersOf,
  ReplyOf,
  RequestOf,
} from './pipeline/handlerRequest.ts';
export type {
  ContextRequest,
  DisposableContext,
  HttpRequest,
  Principal,
  RequestLog,
  RequestOutcome,
} from './request/exchange.ts';
export type { ErrorFormat, ErrorFormatter, ErrorTarget } from './response/errorFormat.ts';
export type { ResponseValidation } from './response/reply.ts';
export type { Verifier } from './security/security.ts';
