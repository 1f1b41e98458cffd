// For tools: a contract in memory, its schemas and its media types. Loads no validators.

export {
  type Bundle,
  type CheckedContract,
  contractFromBundle,
  FORMAT,
  type LoadedContract,
  type LoadOptions,
  type PublishedYaml,
} from './contract/bundle.ts';
export { bundleText, loadContract } from './contract/load.ts';
export type { ContractError } from './document/contractError.ts';
export { timeOf } from './document/dates.ts';
export {
  barePath,
  ContractErrors,
  Definition,
  isObject,
  type LocatedNode,
  type Node,
  type Operation,
  templateNames,
} from './document/definition.ts';
export { exactIntegers } from './document/exactIntegers.ts';

export { textHash } from './document/hash.ts';
export { METHODS, operationKeys } from './document/methods.ts';
export { escapeToken, unescapeToken, unescapeUri, valueAt } from './document/pointer.ts';
export { rewriteReferences, unresolvedDynamicRefs } from './document/references.ts';
export { responseFor } from './document/responses.ts';
export {
  type DocumentPart,
  documentParts,
  type NamedPart,
  objectLocations,
  partsIn,
  rootPart,
  schemaLocations,
} from './document/schemaLocations.ts';
export { withServers } from './document/servers.ts';
export { MAX_DEPTH, parseJsonText, stringifyJson } from './json/json.ts';
export { exampleValue, parsedJson } from './media/exampleValue.ts';
export {
  isJson,
  isJsonMediaType,
  isXml,
  matchMediaType,
  parseMediaType,
} from './media/mediaType.ts';
export { type DataContent, dataContentsOf } from './media/sequences/eventData.ts';
export {
  isEventStream,
  isMultipartMixed,
  isSequential,
  itemSchemaOf,
} from './media/sequences/itemSchema.ts';
export { serializationOf } from './media/styles/serialization.ts';
export { shapeOf } from './media/styles/shape.ts';
export { xmlObject } from './media/xml/xmlObject.ts';
export {
  type Automaton,
  automatonTest,
  type Condition,
  type Machine,
  type Transition,
} from './schema/automaton.ts';
export { describeCycle, schemaCycles } from './schema/cycles.ts';
export { decimalsOf, type Numeric, unitsOf } from './schema/decimal.ts';
export { type Discriminator, discriminatorsOf, selectableBy } from './schema/discriminator.ts';
export { formats } from './schema/formats.ts';
export {
  COMPOSITIONS,
  commonTypes,
  type Direction,
  hiddenNames,
  isBigint,
  isBinary,
  isHidden,
  SAME_VALUE,
  type Schema,
  SchemaModel,
} from './schema/model.ts';
export { INTEGER_FORMATS, isNumericFormat } from './schema/numeric.ts';
export { compilePattern, type PatternTest, re2Test } from './schema/pattern.ts';
export { Reaching } from './schema/possible.ts';
export { schemeOf } from './security/credentials.ts';
