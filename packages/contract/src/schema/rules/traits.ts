// Properties of a schema that exclude values without a test: their kinds, and the values of required
// properties.
import type { JsonSchema } from '../translate.ts';
import { KINDS, type Kind, kindOf } from './rule.ts';

export interface Traits {
  /** The kinds of values that may be valid. */
  readonly kinds: ReadonlySet<Kind>;
  /** Required properties that allow only these scalars. */
  readonly keys: ReadonlyMap<string, readonly unknown[]>;
}

/** @returns the schema with an id; undefined if there is none */
export type Lookup = (id: string) => JsonSchema | undefined;

const ALL = new Set(KINDS);
const NONE: Traits = { kinds: new Set(), keys: new Map() };

export function traitsOf(schema: JsonSchema, lookup: Lookup): Traits {
  if (schema === false) return NONE;
  const conjuncts = conjunctsOf(schema, lookup, new Set());
  const kinds = conjuncts.reduce<ReadonlySet<Kind>>(
    (known, conjunct) => intersect(known, kindsIn(conjunct)),
    ALL,
  );
  const required = new Set(conjuncts.flatMap((conjunct): string[] => conjunct.required ?? []));
  const keys = new Map<string, readonly unknown[]>();
  for (const name of required) {
    const allowed = conjuncts
      .flatMap((conjunct) =>
        Object.hasOwn(conjunct.properties ?? {}, name) ? [conjunct.properties[name]] : [],
      )
      .flatMap((jsonSchema: JsonSchema) => conjunctsOf(jsonSchema, lookup, new Set()))
      .find((node) => node.allowed?.every(isScalar))?.allowed;
    if (allowed !== undefined) keys.set(name, allowed);
  }
  return { kinds, keys };
}

type SchemaObject = Exclude<JsonSchema, boolean>;

/** @returns the schema and those that it includes by `$ref` and `allOf` */
function conjunctsOf(schema: JsonSchema, lookup: Lookup, seen: Set<JsonSchema>): SchemaObject[] {
  if (typeof schema === 'boolean' || seen.has(schema)) return [];
  seen.add(schema);
  const target = schema.$ref === undefined ? undefined : lookup(schema.$ref);
  const inner: JsonSchema[] = [...(target === undefined ? [] : [target]), ...(schema.allOf ?? [])];
  return [schema, ...inner.flatMap((jsonSchema) => conjunctsOf(jsonSchema, lookup, seen))];
}

function kindsIn({ type, numeric, allowed }: SchemaObject): ReadonlySet<Kind> {
  const types: string[] | undefined = type ?? numeric?.types;
  const ofTypes = types?.map((name) => (name === 'integer' ? 'number' : name) as Kind);
  const ofValues: Kind[] | undefined = allowed?.map(kindOf);
  return intersect(new Set(ofTypes ?? ALL), new Set(ofValues ?? ALL));
}

function intersect(a: ReadonlySet<Kind>, b: ReadonlySet<Kind>): Set<Kind> {
  return new Set([...a].filter((kind) => b.has(kind)));
}

export function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
