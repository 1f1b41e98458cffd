// For tools: values, requests and responses, compared with a contract or created from it.

export {
  contentTooLarge,
  internalError,
  malformedBody,
  malformedHttp,
  unavailable,
} from './errors/problem.ts';
export type { BodySource } from './media/bodySource.ts';
export type { DeclaredOptions } from './media/declaration.ts';
export { removedFrom } from './media/declared.ts';
export { type FormFields, formFieldsOf, readForm } from './media/form.ts';
export { declaredPart, NotSerializable } from './media/jsonWriter.ts';
export { mediaContentOf, mediaKindOf, opaque, preferredKey } from './media/mediaKinds.ts';
export { NO_PARAMETERS } from './media/styles/parameterValues.ts';
export { formTextOf, multipartOf } from './media/writeForm.ts';
export { type ExampleRequest, ExampleRequests, WRONG_TEXT } from './mock/exampleRequest.ts';
export { idKeyOf, likeType } from './mock/exchangeValues.ts';
export { NoSample, Samples, SlowSample } from './mock/sample.ts';
export { sampleNumbers } from './mock/sampling/number.ts';
export { stringsMatching } from './mock/sampling/pattern.ts';
export { Random } from './mock/sampling/random.ts';
export { sampleStrings } from './mock/sampling/text.ts';
export { type ErrorResponder, errorResponder } from './pipeline/errorResponder.ts';
export { type ErrorFinding, errorFindings } from './pipeline/possibleErrors.ts';
export { RequestCheck } from './pipeline/requestCheck.ts';
export {
  Exchange,
  headOf,
  originForm,
} from './request/exchange.ts';
export { isReservedHeader, Parameters } from './request/parameters.ts';
export { RequestWriter } from './request/writeRequest.ts';
export { undeclaredResponse } from './response/errorFormat.ts';
export {
  type CheckedItem,
  ResponseCheck,
  type UndeclaredProperties,
} from './response/responseCheck.ts';
export { Coercions } from './schema/coercion.ts';
export { defaultErrors, defaultOf, requestSchemas } from './schema/defaults.ts';
export {
  describeErrors,
  describeViolation,
  Validators,
  type Violation,
} from './schema/validator.ts';
