// What an OpenAPI contract declares: its document, references, operations, schemas and media types.

export {
  type Bundle,
  bundleText,
  type CheckedContract,
  type ContractBundle,
  contractFromBundle,
  contractOf,
  developmentPath,
  errorCauses,
  FORMAT,
  type LoadedContract,
  type LoadOptions,
  loadContract,
  type Publish,
  type PublishedYaml,
  sha256,
  textHash,
} from './bundle/bundle.ts';
export { ContractDocument } from './document/contractDocument.ts';
export { timeOf } from './document/dates.ts';
export {
  type ContractError,
  ContractErrors,
  type Finding,
  type Located,
  type Position,
  textOf,
} from './document/finding.ts';
export { once, onceFor } from './document/memo.ts';
export { METHODS, operationKeys } from './document/methods.ts';
export {
  exactIntegers,
  isObject,
  isPrimitive,
  NameMap,
  type Node,
  setOwn,
} from './document/node.ts';
export {
  escapeToken,
  fragmentOf,
  tokensOf,
  unescapeToken,
  unescapeUri,
  valueAt,
  withValueAt,
} from './document/pointer.ts';
export {
  Identifiers,
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
export {
  chain,
  errorFrom,
  InvalidReply,
  isThenable,
  type MaybePromise,
  shown,
  withError,
} from './errors/thrown.ts';
export { MAX_DEPTH, parseJsonText, stringifyJson } from './json/json.ts';
export { isNumber, likeType } from './json/jsonNumber.ts';
export type {
  BodyIn,
  BodyOf,
  BodyValue,
  Defaults,
  JsonPatch,
  JsonPatchOperation,
  MergePatch,
  ReadOnly,
  SequenceType,
  ValueOf,
  WriteOnly,
} from './media/bodyTypes.ts';
export { type ContentEntry, Contents } from './operations/contents.ts';
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
} from './operations/describedValues.ts';
export {
  declaresIdempotency,
  type Idempotency,
  idempotencyErrors,
  type RequestRate,
  rateLimitErrors,
  windowSecondsOf,
} from './operations/extensions.ts';
export {
  acceptedRanges,
  isEventStream,
  isJson,
  isJsonMediaType,
  isSequential,
  isUtf8,
  isXml,
  isXmlMediaType,
  listElements,
  type MediaType,
  parseMediaType,
  typeInRange,
} from './operations/mediaType.ts';
export {
  barePath,
  Operation,
  OutgoingItem,
  OutgoingOperation,
  RequestBody,
  type SecurityRequirement,
  templateNames,
} from './operations/operation.ts';
export {
  firstPageOf,
  type PageRules,
  type Pagination,
  pageRulesOf,
  paginationErrors,
  paginationOf,
} from './operations/pagination.ts';
export { Response as DeclaredResponse, Responses } from './operations/response.ts';
export { type OAuthFlow, SecurityScheme } from './operations/securityScheme.ts';
export { normalizedBasePath, Server, type ServerList, withServers } from './operations/servers.ts';
export { valueKey } from './schema/allowedValues.ts';
export { Applicators, Applied, SchemaValues } from './schema/applying.ts';
export { type Discriminator, discriminatorsOf, selectableBy } from './schema/discriminator.ts';
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
export {
  decimalsOf,
  INTEGER_FORMATS,
  isNumericFormat,
  type Numeric,
  unitsOf,
} from './schema/numeric.ts';
export type { Automaton, Condition, Machine, Transition } from './schema/pattern.ts';
export {
  automatonTest,
  compilePattern,
  lenientTest,
  type PatternTest,
  patternTest,
  testInLinearTime,
} from './schema/pattern.ts';
export {
  declaredProperty,
  describeCycle,
  inPlaceSchemas,
  itemSchemas,
  itemsSchemas,
  otherProperties,
  possibleSchemas,
  prefixLength,
  propertySchemas,
  Reaching,
  reachableSchemas,
  schemaCycles,
} from './schema/possible.ts';
export { formats } from './schema/rules/strings.ts';
export { MAX_ERRORS, MORE, type SchemaError } from './schema/schemaErrors.ts';
