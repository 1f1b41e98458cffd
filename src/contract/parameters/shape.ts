// The outline of a schema, as far as text needs it to become a value: scalar, array or object, and
// which JSON types it allows. Looks through $ref and compositions; says nothing of validity.
import type { Definition, Place } from '../definition/definition.ts';

export interface Shape {
  readonly kind: 'scalar' | 'array' | 'object';
  /** The JSON types that the schema allows; empty where it names none. */
  readonly types: ReadonlySet<string>;
  /** Names of the declared properties. */
  readonly names: ReadonlySet<string>;
  /** True for an object that takes properties beside the declared ones. */
  readonly isOpen: boolean;
  items(): Shape;
  property(name: string): Shape;
}

const NO_TYPES: ReadonlySet<string> = new Set();

/** A shape of which nothing is known: text stays text. */
export const UNKNOWN: Shape = {
  kind: 'scalar',
  types: NO_TYPES,
  names: NO_TYPES,
  isOpen: false,
  items: () => UNKNOWN,
  property: () => UNKNOWN,
};

/** @returns the outline of the schema at `place` */
export function shapeOf(definition: Definition, place: Place | undefined): Shape {
  if (place === undefined) return UNKNOWN;
  const parts = partsOf(definition, place, new Set());
  const types = new Set(parts.flatMap(({ node }) => typesIn(node)));
  const child = (candidates: (Place | undefined)[]) =>
    shapeOf(
      definition,
      candidates.find((each) => typeof each?.node === 'object'),
    );
  const names = new Set(parts.flatMap(({ node }) => Object.keys(node.properties ?? {})));
  const others = () => parts.map((each) => stepInto(definition, each, 'additionalProperties'));
  const candidatesOf = (name: string) => [
    ...parts.map((each) => stepInto(definition, each, 'properties', name)),
    ...others(),
  ];
  // Derived once for each property: a request may repeat one thousands of times.
  const properties = new Map<string, Shape>();
  const other = once(() => child(others()));
  return {
    kind: kindOf(types),
    types,
    names,
    isOpen: parts.some(({ node }) => Boolean(node.additionalProperties ?? node.patternProperties)),
    items: once(() => child(parts.map((each) => stepInto(definition, each, 'items')))),
    property: (name) => {
      if (!names.has(name)) return other();
      const known = properties.get(name) ?? child(candidatesOf(name));
      properties.set(name, known);
      return known;
    },
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function partsOf(definition: Definition, place: Place, seen: Set<string>): Place[] {
  if (seen.has(place.pointer) || typeof place.node !== 'object') return [];
  seen.add(place.pointer);
  const target = definition.schemaTarget(place);
  const composed = ['allOf', 'oneOf', 'anyOf'].flatMap((word) => {
    const list = stepInto(definition, place, word);
    return Object.keys(list?.node ?? {}).map((at) => definition.step(list!, at));
  });
  const inner = target === undefined ? composed : [target, ...composed];
  return [place, ...inner.flatMap((each) => partsOf(definition, each, seen))];
}

function stepInto(definition: Definition, place: Place, ...names: string[]): Place | undefined {
  let at: Place | undefined = place;
  for (const name of names) {
    if (!Object.hasOwn(Object(at?.node), name)) return undefined;
    at = definition.step(at, name);
  }
  return at;
}

function typesIn({ type, nullable, enum: values, properties, items }: Place['node']): string[] {
  const named = type === undefined ? [] : [type].flat();
  const implied = [
    ...(nullable === true ? ['null'] : []),
    ...(properties === undefined ? [] : ['object']),
    ...(items === undefined ? [] : ['array']),
  ];
  const ofValues: string[] =
    named.length > 0 ? [] : (values ?? []).map((each: unknown) => typeof each);
  return [...named, ...implied, ...ofValues.map((each) => (each === 'bigint' ? 'integer' : each))];
}

function kindOf(types: ReadonlySet<string>): Shape['kind'] {
  if (types.has('array')) return 'array';
  return types.has('object') ? 'object' : 'scalar';
}
