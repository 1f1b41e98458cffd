// What an operation declares of conditional requests.
import type { Contract, Operation } from '@stubwright/contract';
import { CONDITIONS, type ConditionName } from './conditions.ts';

export function isRead({ method }: Operation): boolean {
  return method === 'get' || method === 'head';
}

/** True for a read with an entity tag or a date, which may get 304. */
export function isConditionalRead(operation: Operation): boolean {
  const hasValidator = () =>
    declaresHeader(operation, 'etag') || declaresHeader(operation, 'last-modified');
  return isRead(operation) && hasValidator();
}

/** True for a write whose handler checks conditions. */
export function isConditionalWrite(operation: Operation): boolean {
  return !isRead(operation) && declaredConditions(operation).length > 0;
}

/** A condition of a write on the date alone is ignored (RFC 9110, section 13.1.3). */
export function declaredConditions(operation: Operation): ConditionName[] {
  const applicable = isRead(operation)
    ? CONDITIONS
    : CONDITIONS.filter((name) => name !== 'If-Modified-Since');
  return applicable.filter((name) => operation.parameter('header', name) !== undefined);
}

/** @returns the GET of the same path, if it declares an ETag */
export function readOf({ operations }: Contract, { path }: Operation): Operation | undefined {
  const read = operations.find((each) => each.path === path && each.method === 'get');
  return read !== undefined && declaresHeader(read, 'etag') ? read : undefined;
}

/** @returns true if a success response declares the header */
export function declaresHeader(operation: Operation, name: string): boolean {
  const names = successKeys(operation).flatMap((key) => [
    ...operation.responses.get(key)!.headers.keys(),
  ]);
  return names.some((each) => each.toLowerCase() === name);
}

/** @returns the declared success statuses and ranges */
export function successKeys({ responses }: Operation): string[] {
  return [...responses.keys()].filter((key) => key.startsWith('2'));
}
