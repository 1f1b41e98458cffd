// The types of converters, which generated/versions/<version>.ts uses.
import type { MaybePromise, SequenceType, ValueOf } from '@stubwright/contract';
import type { CallbackRequestOf, ReplyOf, RequestOf } from 'stubwright';

export type { MaybePromise } from '@stubwright/contract';
export type { ReplyOf } from 'stubwright';

/** A value in a validated request: properties with a default are present, `readOnly` ones absent. */
export type ReceivedValue<Value> = ValueOf<Value, 'received'>;

/** A value in a converted request, which is validated next. */
export type SentValue<Value> = ValueOf<Value, 'request'>;

/** A value in a reply: `writeOnly` properties are absent. */
export type ReplyValue<Value> = ValueOf<Value, 'response'>;

/** The request of an older version, its components converted. */
export type OlderRequest<Operation> = Pick<
  RequestOf<Operation>,
  'path' | 'query' | 'header' | 'cookie' | 'body' | 'mediaType'
>;

type Parts<Operation> = CallbackRequestOf<Operation>;

/** The parts of a request of the newer version: those that differ are required. */
export type ConvertedParts<Operation, Changed extends keyof Parts<Operation>> = Pick<
  Parts<Operation>,
  Changed
> &
  Partial<Parts<Operation>> & { readonly mediaType?: string | undefined };

/** A whole request of the newer version, for the converter `call`. */
type CalledRequest<Operation> = {
  readonly [Part in keyof Parts<Operation> as Record<never, never> extends Parts<Operation>[Part]
    ? never
    : undefined extends Parts<Operation>[Part]
      ? never
      : Part]: Parts<Operation>[Part];
} & Partial<Parts<Operation>> & { readonly mediaType?: string | undefined };

/** The operations of the newer version that the converter `call` may call. */
export type CalledOperations<Operations> = {
  readonly [Id in keyof Operations]: (
    request: CalledRequest<Operations[Id]>,
  ) => Promise<ReplyOf<Operations[Id]>>;
};

/** @typeParam Statuses of the newer version -> of the older one, before the converter `reply` */
export type NewerReply<Operation, Statuses = Record<never, never>> = InStatus<
  ReplyOf<Operation>,
  Statuses
>;

type InStatus<Reply, Statuses> = Reply extends { readonly status: infer Status }
  ? Status extends keyof Statuses
    ? Omit<Reply, 'status'> & { readonly status: NonNullable<Statuses[Status]> }
    : Reply
  : never;

/** Of the values of a component in requests. */
export type ToNew<Received, Newer> = (value: ReceivedValue<Received>) => SentValue<Newer>;

/** Of the values of a component in replies. */
export type ToOld<Replied, Older> = (value: ReplyValue<Replied>) => ReplyValue<Older>;

/** @typeParam Changed the parts that differ */
export type RequestConverter<Received, Newer, Changed extends keyof Parts<Newer>> = (
  request: OlderRequest<Received>,
) => MaybePromise<ConvertedParts<Newer, Changed>>;

/** @typeParam Statuses as in {@link NewerReply} */
export type ReplyConverter<Replied, Older, Statuses = Record<never, never>> = (
  reply: NewerReply<Replied, Statuses>,
) => MaybePromise<ReplyOf<Older>>;

export type ItemConverter<Replied, Older> = (
  item: StreamItemOf<Replied>,
) => StreamItemOf<Older> | undefined;

/** @typeParam Operations of the newer version */
export type CallConverter<Received, Older, Operations> = (
  request: OlderRequest<Received>,
  operations: CalledOperations<Operations>,
) => MaybePromise<ReplyOf<Older>>;

/** An item of the streams that an operation replies with. */
export type StreamItemOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses]: ItemIn<Responses[Status]> }[keyof Responses]
  : never;

type ItemIn<Response> = Response extends { content: infer Content }
  ? {
      [Type in keyof Content]: Type extends SequenceType
        ? NonNullable<Content[Type]> extends readonly (infer Item)[]
          ? ReplyValue<Item>
          : never
        : never;
    }[keyof Content]
  : never;
