// The methods of the operations of a path item.
import type { Node } from './node.ts';

/** The methods of a Path Item Object, in lower case. */
export const METHODS = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
] as const;

/**
 * True for a key of `additionalOperations` (OpenAPI 3.2) that a server of Node can receive. CONNECT opens a
 * tunnel, and a method of METHODS has a property of its own.
 */
export function isServedMethod(name: string): boolean {
  const fixed: readonly string[] = METHODS;
  // Loading HTTP takes longer than reading most contracts.
  const parsed = process.getBuiltinModule('node:http').METHODS;
  return parsed.includes(name) && name !== 'CONNECT' && !fixed.includes(name.toLowerCase());
}

/** @returns the keys of the operations of a path item, each with its method in lower case */
export function operationKeys(item: Node): (readonly [method: string, ...keys: string[]])[] {
  const fixed = METHODS.filter((method) => item[method] !== undefined);
  const additional = Object.keys(Object(item['additionalOperations'])).filter(isServedMethod);
  return [
    ...fixed.map((method) => [method, method] as const),
    ...additional.map((name) => [name.toLowerCase(), 'additionalOperations', name] as const),
  ];
}
