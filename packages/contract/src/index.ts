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
export {
  ContractDocument,
  Identifiers,
  outsideReferences,
  referencedValue,
  rewriteReferences,
  unresolvedDynamicRefs,
} from './document/contractDocument.ts';
export {
  type ContractError,
  ContractErrors,
  type Finding,
  type Located,
  type Position,
  textOf,
} from './document/finding.ts';
export { once, onceFor } from './document/memo.ts';
export {
  escapeToken,
  exactIntegers,
  fragmentOf,
  isObject,
  isPrimitive,
  NameMap,
  type Node,
  setOwn,
  tokensOf,
  unescapeToken,
  unescapeUri,
  valueAt,
  withValueAt,
} from './document/node.ts';
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
  METHODS,
  NUMERIC_BOUNDS,
  operationKeys,
  SAME_VALUE,
} from './document/vocabulary.ts';
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
  COUNT,
  chain,
  errorFrom,
  expectNumbers,
  InvalidReply,
  isThenable,
  type MaybePromise,
  type NumericRange,
  numberViolation,
  POSITIVE,
  SECONDS,
  SHARE,
  shown,
  TIME_MS,
  TIMER_MS,
  withError,
} from './errors/thrown.ts';
export { MAX_DEPTH, parseJsonText, stringifyJson } from './json/json.ts';
export { isNumber, likeType } from './json/jsonScanner.ts';
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
export {
  acceptedRanges,
  type ContentEntry,
  Contents,
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
export { type OAuthFlow, SecurityScheme } from './operations/securityScheme.ts';
export { normalizedBasePath, Server, type ServerList, withServers } from './operations/servers.ts';
export { Applicators, Applied, SchemaValues } from './schema/applying.ts';
export { type Discriminator, discriminatorsOf, selectableBy } from './schema/discriminator.ts';
export { MAX_ERRORS, MORE, type SchemaError } from './schema/evaluation.ts';
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
export {
  type Automaton,
  automatonTest,
  type Condition,
  compilePattern,
  lenientTest,
  type Machine,
  type PatternTest,
  patternTest,
  type Transition,
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
export { valueKey } from './schema/rules/alternatives.ts';
export { formats, timeOf } from './schema/rules/strings.ts';
