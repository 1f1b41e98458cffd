// The public API of stubwright: a contract with its handlers.

export { ContractErrors } from './document/definition.ts';
export { Problem, type ProblemOptions } from './errors/problem.ts';
export { type MockMode, mocked } from './mock/mocked.ts';
export {
  type Contract,
  type ContractOperation,
  type ContractOptions,
  createContract,
} from './pipeline/contract.ts';
export type { ContractEvents, ContractResponse } from './pipeline/contractEvents.ts';
export type {
  CallbackRequestOf,
  CallbackResponseOf,
  Defaults,
  HandlerOf,
  HandlersOf,
  ReplyOf,
  RequestOf,
} from './pipeline/operation.ts';
export type { ContextRequest, HttpRequest, Principal } from './request/exchange.ts';
export type { ErrorFormat, ErrorFormatter, ErrorTarget } from './response/errorFormat.ts';
export { InvalidReply, type ResponseValidation } from './response/reply.ts';
export type { Verifier } from './security/security.ts';
