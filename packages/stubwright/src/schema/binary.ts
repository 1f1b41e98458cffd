// The Ajv keyword `binary`: a Blob in forms, a string in JSON.
import type { FuncKeywordDefinition } from 'ajv';

export const binaryKeyword: FuncKeywordDefinition = {
  keyword: 'binary',
  errors: false,
  compile: (isNullable: boolean) => (data: unknown) =>
    typeof data === 'string' || data instanceof Blob || (isNullable && data === null),
};
