// Values and lists in words, and JSON in one form.

/** @returns JSON with sorted keys, integers to the last digit: equal texts are equal values */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, each: unknown) => {
      if (typeof each === 'bigint') return JSON.rawJSON(each.toString());
      if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
      return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? 'nothing'
  );
}

const MOST_SHOWN = 60;

/** @returns a value as a person reads it, cut where it is long */
export function shown(value: unknown): string {
  const text = canonical(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** @returns `a, b or c` */
export function anyOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** @returns those of `all` that `others` does not hold */
export function without<Item>(all: Iterable<Item>, others: Iterable<Item>): Item[] {
  const known = new Set(others);
  return [...all].filter((each) => !known.has(each));
}

/** @returns `x 1 became 2`, `x 2 was set` or `x 1 was removed` */
export function became(word: string, before: unknown, after: unknown): string {
  if (before === undefined) return `${word} ${shown(after)} was set`;
  if (after === undefined) return `${word} ${shown(before)} was removed`;
  return `${word} ${shown(before)} became ${shown(after)}`;
}
