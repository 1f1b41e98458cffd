// Values that are made when they are first needed.

/** @returns a function that calls `create` at its first call */
export function once<Value>(create: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: create() };
    return made.value;
  };
}

/** @returns a function that calls `create` once for each key */
export function onceFor<Key, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as Value;
    const value = create(key);
    known.set(key, value);
    return value;
  };
}
