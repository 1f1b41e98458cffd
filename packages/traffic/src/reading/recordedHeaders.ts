// The headers of messages that another tool has recorded, as HTTP can carry them.

/** Lengths and codings are those of the recorded text. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'content-encoding', 'connection']);
/** Pseudo headers of HTTP/2 are no headers. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** @returns by name in lower case; the values of equal names are joined */
export function recordedHeaders(
  pairs: Iterable<readonly [name: string, value: string]>,
): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    if (!NAME.test(key) || FRAMING.has(key)) continue;
    const before = headers.get(key);
    headers.set(key, before === undefined ? carried(value) : `${before}, ${carried(value)}`);
  }
  return Object.fromEntries(headers);
}

/** Some tools join repeated headers with line breaks, and decode bytes as UTF-8. */
function carried(value: string): string {
  const line = value
    .split(/[\r\n]+/)
    .join(', ')
    .replaceAll('\0', '');
  const isLatin1 = !/[^\0-\xff]/.test(line);
  return isLatin1 ? line : Buffer.from(line).toString('latin1');
}
