// Replaces each `$dynamicRef` by the `$ref` that it stands for, so that a schema has one meaning wherever it is used.
import {
  Contract,
  type DocumentPart,
  escapeToken,
  fragmentOf,
  isObject,
  type Node,
  partsIn,
  type Schema,
  SchemaModel,
  schemaLocations,
  withValueAt,
} from '@stubwright/contract';

/** A contract without `$dynamicRef`. */
export interface StaticContract {
  readonly contract: Contract;
  /** @returns the JSON pointer in the original document */
  readonly originalOf: (pointer: string) => string;
}

/** The dynamic scope (JSON Schema 2020-12, section 8.2.3.2): anchor -> pointer of the outermost schema. */
type Scope = ReadonlyMap<string, string>;

/** A schema of the document that is in no other one; it receives the copies of schemas that it refers to. */
interface Holder {
  readonly pointer: string;
  /** The names of the copies by target and scope. */
  readonly names: Map<string, string>;
  readonly pending: { readonly name: string; readonly target: Schema; readonly scope: Scope }[];
}

const IDENTIFIERS = new Set(['$id', '$anchor', '$dynamicAnchor', '$dynamicRef']);

/** @returns the contract itself if no schema has `$dynamicRef` */
export function withStaticReferences(contract: Contract): StaticContract {
  const located = contract.isVersion30 ? [] : [...schemaLocations(contract.document)];
  if (!located.some(({ node }) => node['$dynamicRef'] !== undefined)) {
    return { contract, originalOf: (pointer) => pointer };
  }
  return new StaticReferences(contract).replaced();
}

class StaticReferences {
  readonly #contract: Contract;
  readonly #model: SchemaModel;
  readonly #schemas: readonly Schema[];
  /** The scope of each schema where it is written. */
  readonly #scopes = new Map<string, Scope>();
  /** The anchors of the dynamic references that a schema reaches; a static one has the name ''. */
  readonly #reached: ReadonlyMap<Schema, ReadonlySet<string>>;
  /** The pointer of a copy, and of its target. */
  readonly #copies: [copy: string, target: string][] = [];

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#model = SchemaModel.of(contract);
    this.#schemas = [...schemaLocations(contract.document)].map(({ pointer, node }) =>
      this.#model.schema(pointer, node),
    );
    this.#reached = anchorsReached(this.#schemas);
  }

  replaced(): StaticContract {
    const holders = new Map<string, Schema>();
    const affected = new Set<string>();
    let holder = this.#schemas[0]!;
    for (const schema of this.#schemas) {
      if (!schema.pointer.startsWith(`${holder.pointer}/`)) holder = schema;
      holders.set(holder.pointer, holder);
      this.#scopes.set(schema.pointer, this.#scopeIn(schema, holder));
      if (this.#reached.get(schema)!.size > 0) affected.add(holder.pointer);
    }
    let { document } = this.#contract;
    for (const pointer of affected) {
      document = withValueAt(document, pointer, this.#static(holders.get(pointer)!)) as Node;
    }
    return {
      contract: new Contract(document, this.#contract.errors),
      originalOf: (pointer) => this.#originalOf(pointer),
    };
  }

  /** A subschema with `$id` is another schema resource: it adds its anchors to the scope. */
  #scopeIn(schema: Schema, holder: Schema): Scope {
    if (schema === holder) return schema.dynamicAnchors;
    let outer = schema.pointer;
    do outer = outer.slice(0, outer.lastIndexOf('/'));
    while (!this.#scopes.has(outer));
    return extended(this.#scopes.get(outer)!, schema);
  }

  #static({ pointer, written }: Schema): Node {
    const holder: Holder = { pointer, names: new Map(), pending: [] };
    const copy = (part: unknown, at: string, scope: Scope) =>
      this.#copy({ node: part as object, kind: 'schema' }, at, scope, holder);
    const root = copy(written, pointer, this.#scopes.get(pointer)!) as Node;
    const added: Node = {};
    for (const { name, target, scope } of holder.pending) {
      added[name] = copy(target.written, target.pointer, scope);
    }
    return holder.names.size === 0 ? root : { ...root, $defs: { ...root['$defs'], ...added } };
  }

  #copy({ node, kind }: DocumentPart, pointer: string, scope: Scope, holder: Holder): unknown {
    if (kind === 'data' || kind === 'other' || !isContainer(node)) return node;
    const isSchema = kind === 'schema' && !Array.isArray(node);
    const schema = isSchema ? this.#model.schema(pointer, node) : undefined;
    const isHolder = this.#scopes.get(pointer) === scope;
    const inner = schema === undefined || isHolder ? scope : extended(scope, schema);
    const parts = new Map(
      Array.from(partsIn({ node, kind }), ({ name, ...part }) => [
        name,
        this.#copy(part, `${pointer}/${escapeToken(name)}`, inner, holder),
      ]),
    );
    const entries = Object.entries(node).map(([name, value]) => [name, parts.get(name) ?? value]);
    if (Array.isArray(node)) return entries.map(([, value]) => value);
    const copied: Node = Object.fromEntries(entries);
    return schema === undefined ? copied : this.#withReferences(copied, schema, inner, holder);
  }

  #withReferences(copied: Node, schema: Schema, scope: Scope, holder: Holder): Node {
    const { ref, dynamicAnchor, dynamicRefs } = schema;
    const entries = Object.entries(copied).filter(([keyword]) => !IDENTIFIERS.has(keyword));
    const result: Node = Object.fromEntries(entries);
    if (ref !== undefined && typeof result['$ref'] === 'string') {
      result['$ref'] = this.#refTo(ref, scope, holder);
    }
    const outermost = dynamicAnchor === undefined ? undefined : scope.get(dynamicAnchor);
    const target = outermost === undefined ? dynamicRefs[0] : this.#model.at(outermost);
    if (target === undefined) return result;
    const $ref = this.#refTo(target, scope, holder);
    if (result['$ref'] === undefined) return { ...result, $ref };
    return { ...result, allOf: [...(result['allOf'] ?? []), { $ref }] };
  }

  /** @returns a reference to the target where it is written, or to a copy if the scope changes its meaning */
  #refTo(target: Schema, outer: Scope, holder: Holder): string {
    const scope: Scope = new Map([...target.dynamicAnchors, ...outer]);
    const written = this.#scopes.get(target.pointer);
    const used = [...(this.#reached.get(target) ?? [])].filter((anchor) => scope.has(anchor));
    if (written === undefined || used.every((name) => scope.get(name) === written.get(name))) {
      return fragmentOf(target.pointer);
    }
    const key = JSON.stringify([target.pointer, used.map((name) => [name, scope.get(name)])]);
    const known = holder.names.get(key);
    const name = known ?? `${target.pointer} ${holder.names.size}`;
    const pointer = `${holder.pointer}/$defs/${escapeToken(name)}`;
    if (known === undefined) {
      holder.names.set(key, name);
      holder.pending.push({ name, target, scope });
      this.#copies.push([pointer, target.pointer]);
    }
    return fragmentOf(pointer);
  }

  #originalOf(pointer: string): string {
    const found = this.#copies.find(([copy]) => pointer === copy || pointer.startsWith(`${copy}/`));
    return found === undefined ? pointer : found[1] + pointer.slice(found[0].length);
  }
}

function isContainer(node: unknown): boolean {
  return isObject(node) || Array.isArray(node);
}

function extended(scope: Scope, schema: Schema): Scope {
  if (schema.keywords['$id'] === undefined) return scope;
  return new Map([...schema.dynamicAnchors, ...scope]);
}

/** @returns for each schema the anchors of the dynamic references that it reaches */
function anchorsReached(schemas: readonly Schema[]): ReadonlyMap<Schema, ReadonlySet<string>> {
  const reached = new Map<Schema, Set<string>>();
  const reaching = new Map<Schema, Schema[]>();
  const all = new Set(schemas);
  const pending: Schema[] = [];
  for (const schema of all) {
    reached.set(schema, new Set());
    for (const inner of schema.inner) {
      all.add(inner);
      const known = reaching.get(inner);
      if (known === undefined) reaching.set(inner, [schema]);
      else known.push(schema);
    }
    if (schema.dynamicRefs.length === 0) continue;
    reached.get(schema)!.add(schema.dynamicAnchor ?? '');
    pending.push(schema);
  }
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    const names = reached.get(schema)!;
    for (const outer of reaching.get(schema) ?? []) {
      const known = reached.get(outer)!;
      const count = known.size;
      for (const name of names) known.add(name);
      if (known.size > count) pending.push(outer);
    }
  }
  return reached;
}
