// Values that are made once, and maps of values that are made of others.

interface Known<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** @returns the value of a key, which is made when it is first read */
export function memo<Key, Value>(known: Known<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

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

/** @returns a map with the same keys */
export function mapped<Key, Value, Made>(
  entries: Iterable<readonly [key: Key, value: Value]>,
  make: (value: Value, key: Key) => Made,
): ReadonlyMap<Key, Made> {
  return new Map(Array.from(entries, ([key, value]) => [key, make(value, key)]));
}
