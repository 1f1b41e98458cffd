// An object without inherited properties, for names from contracts and clients (`constructor`, `__proto__`).

/** Unlike the hash table of `Object.create(null)`, V8 allocates few properties in the object itself. */
export class NameMap<Value> {
  [name: string]: Value;

  static {
    Reflect.deleteProperty(NameMap.prototype, 'constructor');
    Object.freeze(Object.setPrototypeOf(NameMap.prototype, null));
  }
}

/** An assignment would change the prototype for the name `__proto__`. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, ...OWN });
}

const OWN = { configurable: true, enumerable: true, writable: true };
