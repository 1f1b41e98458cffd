// Old versions of a contract, served from the handlers of the current one by converters.

export {
  type Configuration,
  configurationIn,
  type ServedEntry,
} from './configuration.ts';
export type {
  NewerOperations,
  OperationConverter,
  SchemaConverter,
  VersionConverters,
} from './converters.ts';
export type * from './converterTypes.ts';
export { operationPairs } from './operationPairs.ts';
export type { CurrentOptions } from './servedVersion.ts';
export { verifiedOnce } from './verifiedOnce.ts';
export type { LoadVersion, VersionSource } from './versionChain.ts';
export { VersionedEngine } from './versionedEngine.ts';
export { conversionsOf } from './versionLink.ts';
export type { Pin } from './versionPin.ts';
export {
  convertersOf,
  fromFiles,
  type OpenedVersion,
  serveVersions,
  type Versions,
  type VersionsOptions,
} from './versions.ts';
