// The keys of requests in caches.

/** JSON, the same for equal requests: caches hash keys with `JSON.stringify`, and compare them by parts. */
export type QueryKey = readonly unknown[];

/** A bigint in a key, or a string that would be the same. */
const BIGINT = /^-?\d+n+$/;

/**
 * A bigint is a string that ends with `n`; a string of that form has one `n` more.
 *
 * @param scope the name of the package
 * @throws {TypeError} for bytes, files, streams, maps and sets
 */
export function queryKeyOf(scope: string, operationId: string, request: object = {}): QueryKey {
  const written = (value: unknown): unknown => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'string') return BIGINT.test(value) ? `${value}n` : value;
    // JSON has null for all of them.
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if ('toJSON' in value && typeof value.toJSON === 'function') return written(value.toJSON());
    if (Array.isArray(value)) return value.map(written);
    const kind = Object.prototype.toString.call(value);
    if (kind !== '[object Object]') {
      throw new TypeError(`${operationId}: got ${kind} in a query key, expected JSON values`);
    }
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, each]) =>
        each === undefined ? [] : [[name, written(each)]],
      ),
    );
  };
  const key = written(request) as object;
  return Object.keys(key).length === 0 ? [scope, operationId] : [scope, operationId, key];
}
