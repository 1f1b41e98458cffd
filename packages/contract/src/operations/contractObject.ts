// An object of a contract with its JSON pointer.
import type { ContractDocument } from '../document/contractDocument.ts';
import { mapped, memo } from '../document/memo.ts';
import { isObject, type LocatedNode, type Node } from '../document/node.ts';
import { timeOf } from '../schema/rules/strings.ts';

type ObjectClass<Kind> = new (contract: ContractDocument, location: LocatedNode) => Kind;

/** The objects of each contract by class and pointer. */
const KNOWN = new WeakMap<ContractDocument, Map<unknown, Map<string, unknown>>>();

const NO_FIELDS: Node = Object.freeze({});

/** @returns the node of an object: for this package alone */
export let locationOf: (object: ContractObject) => LocatedNode;

/** An OpenAPI object, `$ref` followed. The same object of the contract is the same instance. */
export class ContractObject {
  /** JSON pointer (RFC 6901) of the object in the bundled contract. */
  readonly pointer: string;
  protected readonly contract: ContractDocument;
  readonly #location: LocatedNode;

  static {
    locationOf = (object) => object.#location;
  }

  constructor(contract: ContractDocument, location: LocatedNode) {
    this.contract = contract;
    this.pointer = location.pointer;
    // A contract may have errors: another value has no fields.
    this.#location = isObject(location.node) ? location : { ...location, node: NO_FIELDS };
  }

  protected get node(): Node {
    return this.#location.node;
  }

  /** @returns the value of a field as the contract has it; undefined if it is absent */
  field(name: string): unknown {
    return this.node[name];
  }

  /** The names of the fields, with extensions. */
  get fields(): readonly string[] {
    return Object.keys(this.node);
  }

  get summary(): string | undefined {
    return this.#text('summary');
  }

  /** Markdown. */
  get description(): string | undefined {
    return this.#text('description');
  }

  /** True for a part whose values are secrets: `x-sensitive`. */
  get isSensitive(): boolean {
    return this.node['x-sensitive'] === true;
  }

  /** Undefined for a part that is not deprecated. */
  get deprecation(): Deprecation | undefined {
    return isDeprecated(this.node) ? deprecationIn(this.node) : undefined;
  }

  /** @returns the objects of a map by name, such as `headers` */
  protected map<Kind>(kind: ObjectClass<Kind>, name: string): ReadonlyMap<string, Kind> {
    const children = this.contract.children(this.#location, name);
    return mapped(children, (location) => objectAt(this.contract, kind, location));
  }

  /** @returns the object of a field; undefined if it is absent */
  protected child<Kind>(kind: ObjectClass<Kind>, name: string): Kind | undefined {
    const location = this.contract.child(this.#location, name);
    return location && objectAt(this.contract, kind, location);
  }

  #text(name: string): string | undefined {
    const text: unknown = this.node[name];
    return text === undefined || text === null ? undefined : String(text);
  }
}

/** @returns the object at a location, created once */
export function objectAt<Kind>(
  contract: ContractDocument,
  kind: ObjectClass<Kind>,
  location: LocatedNode,
): Kind {
  const ofContract = memo(KNOWN, contract, () => new Map<unknown, Map<string, unknown>>());
  const known = memo(ofContract, kind, () => new Map<string, unknown>());
  return memo(known, location.pointer, () => new kind(contract, location)) as Kind;
}

/** Times in milliseconds since 1970; undefined without the extension, and for one that is not a date. */
export interface Deprecation {
  /** Of `x-deprecated-since`. */
  readonly since: number | undefined;
  /** Of `x-sunset`. */
  readonly sunset: number | undefined;
  /** Of `externalDocs`: the target of a `Link` header. */
  readonly link: string | undefined;
}

/** A header has no other characters, and `>` ends the target (RFC 8288, section 3). */
const TARGET = /^[\x21-\x3b\x3d\x3f-\x7e]+$/;

/** True for an OpenAPI object or a schema with `deprecated: true`. */
export function isDeprecated(fields: unknown): boolean {
  return isObject(fields) && fields['deprecated'] === true;
}

/** @param fields of an OpenAPI object or a schema that is deprecated */
export function deprecationIn(fields: Readonly<Node>): Deprecation {
  const url: unknown = fields['externalDocs']?.url;
  return {
    since: timeOf(fields['x-deprecated-since']),
    sunset: timeOf(fields['x-sunset']),
    link: typeof url === 'string' && TARGET.test(url) ? url : undefined,
  };
}
