// Counts the reads of a value: the work of a validation, independent of the speed of the machine.

export interface Counted {
  readonly value: unknown;
  /** The number of reads of objects and arrays, and of their names. */
  readonly reads: () => number;
}

/** A work of more reads fails instead of blocking the test. */
const MAX_READS = 5_000_000;

/** @returns a value that counts how often its objects and arrays are read */
export function counted(value: unknown): Counted {
  let reads = 0;
  const count = (added: number) => {
    reads += added;
    if (reads > MAX_READS) throw new Error(`expected at most ${MAX_READS} reads`);
  };
  const proxies = new Map<object, object>();
  const made = new WeakSet<object>();
  const wrap = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner;
    // A coercion writes the proxies that it has read.
    if (made.has(inner)) return inner;
    const known = proxies.get(inner);
    if (known !== undefined) return known;
    const proxy: object = new Proxy(inner, {
      get(target, key) {
        count(1);
        return wrap(Reflect.get(target, key));
      },
      getOwnPropertyDescriptor(target, key) {
        count(1);
        const descriptor = Reflect.getOwnPropertyDescriptor(target, key);
        // A proxy must return the value itself for what it cannot configure.
        if (descriptor?.configurable) descriptor.value = wrap(descriptor.value);
        return descriptor;
      },
      ownKeys(target) {
        const keys = Reflect.ownKeys(target);
        count(keys.length);
        return keys;
      },
    });
    proxies.set(inner, proxy);
    made.add(proxy);
    return proxy;
  };
  return { value: wrap(value), reads: () => reads };
}
