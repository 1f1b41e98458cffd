// The request, reply and handler types of openapi.yaml, by operationId.
import type { HandlersOf, ReplyOf, RequestOf } from "stubwright";
import type { operations } from "../../generated/contract.ts";

export type Request<Id extends keyof operations> = RequestOf<operations[Id]>;
export type Reply<Id extends keyof operations> = ReplyOf<operations[Id]>;
export type Handlers<Services> = HandlersOf<operations, Services>;
