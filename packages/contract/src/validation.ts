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
export { type DataContent, dataContentsOf } from './media/sequences/eventData.ts';
export { typesIn } from './media/styles/narrowing.ts';
export {
  compileParameter,
  NO_PAIRS,
  NO_PARAMETERS,
  newParameterValues,
  type ParameterValues,
  readParameter,
  sentValue,
  violation,
  type Where,
} from './media/styles/parameter.ts';
export { DeclaredHeaders, describeViolations, Parameters } from './media/styles/parameters.ts';
export { type Shape, shapeOf } from './media/styles/shape.ts';
export { entriesOf, withName, writeParameter } from './media/styles/writeParameter.ts';
export { formTextOf, multipartOf, writtenParameter } from './media/writeForm.ts';
export { xmlObject } from './media/xml/xmlObject.ts';
export {
  isReservedHeader,
  type Serialization,
  serializationOf,
} from './operations/describedValues.ts';
export { defaultErrors, requestSchemas } from './operations/requestSchemas.ts';
export { type Coercion, Coercions, defaultOf } from './schema/coercion.ts';
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
