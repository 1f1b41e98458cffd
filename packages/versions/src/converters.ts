// What an application declares for a served version: its converters.
import type { MaybePromise } from '@stubwright/contract';
import type { ConvertedRequest, HandlerReply } from 'stubwright/internals';

/** Converts the values of one component of `components.schemas`. */
export interface SchemaConverter {
  /** Called for each value of the component in a request, components within it first. */
  readonly toNew?: (value: never) => unknown;
  /** Called for each value of the component in a reply, components within it first. */
  readonly toOld?: (value: never) => unknown;
}

/** The operations of the next newer version, by operationId. Requests as for their handlers. */
export type NewerOperations = Readonly<
  Record<string, (request: ConvertedRequest) => Promise<HandlerReply>>
>;

/** Converts what the converters of components do not. Each receives what they have converted. */
export interface OperationConverter {
  /** @returns the parts of the request that differ */
  readonly request?: (request: never) => MaybePromise<ConvertedRequest>;
  readonly reply?: (reply: never) => MaybePromise<HandlerReply>;
  /** Of a stream. @returns undefined to leave the item out */
  readonly item?: (item: never) => unknown;
  /** Instead of the other three: for an operation that the newer version does not have. */
  readonly call?: (request: never, operations: never) => MaybePromise<HandlerReply>;
}

/** From one served version to the next newer one, and back. The generated types are exact. */
export interface VersionConverters {
  /** By the name of the component: for `toNew` in the older contract, for `toOld` in the newer one. */
  readonly schemas?: Readonly<Record<string, SchemaConverter>>;
  /** By the operationId of the older contract. */
  readonly operations?: Readonly<Record<string, OperationConverter>>;
  /** Statuses of the newer contract -> of the older one. */
  readonly statuses?: Readonly<Record<number, number>>;
}
