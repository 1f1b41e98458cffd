// Recording of requests, for `stubwright diff --traffic` and `stubwright check --traffic`.

export type { Observer, Recorder } from './recording/observer.ts';
export { type RecorderOptions, type RecordLevel, recorder } from './recording/recorder.ts';
export {
  keyOfPart,
  type PartLocation,
  type RequestPart,
  RequestParts,
} from './recording/requestParts.ts';
export { REDACTED } from './recording/secrets.ts';
export { ShownValues } from './recording/shownValues.ts';
export { OTHERS, type UsageLine, type UsedPart } from './recording/usageCounts.ts';
