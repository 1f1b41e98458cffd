// Conditional requests (RFC 9110, section 13): entity tags of versions, and their checks in handlers.

export { etag, type ResourceVersion } from './conditional/conditions.ts';
export type { Preconditions } from './conditional/preconditions.ts';
