// What the schemas of a proof mention at each location: names of properties, limits and constants.
import { isObject, type Node, type Schema } from '@stubwright/contract';
import { within } from './assignment.ts';
import { Domain } from './domain.ts';
import { memberParts } from './memberParts.ts';
import { namesListed } from './memberTruths.ts';
import { expectModelled, Undecided } from './modelled.ts';
import { dependentIn, requiredIn } from './propertyTruths.ts';
import { isTrivial } from './trivial.ts';

/** Maximum number of names in a location: a schema may refer to itself. */
const MAX_DEPTH = 6;

export class Mentioned {
  /** Mentioned -> the limits and constants that schemas compare their values with. */
  readonly #domains = new Map<string, Domain>();
  /** Mentioned -> the names of properties that schemas mention. */
  readonly #names = new Map<string, Set<string>>();

  /** Location -> the schemas that may apply there. */
  readonly #schemas = new Map<string, Set<Schema>>();

  /** @throws {Undecided} for a schema that is not modelled or too deep */
  constructor(schemas: readonly Schema[]) {
    for (const each of schemas) this.#collect(each, '', new Set());
    while (this.#collectMembers()) {}
  }

  /** Collects the schemas that apply to mentioned names without naming them. @returns true if there were new ones */
  #collectMembers(): boolean {
    const found = [...this.#schemas].flatMap(([at, schemas]) =>
      [...schemas].flatMap((schema) =>
        [...this.namesAt(at)].flatMap((name) =>
          unnamedSchemas(schema, name).map((each) => [within(at, name), each] as const),
        ),
      ),
    );
    const added = found.filter(([at, each]) => this.#schemas.get(at)?.has(each) !== true);
    for (const [at, each] of added) this.#collect(each, at, new Set());
    return added.length > 0;
  }

  /** @returns undefined for a location that no schema mentions */
  domainAt(at: string): Domain | undefined {
    return this.#domains.get(at);
  }

  namesAt(at: string): Iterable<string> {
    return this.#names.get(at) ?? [];
  }

  /** Collects what the values at each location are compared with. */
  #collect(schema: Schema, at: string, around: ReadonlySet<Schema>): void {
    if (around.has(schema) || isTooDeep(at)) throw new Undecided();
    expectModelled(schema);
    const domain = this.#domains.get(at) ?? new Domain(at !== '');
    this.#domains.set(at, domain);
    domain.add(schema);
    this.#schemas.set(at, (this.#schemas.get(at) ?? new Set()).add(schema));
    const inside = new Set(around).add(schema);
    for (const each of schema.inPlace) this.#collect(each, at, inside);
    for (const [name, each] of schema.map('properties')) {
      this.#collect(each, within(at, name), new Set());
    }
    for (const name of namesIn(schema)) this.#domainOf(at, name);
    const { enum: listed, const: constant } = schema.keywords;
    for (const each of [...(Array.isArray(listed) ? listed : []), constant]) {
      if (isObject(each)) this.#collectObject(each, at);
    }
  }

  #collectObject(object: Node, at: string): void {
    if (isTooDeep(at)) throw new Undecided();
    for (const [name, value] of Object.entries(object)) {
      this.#domainOf(at, name).addConstant(value);
      if (isObject(value)) this.#collectObject(value, within(at, name));
    }
  }

  #domainOf(at: string, name: string): Domain {
    const names = this.#names.get(at) ?? new Set();
    this.#names.set(at, names.add(name));
    const location = within(at, name);
    const domain = this.#domains.get(location) ?? new Domain(true);
    this.#domains.set(location, domain);
    return domain;
  }
}

/** @returns the schemas for a property of this name that do not name it */
function unnamedSchemas(schema: Schema, name: string): Schema[] {
  const rest = schema.child('unevaluatedProperties');
  return [
    ...memberParts(schema).flatMap((each) => (each.appliesTo(name) ? [each.schema] : [])),
    ...(rest === undefined || isTrivial(rest) ? [] : [rest]),
  ];
}

function isTooDeep(at: string): boolean {
  return at.split('/').length > MAX_DEPTH;
}

/** @returns the names of properties that a schema mentions */
function namesIn(schema: Schema): string[] {
  return [
    ...schema.map('properties').keys(),
    ...requiredIn(schema),
    ...dependentIn(schema).flatMap(([name, others]) => [name, ...others]),
    ...schema.map('dependentSchemas').keys(),
    ...namesListed(schema),
  ];
}
