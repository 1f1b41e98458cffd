// Converts the parts of a value that have other types in the client than in the contract.
import { PartWithHeaders } from './bodies.ts';
import { type Exact, type ExactHolder, exactPart, type Known } from './json.ts';
import { matchingType, tagOf } from './mediaTypes.ts';
import { conforms, either, type ValueSchema } from './schema.ts';

/** How a value is converted: of dates, and of integers of 64 bits. */
export interface Conversion extends ExactHolder {
  /** In the contract, for messages: `a date-time`. */
  readonly wire: string;
  /** In the client, for messages: `a Date`. */
  readonly type: string;
  /** @returns undefined for a value that is not one of the contract */
  read(wire: unknown): unknown;
  /** @returns undefined for a value that is not one of the client */
  write(value: unknown): unknown;
}

/** By media type; 0 for one without conversions, and the items of a sequence as those of an array. */
export type ContentConversions = Readonly<Record<string, Exact | 0>>;

type Direction = 'read' | 'write';
type Alternatives = readonly (readonly [schema: ValueSchema, exact: Exact])[];
type Selection = ((value: unknown, known?: Known) => Exact | undefined) & {
  readonly alternatives?: Alternatives;
};
type Part = Exclude<Exact, 1 | readonly Exact[] | ((value: unknown) => Exact | undefined)>;

/** A value that cannot be converted. */
export class NotConvertible extends Error {
  /** Of the part, such as `body/toys/0/created`. */
  readonly location: string;
  readonly got: string;
  readonly conversion: Conversion;

  constructor(location: string, value: unknown, conversion: Conversion) {
    super();
    this.location = location;
    this.got = described(value);
    this.conversion = conversion;
  }
}

/** @returns the same as `either`, also for values of the client */
export function selecting(...alternatives: Alternatives): Selection {
  return Object.assign(either(...alternatives), { alternatives });
}

/** Converts one value, without changing it. */
export class Converter {
  readonly #direction: Direction;
  /** Without it, nested alternatives would take exponential time. */
  readonly #selected = new WeakMap<object, Map<Selection, Exact[]>>();
  readonly #known: Known = new Map();

  constructor(direction: Direction) {
    this.#direction = direction;
  }

  /** @param location for messages @throws {NotConvertible} */
  convert(exact: Exact, value: unknown, location: string): unknown {
    if (value === null || value === undefined) return value;
    if (value instanceof PartWithHeaders) {
      return new PartWithHeaders(this.convert(exact, value.value, location), value.head);
    }
    const parts = this.#partsOf(exact, value);
    const conversion = parts.find(isConversion);
    if (conversion !== undefined) {
      const converted = conversion[this.#direction](value);
      if (converted === undefined) throw new NotConvertible(location, value, conversion);
      return converted;
    }
    const holder = parts.length === 0 ? undefined : holderOf(value);
    if (holder === undefined) return value;
    const entries = Object.entries(holder).map(([name, each]) => {
      const inner = parts.flatMap((part) => exactPart(part, holder, name) ?? []);
      return [name, this.convert(inner, each, `${location}/${escaped(name)}`)] as const;
    });
    return Array.isArray(holder) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
  }

  /** @returns the parts that apply to the value */
  #partsOf(exact: Exact, value: unknown): Part[] {
    const all = [...new Set(flattened(exact))];
    const plain = all.filter((exact) => typeof exact !== 'function');
    const selections = all.filter((exact) => typeof exact === 'function');
    const selected = selections.flatMap((selection) => this.#select(selection, plain, value));
    const others = [...new Set(selected)].flatMap((exact) => this.#partsOf(exact, value));
    return [...new Set([...plain, ...others])];
  }

  /** @param plain what applies to the value anyway */
  #select(selection: Selection, plain: readonly Part[], value: unknown): Exact[] {
    if (typeof value !== 'object' || value === null) return this.#tested(selection, plain, value);
    const known = this.#selected.get(value) ?? new Map<Selection, Exact[]>();
    this.#selected.set(value, known);
    const found = known.get(selection) ?? this.#tested(selection, plain, value);
    known.set(selection, found);
    return found;
  }

  /** The tests are those of the contract, whose values they need. */
  #tested(selection: Selection, plain: readonly Part[], value: unknown): Exact[] {
    const { alternatives } = selection;
    // A recursion.
    if (selection.length === 0) return [selection(value) ?? []].flat();
    if (this.#direction === 'read') return [selection(value, this.#known) ?? []].flat();
    if (alternatives === undefined) return [selection(this.#attempt(plain, value)) ?? []].flat();
    return alternatives.flatMap(([schema, inner]) => {
      const wire = this.#attempt([...plain, inner], value);
      return wire !== undefined && conforms(schema, wire) ? [inner] : [];
    });
  }

  #attempt(exact: Exact, value: unknown): unknown {
    try {
      return this.convert(exact, value, '');
    } catch (error) {
      if (error instanceof NotConvertible) return undefined;
      throw error;
    }
  }
}

function flattened(exact: Exact): (Part | Selection)[] {
  if (exact === 1) return [];
  return isList(exact) ? exact.flatMap(flattened) : [exact];
}

function isList(exact: Exact): exact is readonly Exact[] {
  return Array.isArray(exact);
}

function isConversion(part: Part): part is Conversion {
  return 'wire' in part;
}

/** @returns undefined for a value without properties or items in JSON */
function holderOf(value: unknown): object | undefined {
  const { toJSON } = Object(value);
  const plain: unknown = typeof toJSON === 'function' ? toJSON.call(value) : value;
  const isHolder = Array.isArray(plain) || tagOf(plain) === '[object Object]';
  return isHolder ? (plain as object) : undefined;
}

/** RFC 6901. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function described(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 100));
  return typeof value === 'object' || typeof value === 'function' ? tagOf(value) : String(value);
}

export function exactIn(contents: ContentConversions, type: string): Exact | undefined {
  return contents[matchingType(type, Object.keys(contents)) ?? ''] || undefined;
}

/** @throws {TypeError} */
export function writtenPart(
  id: string,
  exact: Exact | undefined,
  value: unknown,
  location: string,
): unknown {
  if (exact === undefined || value === undefined) return value;
  try {
    return new Converter('write').convert(exact, value, location);
  } catch (error) {
    if (!(error instanceof NotConvertible)) throw error;
    const { location: at, got, conversion } = error;
    throw new TypeError(`${id}: ${at}: got ${got}, expected ${conversion.type}`);
  }
}
