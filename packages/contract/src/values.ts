// Which values a contract allows: validators, and readers and writers of its media types and styles.

export { NotSerializable, plainData, plainParts, writeJson } from './json/json.ts';
export {
  BodyAllocation,
  BodyMemory,
  bodyMemoryExceeded,
  CHUNK_OVERHEAD_BYTES,
} from './media/bodyMemory.ts';
export { type BodySource, isBodyExpected, wholeBody } from './media/bodySource.ts';
export { type DeclaredOptions, declaredOnly, removedFrom } from './media/declaration.ts';
export { type FormFields, formFieldsOf, type MediaContent, readForm } from './media/form.ts';
export { declaredPart, type Writer } from './media/jsonWriter.ts';
export {
  type ContentMedia,
  contentMedia,
  type MediaKind,
  mediaContentOf,
  mediaKindOf,
  opaque,
  type ReadBody,
  type Reader,
  type Streamer,
} from './media/mediaKinds.ts';
export { removeLeftovers } from './media/multipart/uploadFolder.ts';
export { type DataContent, dataContentsOf } from './media/sequences/eventData.ts';
export type {
  ItemCodec,
  ItemWriter,
  StreamSignals,
} from './media/sequences/itemCodec.ts';
export {
  checkedItems,
  type ItemSource,
  mappedItems,
} from './media/sequences/mappedItems.ts';
export { DeclaredHeaders } from './media/styles/declaredHeaders.ts';
export { typesIn } from './media/styles/narrowing.ts';
export {
  compileParameter,
  NO_PAIRS,
  readParameter,
  violation,
} from './media/styles/parameter.ts';
export { describeViolations, Parameters } from './media/styles/parameters.ts';
export {
  NO_PARAMETERS,
  newParameterValues,
  type ParameterValues,
  sentValue,
  type Where,
} from './media/styles/parameterValues.ts';
export { type Shape, shapeOf } from './media/styles/shape.ts';
export {
  entriesOf,
  withName,
  writeParameter,
} from './media/styles/writeParameter.ts';
export { formTextOf, multipartOf } from './media/writeForm.ts';
export { writtenParameter } from './media/writtenParameter.ts';
export { xmlObject } from './media/xml/xmlObject.ts';
export { isReservedHeader } from './operations/describedValues.ts';
export { defaultErrors, requestSchemas } from './operations/requestSchemas.ts';
export { type Serialization, serializationOf } from './operations/serialization.ts';
export { credentialsFor, type WrittenCredential } from './requests/writeCredentials.ts';
export { concreteType, RequestHead, RequestWriter } from './requests/writeRequest.ts';
export { type Coercion, Coercions } from './schema/coercion.ts';
export { defaultOf } from './schema/defaults.ts';
export { Evaluation } from './schema/evaluation.ts';
export {
  describeErrors,
  describeViolation,
  joinMessages,
  type Validate,
  Validators,
  type Violation,
  violationsOf,
} from './schema/validator.ts';
