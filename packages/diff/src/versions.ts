// Versions of contracts: their order, the release that a contract follows, and which changes a version permits.

export {
  baselineOf,
  type FailOn,
  releaseError,
  suggestedVersion,
  versionOf,
  versionWarning,
} from './report/releases.ts';
export {
  compareVersions,
  isPrerelease,
  mayBreak,
  type NextVersion,
  VERSION_SCHEMES,
  type VersionScheme,
} from './report/versionOrder.ts';
