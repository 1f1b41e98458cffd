// Reads contracts. stubwright and @stubwright/diff import this module for OpenAPI files and texts.

export {
  bundleOf,
  checkedContract,
  loadContractFiles,
  loadMockable,
  openText,
  publishedYaml,
} from './loading/load.ts';
