// Which values a contract allows: validators, and readers and writers of its parameters and bodies.

export {
  BodyAllocation,
  BodyMemory,
  type BodySource,
  bodyMemoryExceeded,
  CHUNK_OVERHEAD_BYTES,
  isBodyExpected,
  wholeBody,
} from './media/bodySource.ts';
export {
  contentMedia,
  type MediaKind,
  mediaKindOf,
  opaque,
  type ReadBody,
  type Reader,
  type Streamer,
} from './media/mediaKinds.ts';
export { removeLeftovers } from './media/multipart/uploadFolder.ts';
export {
  checkedItems,
  type ItemCodec,
  type ItemSource,
  type ItemWriter,
  mappedItems,
  type StreamSignals,
} from './media/sequences.ts';
export {
  concreteType,
  credentialsFor,
  RequestHead,
  RequestWriter,
  type WrittenCredential,
} from './requests/writeRequest.ts';
export * from './validation.ts';
