// Recorded requests: the recorder, and the readers of its files, of HAR 1.2, of Pact and of releases.

export { entryOf, readTraffic, recordedFor, type TrafficRecord } from './reading/readTraffic.ts';
export {
  type BodyPart,
  type Conversation,
  curlLine,
  messageOf,
  type ReceivedRequest,
  type RecordedRequest,
  type ReleasedRequest,
  type ReplayCredentials,
  receivedRequest,
  type SentRequest,
  sentRequest,
  type TrafficRequest,
  type ValueSource,
} from './record/record.ts';
export {
  type ObservedRequest,
  type ObservedResponse,
  type RecorderOptions,
  type RequestObserver,
  recorder,
  type TrafficRecorder,
} from './recording/recorder.ts';
export {
  keyOfPart,
  type ParsedRequest,
  type PartLocation,
  type RequestPart,
  RequestParts,
} from './recording/requestParts.ts';
export { ShownValues } from './recording/shownValues.ts';
export {
  ContractParts,
  OTHERS,
  operationName,
  Usage,
  type UsageLine,
  type UsedPart,
} from './recording/usage.ts';
