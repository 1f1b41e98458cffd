// What an application declares for a served version: its converters.
import type { MaybePromise } from '@stubwright/contract';
import type { ConvertedRequest, HandlerReply } from 'stubwright/internals';

/**
 * Converts the changes of constraints, which types do not show: a function by the name of each change, such as
 * `/name maxLength 100 became 50`. Called in this order.
 */
export type ConverterSteps = Readonly<Record<string, (converted: never) => unknown>>;

/** Converts the values of one component of `components.schemas`. */
export interface SchemaConverter {
  /** Called for each value of the component in a request, components within it first. */
  readonly toNew?: (value: never) => unknown;
  /** Called for each value of the component in a reply, components within it first. */
  readonly toOld?: (value: never) => unknown;
  /** After `toNew`: each receives and returns a value of the newer contract. */
  readonly toNewSteps?: ConverterSteps;
  /** After `toOld`: each receives and returns a value of the older contract. */
  readonly toOldSteps?: ConverterSteps;
  /** The properties, or values of an enum, that do not arrive as they were: for `stubwright replay`. */
  readonly loses?: readonly string[];
}

/** The operations of the next newer version, by operationId. Requests as for their handlers. */
export type NewerOperations = Readonly<
  Record<string, (request: ConvertedRequest) => Promise<HandlerReply>>
>;

/** Converts what the converters of components do not. Each receives what they have converted. */
export interface OperationConverter {
  /** @returns the parts of the request that differ */
  readonly request?: (request: never) => MaybePromise<ConvertedRequest>;
  /** After `request`: each receives the request, and returns the parts that differ. */
  readonly requestSteps?: ConverterSteps;
  readonly reply?: (reply: never) => MaybePromise<HandlerReply>;
  /** After `reply`: each receives and returns a reply of the older contract. */
  readonly replySteps?: ConverterSteps;
  /** Of a stream. @returns undefined to leave the item out */
  readonly item?: (item: never) => unknown;
  /** After `item`, unless that leaves the item out. */
  readonly itemSteps?: ConverterSteps;
  /** Instead of the other three: for an operation that the newer version does not have. */
  readonly call?: (request: never, operations: never) => MaybePromise<HandlerReply>;
  /** The parameters and properties that do not arrive as they were: for `stubwright replay`. */
  readonly loses?: readonly string[];
}

/** From one served version to the next newer one, and back. `Converters` in the generated types is exact. */
export interface VersionConverters {
  /** By the name of the component: for `toNew` in the older contract, for `toOld` in the newer one. */
  readonly schemas?: Readonly<Record<string, SchemaConverter>>;
  /** By the operationId of the older contract. */
  readonly operations?: Readonly<Record<string, OperationConverter>>;
  /** Statuses of the newer contract -> of the older one. */
  readonly statuses?: Readonly<Record<number, number>>;
}
