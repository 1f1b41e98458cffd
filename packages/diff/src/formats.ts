// The formats of a comparison, without what compares contracts.

export {
  type DiffFormat,
  reportAs,
  reportNoChanges,
  ruleHelp,
  type WriteOptions,
  type WrittenComparison,
} from './report/write.ts';
