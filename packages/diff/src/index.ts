// Compares two contracts: what changed for the clients of the first, and what to write about it.

export { changesBetween, type DiffOptions, type OnOperation } from './contract/changes.ts';
export type { CounterexampleLimits } from './counterexample/counterexamples.ts';
export { isQuiet } from './report/causes.ts';
export { changelogOf, type Title } from './report/changelog.ts';
export { markdownOf } from './report/markdown.ts';
export { type Acceptance, applyPolicy, type Policy } from './report/policy.ts';
export {
  changeFindings,
  countsOf,
  type DiffReport,
  type JsonLocation,
  jsonOf,
  type Locations,
  type LocationsOfBoth,
  reportOf,
  whereOf,
} from './report/report.ts';
export type { VersionScheme } from './report/versionOrder.ts';
export {
  bySeverity,
  type Change,
  type ChangedPart,
  type ChangeExample,
  type ChangeTraffic,
  partOf,
} from './rules/change.ts';
export { type ChangeMessage, isRule, type RuleId } from './rules/rules.ts';
export { SEVERITIES, type Severity } from './rules/severity.ts';
