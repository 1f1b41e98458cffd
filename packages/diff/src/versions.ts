// Versions of contracts: their order, the release that a contract follows, and which changes a version permits.

export {
  baselineOf,
  compareVersions,
  type FailOn,
  isPrerelease,
  mayBreak,
  type NextVersion,
  releaseError,
  suggestedVersion,
  VERSION_SCHEMES,
  type VersionScheme,
  versionOf,
  versionWarning,
} from './report/releases.ts';
