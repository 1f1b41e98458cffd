// Versions of contracts: their order, the release that a contract follows, and which changes a version permits.

export {
  baselineOf,
  type FailOn,
  releaseError,
  versionOf,
  versionWarning,
} from './report/releases.ts';
export {
  compareVersions,
  isPrerelease,
  mayBreak,
  VERSION_SCHEMES,
  type VersionScheme,
} from './report/versionOrder.ts';
