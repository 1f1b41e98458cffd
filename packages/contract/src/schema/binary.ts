// The rule `binary`: a Blob in forms, a string in JSON.
import { assertion, type Rule } from './rules/rule.ts';

export function binaryRule(isNullable: boolean): Rule {
  return assertion(
    'format',
    (value) => typeof value === 'string' || value instanceof Blob || (isNullable && value === null),
    'expected a file',
  );
}
