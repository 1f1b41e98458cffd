// What an OpenAPI contract declares: its document, references, operations, schemas and media types.

export {
  type Bundle,
  type CheckedContract,
  type ContractBundle,
  contractFromBundle,
  contractOf,
  errorCauses,
  FORMAT,
  type LoadedContract,
  type LoadOptions,
  type Publish,
  type PublishedYaml,
} from './bundle/bundle.ts';
export { developmentPath } from './bundle/development.ts';
export { bundleText, loadContract } from './bundle/load.ts';
export { normalizedBasePath } from './document/basePath.ts';
export { ContractDocument } from './document/contractDocument.ts';
export { type ContractError, ContractErrors } from './document/contractError.ts';
export { timeOf } from './document/dates.ts';
export { exactIntegers } from './document/exactIntegers.ts';
export {
  type Finding,
  type Located,
  type Position,
  textOf,
} from './document/finding.ts';
export { sha256, textHash } from './document/hash.ts';
export { Identifiers } from './document/identifiers.ts';
export { METHODS, operationKeys } from './document/methods.ts';
export { NameMap, setOwn } from './document/nameMap.ts';
export { isObject, isPrimitive, type Node } from './document/node.ts';
export { once, onceFor } from './document/once.ts';
export {
  escapeToken,
  tokensOf,
  unescapeToken,
  unescapeUri,
  valueAt,
  withValueAt,
} from './document/pointer.ts';
export {
  outsideReferences,
  referencedValue,
  rewriteReferences,
  unresolvedDynamicRefs,
} from './document/references.ts';
export {
  type DocumentPart,
  documentParts,
  type NamedPart,
  objectLocations,
  partsIn,
  rootPart,
  schemaLocations,
} from './document/schemaLocations.ts';
export {
  COMPOSITIONS,
  COUNTS,
  KEYWORDS,
  keywordsOfType,
  NUMERIC_BOUNDS,
  SAME_VALUE,
} from './document/vocabulary.ts';
export { withServers } from './document/withServers.ts';
export {
  COUNT,
  expectNumbers,
  type NumericRange,
  numberViolation,
  POSITIVE,
  SECONDS,
  SHARE,
  TIME_MS,
  TIMER_MS,
} from './errors/numericOption.ts';
export {
  aborted,
  conditionFailed,
  contentTooLarge,
  contractViolation,
  credentialsInvalid,
  credentialsMissing,
  expectationFailed,
  gone,
  headersTooLarge,
  idConflict,
  idempotencyKeyInUse,
  idempotencyKeyReused,
  internalError,
  invalidCursor,
  malformedBody,
  malformedHttp,
  methodNotAllowed,
  missingBody,
  notAcceptable,
  notImplemented,
  numbered,
  Problem,
  type ProblemOptions,
  type ProblemViolation,
  patchedInvalid,
  preconditionFailed,
  preconditionRequired,
  preferenceNotDeclared,
  requestTimeout,
  STATUS_NAME,
  scopesMissing,
  tooManyRequests,
  unavailable,
  unknownId,
  unknownPath,
  unsupportedContentEncoding,
  unsupportedMediaType,
  uriTooLong,
  versionNotSupported,
} from './errors/problem.ts';
export { errorFrom, InvalidReply, isThenable, shown } from './errors/thrown.ts';
export { MAX_DEPTH, parseJsonText, stringifyJson } from './json/json.ts';
export { isNumber } from './json/jsonNumber.ts';
export { likeType } from './json/likeType.ts';
export type {
  BodyIn,
  BodyOf,
  BodyValue,
  Defaults,
  ReadOnly,
  SequenceType,
  ValueOf,
  WriteOnly,
} from './media/bodyTypes.ts';
export { chain, type MaybePromise, withError } from './media/chain.ts';
export type { JsonPatch, JsonPatchOperation, MergePatch } from './media/patchTypes.ts';
export { type ContentEntry, Contents } from './operations/contents.ts';
export { Contract } from './operations/contract.ts';
export { ContractObject } from './operations/contractObject.ts';
export { type Deprecation, deprecationIn, isDeprecated } from './operations/deprecation.ts';
export {
  Content,
  DescribedValue,
  Encoding,
  Header,
  Parameter,
  type ParameterLocation,
} from './operations/describedValues.ts';
export { type Example, type LocatedValue, namedExample, parsedJson } from './operations/example.ts';
export {
  declaresIdempotency,
  type Idempotency,
  idempotencyErrors,
} from './operations/idempotency.ts';
export {
  isEventStream,
  isSequential,
} from './operations/itemSchema.ts';
export {
  type AcceptedRange,
  acceptedRanges,
  isJson,
  isJsonMediaType,
  isRange,
  isUtf8,
  isXml,
  isXmlMediaType,
  listElements,
  type MediaType,
  parseMediaType,
  typeInRange,
} from './operations/mediaType.ts';
export { withoutNullable } from './operations/nullable.ts';
export {
  barePath,
  Operation,
  RequestBody,
  type SecurityRequirement,
  templateNames,
} from './operations/operation.ts';
export { OutgoingItem, OutgoingOperation } from './operations/outgoing.ts';
export { firstPageOf, type PageRules, pageRulesOf } from './operations/pageRules.ts';
export {
  type Pagination,
  paginationErrors,
  paginationOf,
} from './operations/pagination.ts';
export {
  type RequestRate,
  rateLimitErrors,
  windowSecondsOf,
} from './operations/rateLimit.ts';
export { Response as DeclaredResponse, Responses } from './operations/response.ts';
export { type OAuthFlow, SecurityScheme } from './operations/securityScheme.ts';
export { Server, type ServerList } from './operations/servers.ts';
export { valueKey } from './schema/allowedValues.ts';
export { Applicators, Applied, SchemaValues } from './schema/applying.ts';
export type {
  Automaton,
  Condition,
  Machine,
  Transition,
} from './schema/automaton.ts';
export { describeCycle, schemaCycles } from './schema/cycles.ts';
export { decimalsOf, type Numeric, unitsOf } from './schema/decimal.ts';
export { type Discriminator, discriminatorsOf, selectableBy } from './schema/discriminator.ts';
export { formats } from './schema/formats.ts';
export {
  commonTypes,
  type Direction,
  hiddenNames,
  isBigint,
  isBinary,
  isHidden,
  type JsonType,
  propertiesOf,
  Schema,
  SchemaModel,
} from './schema/model.ts';
export { INTEGER_FORMATS, isNumericFormat } from './schema/numeric.ts';
export {
  automatonTest,
  compilePattern,
  lenientTest,
  type PatternTest,
  patternTest,
} from './schema/pattern.ts';
export {
  declaredProperty,
  inPlaceSchemas,
  itemSchemas,
  itemsSchemas,
  otherProperties,
  possibleSchemas,
  prefixLength,
  propertySchemas,
  Reaching,
  reachableSchemas,
} from './schema/possible.ts';
export { MAX_ERRORS, MORE, type SchemaError } from './schema/schemaErrors.ts';
