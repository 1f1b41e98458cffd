// A contract in memory: the parsed document, its places by JSON pointer, and its operations.
// Knows how OpenAPI 3.0 and 3.1 are laid out; knows nothing of requests.
import { readFile } from 'node:fs/promises';
import { parse as parseYaml } from 'yaml';
import { Identifiers } from './identifiers.ts';
import { parseJsonText } from './json.ts';

/** A JSON object of the document; what it must hold was checked when the contract was loaded. */
// biome-ignore lint/suspicious/noExplicitAny: the document's shape is data, not a type
export type Node = Record<string, any>;

/** A place in the document: its JSON pointer (RFC 6901) and what stands there. */
export interface Place {
  readonly pointer: string;
  readonly node: Node;
}

/** One operation: a method on a path, with what applies to it from its path and the document. */
export interface Operation {
  readonly operationId: string;
  /** Lower case, as the document writes it. */
  readonly method: string;
  /** The path template, as the document writes it: `/plants/{id}`. */
  readonly path: string;
  readonly place: Place;
  /** The operation's parameters, then those of its path that it does not override. */
  readonly parameters: readonly Place[];
  readonly requestBody: Place | undefined;
  /** By status code, range (`4XX`) or `default`. */
  readonly responses: ReadonlyMap<string, Place>;
  /** The operation's security requirements, else the document's (any one suffices). */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** The paths of its servers, else its path's, else the document's; `''` stands for none. */
  readonly basePaths: readonly string[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** What is wrong with a contract: one line for each fault, ready to print. */
export class ContractFaults extends Error {
  override readonly name = 'ContractFaults';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

export class Definition {
  readonly document: Node;
  readonly operations: readonly Operation[];
  readonly #identifiers: Identifiers;

  constructor(document: Node) {
    this.document = document;
    this.#identifiers = new Identifiers(document);
    this.operations = Object.keys(document.paths ?? {}).flatMap((path) => this.#operationsOf(path));
  }

  /** OpenAPI 3.0 has a schema dialect of its own; 3.1 uses JSON Schema 2020-12. */
  get isVersion30(): boolean {
    return String(this.document.openapi).startsWith('3.0');
  }

  get securitySchemes(): ReadonlyMap<string, Place> {
    return this.#children(this.at('/components/securitySchemes'));
  }

  /** @returns the place at a JSON pointer, as it stands there; undefined where nothing does. */
  at(pointer: string): Place | undefined {
    let place: Place = { pointer: '', node: this.document };
    for (const token of pointer.split('/').slice(1)) {
      const name = unescapeToken(token);
      const node = (name in Object(place.node) ? place : this.follow(place)).node?.[name];
      if (node === undefined) return undefined;
      place = { pointer: `${place.pointer}/${token}`, node };
    }
    return place;
  }

  /** @returns what stands under `name` in a place, `$ref` followed. */
  child(place: Place, name: string | number): Place | undefined {
    const node = place.node[name];
    if (node === undefined) return undefined;
    return this.follow({ pointer: `${place.pointer}/${escapeToken(String(name))}`, node });
  }

  /** @returns what stands under `name` in a place, as it stands there. */
  step({ pointer, node }: Place, name: string): Place {
    return { pointer: `${pointer}/${escapeToken(name)}`, node: node[name] };
  }

  /**
   * @param ref the value of a `$ref` or `$dynamicRef` in the schema at `pointer`
   * @returns the pointer of the schema that it leads to
   */
  schemaPointer(ref: string, pointer: string): string {
    const target =
      ref.startsWith('#/') && !this.#identifiers.hasIds
        ? decodeURIComponent(ref.slice(1))
        : this.#identifiers.resolve(ref, pointer);
    if (target === undefined || this.at(target) === undefined) {
      throw new ContractFaults([`${pointer}  $ref leads nowhere: ${ref}`]);
    }
    return target;
  }

  /** @returns the dynamic anchors of a schema and of its `$defs`: name -> pointer */
  dynamicAnchorsIn(place: Place): [string, string][] {
    if (typeof place.node !== 'object') return [];
    const inDefs = Object.keys(place.node.$defs ?? {}).map((name) =>
      this.step(this.step(place, '$defs'), name),
    );
    return [place, ...inDefs].flatMap(({ node, pointer }) =>
      typeof node?.$dynamicAnchor === 'string' ? [[node.$dynamicAnchor, pointer]] : [],
    );
  }

  /** @returns the schema that a schema's `$ref` or `$dynamicRef` leads to, if it has one. */
  schemaTarget({ pointer, node }: Place): Place | undefined {
    const ref: unknown = node?.$ref ?? node?.$dynamicRef;
    return typeof ref === 'string' ? this.at(this.schemaPointer(ref, pointer)) : undefined;
  }

  /** @returns the schema at the end of the chain of `$ref`s that starts at `place`. */
  followSchema(place: Place): Place {
    const target = this.schemaTarget(place);
    return target === undefined ? place : this.followSchema(target);
  }

  /** @returns where the `$ref` of a place leads, to the end of the chain; else the place itself. */
  follow(place: Place): Place {
    const ref: unknown = place.node?.$ref;
    if (typeof ref !== 'string') return place;
    const target = this.at(decodeURIComponent(ref.slice(1)));
    if (target === undefined) {
      throw new ContractFaults([`${place.pointer}  $ref leads nowhere: ${ref}`]);
    }
    return this.follow(target);
  }

  #children(place: Place | undefined): Map<string, Place> {
    const children = new Map<string, Place>();
    for (const name of Object.keys(place?.node ?? {})) {
      if (!name.startsWith('x-')) children.set(name, this.child(place!, name)!);
    }
    return children;
  }

  #operationsOf(path: string): Operation[] {
    const item = this.follow(this.at(`/paths/${escapeToken(path)}`)!);
    return METHODS.filter((method) => item.node[method] !== undefined).map((method) => {
      const place = this.child(item, method)!;
      return {
        operationId: place.node.operationId ?? derivedOperationId(method, path),
        method,
        path,
        place,
        parameters: this.#parametersOf(place, item),
        requestBody: this.child(place, 'requestBody'),
        responses: this.#children(this.child(place, 'responses')),
        security: place.node.security ?? this.document.security ?? [],
        basePaths: basePathsOf(place.node.servers ?? item.node.servers ?? this.document.servers),
      };
    });
  }

  #parametersOf(operation: Place, item: Place): Place[] {
    const own = this.#list(this.child(operation, 'parameters'));
    const isOverridden = ({ node }: Place) =>
      own.some((each) => each.node.name === node.name && each.node.in === node.in);
    return [...own, ...this.#list(this.child(item, 'parameters')).filter((p) => !isOverridden(p))];
  }

  #list(place: Place | undefined): Place[] {
    return (place?.node as Node[] | undefined)?.map((_, at) => this.child(place!, at)!) ?? [];
  }
}

/**
 * Reads a contract (OpenAPI 3.0 or 3.1, YAML or JSON).
 *
 * @throws {ContractFaults} when the file cannot be read or is not an OpenAPI document
 */
export async function loadDefinition(path: string): Promise<Definition> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ContractFaults([`${path}  cannot be read (${error.code})  expected a contract`]);
  });
  const document = path.endsWith('.json') ? parseJsonText(text) : parseExactYaml(text);
  if (!/^3\.[01]\.\d/.test(String((document as Node)?.openapi))) {
    throw new ContractFaults([`${path}  is no OpenAPI document  expected openapi: 3.0.x or 3.1.x`]);
  }
  return new Definition(document as Node);
}

export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function derivedOperationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return method + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

function basePathsOf(servers: readonly Node[] = []): readonly string[] {
  const paths = servers.map(basePathOf);
  return paths.length === 0 ? [''] : [...new Set(paths)];
}

/** Without host, without a trailing slash, and with the defaults of the server's variables. */
function basePathOf({ url, variables }: Node): string {
  const plain = String(url).replace(/\{([^}]*)\}/g, (_, name) => variables?.[name]?.default ?? '');
  const path = plain.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '').replace(/[?#].*$/, '');
  return path.replace(/\/+$/, '').replace(/^(?=[^/])/, '/');
}

function parseExactYaml(text: string): unknown {
  return parseYaml(text, exactInteger, { intAsBigInt: true });
}

function exactInteger(_key: unknown, value: unknown): unknown {
  return typeof value === 'bigint' && BigInt(Number(value)) === value ? Number(value) : value;
}
