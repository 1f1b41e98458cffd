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
export type { CurrentOptions } from './servedVersion.ts';
export { VersionedEngine } from './versionedEngine.ts';
export type { LoadVersion, VersionSource } from './versionLink.ts';
export { conversionsOf, operationPairs } from './versionLink.ts';
export type { Pin } from './versionSelection.ts';
export {
  convertersOf,
  fromFiles,
  type OpenedVersion,
  serveVersions,
  type Versions,
  type VersionsOptions,
  verifiedOnce,
} from './versions.ts';
