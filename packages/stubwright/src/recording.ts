// Recording of requests, for `stubwright diff --traffic` and `stubwright check --traffic`.

export {
  keyOfPart,
  OTHERS,
  type PartLocation,
  type RecorderOptions,
  type RequestPart,
  RequestParts,
  recorder,
  ShownValues,
  type UsageLine,
  type UsedPart,
} from '@stubwright/traffic';
export type { Observer, Recorder } from './pipeline/engineResponse.ts';
