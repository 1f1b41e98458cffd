// The runtime of generated clients.

export type { AnyReply } from './anyReply.ts';
export {
  type BodyWriter,
  type FieldSpec,
  type FieldSpecs,
  formText,
  type SentBody,
  sendForm,
  sendJson,
  sendMultipart,
  sendText,
  withPartHeaders,
} from './bodies.ts';
export {
  type ApiSpec,
  bindOperations,
  type Connection,
  openConnection,
  type ServerSpec,
} from './connection.ts';
export type {
  BasicCredential,
  Credential,
  Credentials,
  CredentialValue,
  SchemeSpec,
} from './credentials.ts';
export { ErrorReply, NoResponse, UndeclaredResponse } from './errors.ts';
export { parse, stringify } from './exactJson.ts';
export { type Exact, type ExactHolder, toJson } from './json.ts';
export {
  type MethodsOf,
  type OperationFunction,
  type OperationMethod,
  operation,
} from './operation.ts';
export type { OperationSpec } from './operationSpec.ts';
export type {
  BodyAs,
  CallOptions,
  ConnectionOptions,
  FetchOptions,
  Middleware,
  OutgoingRequest,
  ReadOptions,
  ReconnectOptions,
  RetryOptions,
} from './options.ts';
export {
  type AnyReaders,
  type BodyReader,
  type HeaderReader,
  type ReplySpec,
  type ReplySpecs,
  receiveAny,
  receiveBytes,
  receiveForm,
  receiveHeader,
  receiveJson,
  receiveText,
} from './replies.ts';
export { conditional, either, type ValueKeywords, type ValueSchema } from './schema.ts';
export {
  receiveEvents,
  receiveJsonLines,
  type StreamEvent,
  sendEvents,
  sendJsonLines,
} from './streams.ts';
export type { ParameterSpec, Style } from './styles.ts';
export type { TextShape } from './textValues.ts';
export type {
  FailureOf,
  HeadOf,
  HiddenInReplies,
  HiddenInRequests,
  MergePatchOf,
  PatchOperations,
  ReplyFor,
  RequestArguments,
  RequestFor,
  SuccessOf,
  WithDefaults,
  WithoutHeader,
} from './types.ts';
export { isErrorOf, unwrap } from './unwrap.ts';
