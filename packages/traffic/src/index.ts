// Recorded requests: the recorder, the reader of its files, of HAR 1.2 and of releases, and the replay.

export { entryOf } from './reading/readEntry.ts';
export { readTraffic, type TrafficRecord } from './reading/readTraffic.ts';
export { recordedFor } from './reading/releaseFile.ts';
export {
  curlLine,
  messageOf,
  type ReceivedRequest,
  type ReplayCredentials,
  receivedRequest,
  type SentRequest,
  sentRequest,
} from './record/message.ts';
export type {
  BodyPart,
  Conversation,
  RecordedRequest,
  ReleasedRequest,
  TrafficRequest,
  ValueSource,
} from './record/record.ts';
export type {
  ObservedRequest,
  ObservedResponse,
  ParsedRequest,
  RequestObserver,
  TrafficRecorder,
} from './recording/observation.ts';
export { type RecorderOptions, recorder } from './recording/recorder.ts';
export {
  keyOfPart,
  type PartLocation,
  type RequestPart,
  RequestParts,
} from './recording/requestParts.ts';
export { ShownValues } from './recording/shownValues.ts';
export { Usage } from './recording/usage.ts';
export {
  ContractParts,
  OTHERS,
  operationName,
  type UsageLine,
  type UsedPart,
} from './recording/usageCounts.ts';
export {
  overFetch,
  type ReplayCall,
  type ReplayedRequest,
  type ReplayedResponse,
  Replayer,
  type ReplayTarget,
} from './replay/replayer.ts';
