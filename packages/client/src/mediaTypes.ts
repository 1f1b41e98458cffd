// Media types, and the selection among declared ones.

/** @returns the most specific declared media type or range that matches */
export function matchingType(written: string, types: readonly string[]): string | undefined {
  const essence = essenceOf(written);
  const matches = (range: string, of = essenceOf) => types.find((each) => of(each) === range);
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
  return /^(?:application|text)\/json\b|\+json\b/i.test(type);
}
