// Logic with three values: undefined while a part is not known.

/** Undefined while it depends on variables without a value. */
export type Truth = boolean | undefined;

export function not(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

export function and(parts: readonly (() => Truth)[]): Truth {
  let truth: Truth = true;
  for (const part of parts) {
    const each = part();
    if (each === false) return false;
    if (each === undefined) truth = undefined;
  }
  return truth;
}

export function or(parts: readonly (() => Truth)[]): Truth {
  return not(and(parts.map((part) => () => not(part()))));
}

export function exactlyOne(parts: readonly (() => Truth)[]): Truth {
  const truths = parts.map((part) => part());
  if (truths.filter((truth) => truth === true).length > 1) return false;
  return truths.includes(undefined) ? undefined : truths.includes(true);
}
