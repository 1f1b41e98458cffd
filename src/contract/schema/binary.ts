// The keyword `binary`: bytes, which a form brings as a Blob and JSON as a string.
import type { FuncKeywordDefinition } from 'ajv';

export const binaryKeyword: FuncKeywordDefinition = {
  keyword: 'binary',
  errors: false,
  compile: (isBinary: boolean) => (data: unknown) =>
    !isBinary || typeof data === 'string' || data instanceof Blob,
};
