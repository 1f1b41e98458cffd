// What an OpenAPI contract declares: its document, references, operations, schemas and media types.

export * from './bundle/bundle.ts';
export * from './document/contractDocument.ts';
export * from './document/finding.ts';
export { once, onceFor } from './document/memo.ts';
export * from './document/node.ts';
export * from './document/schemaLocations.ts';
export * from './document/vocabulary.ts';
export * from './errors/problem.ts';
export * from './errors/thrown.ts';
export { MAX_DEPTH, parseJsonText, stringifyJson } from './json/json.ts';
export { likeType } from './json/jsonScanner.ts';
export type * from './media/bodyTypes.ts';
export { Contract, withoutNullable } from './operations/contract.ts';
export {
  ContractObject,
  type Deprecation,
  deprecationIn,
  isDeprecated,
} from './operations/contractObject.ts';
export {
  Content,
  DescribedValue,
  Encoding,
  type Example,
  Header,
  type LocatedValue,
  Parameter,
  type ParameterLocation,
  parsedJson,
  Response as DeclaredResponse,
  Responses,
} from './operations/describedValues.ts';
export {
  declaresIdempotency,
  type Idempotency,
  idempotencyErrors,
  type RequestRate,
  rateLimitErrors,
  windowSecondsOf,
} from './operations/extensions.ts';
export * from './operations/mediaType.ts';
export * from './operations/operation.ts';
export * from './operations/pagination.ts';
export { type OAuthFlow, SecurityScheme } from './operations/securityScheme.ts';
export { normalizedBasePath, Server, type ServerList, withServers } from './operations/servers.ts';
export { Applicators, Applied, SchemaValues } from './schema/applying.ts';
export { type Discriminator, discriminatorsOf, selectableBy } from './schema/discriminator.ts';
export { MAX_ERRORS, MORE, type SchemaError } from './schema/evaluation.ts';
export * from './schema/model.ts';
export {
  decimalsOf,
  INTEGER_FORMATS,
  isNumericFormat,
  type Numeric,
  unitsOf,
} from './schema/numeric.ts';
export * from './schema/pattern.ts';
export * from './schema/possible.ts';
export { valueKey } from './schema/rules/alternatives.ts';
export { formats, timeOf } from './schema/rules/strings.ts';
