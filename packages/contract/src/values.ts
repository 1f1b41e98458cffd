// Which values a contract allows: validators, and readers and writers of its parameters and bodies.

export * from './media/bodySource.ts';
export * from './media/mediaKinds.ts';
export { removeLeftovers } from './media/multipart/uploadFolder.ts';
export {
  checkedItems,
  type ItemCodec,
  type ItemSource,
  type ItemWriter,
  mappedItems,
  type StreamSignals,
} from './media/sequences.ts';
export * from './requests/writeRequest.ts';
export * from './validation.ts';
