// Which values the schemas of a contract allow, and how parameters and forms carry them.

export { NotSerializable, plainData, plainParts, writeJson } from './json/json.ts';
export { type DeclaredOptions, declaredOnly, removedFrom } from './media/declaration.ts';
export {
  type FormFields,
  formFieldsOf,
  type MediaContent,
  mediaContentOf,
  readForm,
} from './media/form.ts';
export { declaredPart, type Writer } from './media/jsonWriter.ts';
export { type DataContent, dataContentsOf } from './media/sequences.ts';
export * from './media/styles/parameter.ts';
export { DeclaredHeaders, describeViolations, Parameters } from './media/styles/parameters.ts';
export { type Shape, shapeOf, typesIn } from './media/styles/shape.ts';
export {
  entriesOf,
  formTextOf,
  multipartOf,
  writeParameter,
  writtenParameter,
} from './media/writeForm.ts';
export { xmlObject } from './media/xml/xmlObject.ts';
export { defaultErrors, requestSchemas } from './operations/contract.ts';
export {
  isReservedHeader,
  type Serialization,
  serializationOf,
} from './operations/describedValues.ts';
export {
  type Coercion,
  Coercions,
  defaultOf,
} from './schema/coercion.ts';
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
