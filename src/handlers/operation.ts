// What the handlers of openapi.yaml get and give, by operationId.
import type { operations } from '../../generated/contract.ts';
import type {
  HandlersOf,
  ReplyOf,
  RequestOf,
} from '../../packages/stubwright/src/engine/operation.ts';

export type Request<Id extends keyof operations> = RequestOf<operations[Id]>;
export type Reply<Id extends keyof operations> = ReplyOf<operations[Id]>;
export type Handlers<Services> = HandlersOf<operations, Services>;
