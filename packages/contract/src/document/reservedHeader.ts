// The header parameters that OpenAPI ignores.
import type { Node } from './definition.ts';

const RESERVED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

/** True for a header parameter that OpenAPI ignores (OpenAPI 3.0.3, Parameter Object). */
export function isReservedHeader({ in: where, name }: Node): boolean {
  return where === 'header' && RESERVED_HEADERS.has(name.toLowerCase());
}
