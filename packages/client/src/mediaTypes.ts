// Media types, and the selection among declared ones.

/** @returns the most specific declared media type or range that matches */
export function matchingType(written: string, types: readonly string[]): string | undefined {
  const essence = essenceOf(written);
  const matches = (range: string, of = essenceOf) => types.find((text) => of(text) === range);
  return (
    matches(compact(written), compact) ??
    matches(essence) ??
    matches(essence.replace(/\/.*/, '/*')) ??
    matches('*/*')
  );
}

export function essenceOf(type: string): string {
  return compact(type).split(';')[0]!;
}

function compact(type: string): string {
  return type.replace(/\s/g, '').toLowerCase();
}

/** @param type may have parameters */
export function isJsonType(type = ''): boolean {
  return /^(?:(?:application|text)\/json|[^;]*\+json)[ \t]*(?:;|$)/i.test(type);
}

/**
 * The `typeInRange` of @stubwright/contract, for a package without dependencies.
 *
 * @param key a media type or a range
 * @returns the media type of a body in it; undefined if it does not include the usual one
 */
export function sentTypeOf(key: string, body: unknown): string | undefined {
  if (!essenceOf(key).includes('*')) return key;
  const isBytes = ArrayBuffer.isView(body) || /Blob|File|Stream|ArrayBuffer/.test(tagOf(body));
  const usual = isBytes ? 'application/octet-stream' : 'application/json';
  const types = [
    body instanceof Blob ? body.type : '',
    typeof body === 'string' ? 'text/plain; charset=utf-8' : usual,
  ];
  return types.find((type) => /^[^*]+$/.test(type) && matchingType(type, [key]) !== undefined);
}

/** `[object Date]`, also of another realm. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}
