// What a step of a request is.

import type { Contract, Operation } from '@stubwright/contract';
import type { Parameters } from '@stubwright/contract/values';
import type { Mocks } from '@stubwright/mock';
import type { Deprecations } from '../deprecation/deprecations.ts';
import type { IdempotentOperations } from '../idempotency/idempotency.ts';
import type { RequestBodyReader } from '../request/body/body.ts';
import type { Exchange } from '../request/exchange.ts';
import type { HttpResponse, Replies } from '../response/reply.ts';
import type { Security } from '../security/security.ts';
import type { Disposal, TimeLimit } from './disposal.ts';
import type {
  AnyHandlers,
  ContextOf,
  RateLimitOf,
  RequestEntryOf,
  TraceStep,
} from './engineOptions.ts';
import type { EngineResponse, Observer } from './engineResponse.ts';
import type { Routed, Router } from './router.ts';

export type RequestSteps = readonly [RouteStep, ...(OperationStep | ResponseStep)[]];

interface RequestStep {
  readonly name: string;
  readonly reads: string;
  /** The statuses of the responses with which the step may end a request. */
  readonly statuses: readonly number[];
  /**
   * The code of the application that the step calls. A Problem that it throws has any status; another
   * error is a 500, and its time limit a 503.
   */
  readonly errorsOf?: string;
  /** The part of openapi-backend that calls the step; `response` steps follow it. */
  readonly hook: string;
}

/** The steps of one hook. */
export type StepsOfHook = (exchange: Exchange) => unknown;

/** One operation with its compiled steps, as openapi-backend calls them. */
export interface ServedOperation extends Routed {
  readonly operation: Operation;
  /** For openapi-backend; the space prevents a collision with the names of its hooks. */
  readonly operationId: string;
  /** For openapi-backend. */
  readonly responses: Readonly<Record<string, never>>;
  readonly isMocked: boolean;
  readonly postSecurityHandler: StepsOfHook;
  readonly validator: StepsOfHook;
  readonly operationHandler: StepsOfHook;
}

/** Finds the operation, whose other steps are compiled. */
export interface RouteStep extends RequestStep {
  readonly hook: 'router';
  /** Sets the operation and the path parameters, once: an adapter may match before the pipeline. */
  match(exchange: Exchange, router: Router<ServedOperation>): ServedOperation | undefined;
  /** @returns the response to OPTIONS @throws {Problem} 40400, 40500 */
  unmatched(exchange: Exchange, router: Router<ServedOperation>): HttpResponse;
}

export interface OperationStep extends RequestStep {
  readonly hook: 'postSecurityHandler' | 'validator' | 'operationHandler';
  /** Consecutive steps with the same time limit share it. The name is for the log. */
  readonly timeLimit?: string;
  /** True for the step that sets the principals. */
  readonly authenticates?: true;
  /** True for the step that counts requests. */
  readonly admits?: true;
  /** @returns undefined if the requests of the operation do not need the step */
  compile(operation: Operation, parts: StepParts): Run | undefined;
}

export interface ResponseStep extends RequestStep {
  readonly hook: 'response';
  /** @returns undefined if the responses of the contract do not need the step */
  compile(parts: StepParts): Finish | undefined;
}

/**
 * A compiled step. It returns a promise only if there is something to wait for.
 *
 * @param value the result of the step before it in the same hook; undefined for the first
 */
export type Run = (exchange: Exchange, value: never) => unknown;

export type Finish = (exchange: Exchange, response: EngineResponse) => EngineResponse;

/** The readers of one operation. */
export interface StepReader {
  readonly body: Pick<RequestBodyReader, 'select' | 'receive'>;
  readonly parameters: Pick<Parameters, 'violations'>;
}

/** What the steps of a contract share. */
export interface StepParts {
  readonly definition: Contract;
  readonly isMocked: (operation: Operation) => boolean;
  readonly security: Security;
  /** Undefined without rate limits. */
  readonly rateLimitOf: RateLimitOf | undefined;
  /** Compiles at the first request of an operation. */
  readonly requests: (operation: Operation) => StepReader;
  /** Undefined without tracing. */
  readonly trace: TraceStep | undefined;
  /** Undefined without a recorder. */
  readonly observer: Observer | undefined;
  /** Undefined for a contract without deprecated parts. */
  readonly deprecations: Deprecations | undefined;
  /** Undefined if no operation declares `x-idempotency`. */
  readonly idempotent: IdempotentOperations | undefined;
  /** For a served version: the steps of the current contract before the body is read. */
  readonly entryOf: RequestEntryOf | undefined;
  /** Undefined without mocked operations. */
  readonly mocks: Mocks | undefined;
  readonly handlers: AnyHandlers<never>;
  readonly contextOf: ContextOf<unknown> | undefined;
  /** Passed to the handlers without `contextOf`. */
  readonly services: unknown;
  /** Undefined without any. */
  readonly cursorSecrets: readonly string[] | undefined;
  readonly replies: Replies;
  /** Undefined for no limit. */
  readonly timeLimit: TimeLimit | undefined;
  readonly disposal: Disposal;
  /** Called with an error that does not change a response. */
  readonly report: (error: Error) => void;
}
