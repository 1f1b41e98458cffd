// Reads contracts. stubwright and @stubwright/diff import this module for OpenAPI files and texts.

export {
  bundleOf,
  checkedContract,
  loadContractFiles,
  loadMockable,
  publishedYaml,
} from './loading/load.ts';
export { openText } from './loading/textContract.ts';
