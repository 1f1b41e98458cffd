// The keyword `binary`: bytes, which a form brings as a Blob and JSON as a string.
import type { FuncKeywordDefinition } from 'ajv';

export const binaryKeyword: FuncKeywordDefinition = {
  keyword: 'binary',
  errors: false,
  compile: (isNullable: boolean) => (data: unknown) =>
    typeof data === 'string' || data instanceof Blob || (isNullable && data === null),
};
