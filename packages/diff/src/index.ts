// Compares two contracts: what changed for the clients of the first, and what to write about it.

export { changesBetween, type DiffOptions, type OnOperation } from './contract/changes.ts';
export type {
  ContractObjectSource,
  ContractSource,
  ContractText,
  OpenedContract,
} from './library/compare.ts';
export { type CompareOptions, Comparison, compare } from './library/compare.ts';
export type {
  ChangeFinding,
  ComparedContracts,
  DiffReport,
  FindingLocation,
} from './report/changeFinding.ts';
export { changelogOf, changelogPage, type Title } from './report/changelogPage.ts';
export { type Acceptance, applyPolicy, type Policy } from './report/policy.ts';
export type { VersionScheme } from './report/releases.ts';
export { countsOf, type Locations, type LocationsOfBoth, whereOf } from './report/report.ts';
export {
  type DiffFormat,
  reportAs,
  type WriteOptions,
  type WrittenComparison,
} from './report/write.ts';
export {
  type Change,
  type ChangedPart,
  type ChangeExample,
  type ChangeMessage,
  type ChangeTraffic,
  convertedChanges,
  isRule,
  partOf,
  type RuleId,
} from './rules/rules.ts';
export { RULE_SEVERITIES, SEVERITIES, type Severity } from './rules/severity.ts';
