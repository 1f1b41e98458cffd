// Writes the contract in memory as one file. Where its source means the same, it is the source with
// its comments; else it is written anew: from many files, normalized, or with other servers.
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isScalar, parseDocument, stringify } from 'yaml';
import { isObject, METHODS, type Node } from '../document/definition.ts';
import { unescapeToken, unescapeUri } from '../document/pointer.ts';
import { stringifyJson } from '../json/json.ts';
import { parseText } from '../loading/parse.ts';
import { exactIntegers, withExactExamples } from './exactIntegers.ts';

/** A contract as it is published. */
export interface PublishedContract {
  readonly document: Node;
  /** The path of the contract's file, whose comments are worth keeping. */
  readonly contract: string;
  /** Where clients reach the service, if that is known. */
  readonly baseUrl: string | undefined;
  /** What every path starts with; `''` for none. */
  readonly prefix: string;
}

/** The text of one of the files that the contract is published as. */
export type ContractFile = keyof typeof WRITERS;

const WRITERS = {
  /** YAML (RFC 9512), its `servers` those that clients reach. */
  yaml: async (options: PublishedContract) => {
    const document = published(options);
    return (await sourceText(options, document)) ?? written(exactIntegers(document));
  },
  /** JSON, every integer with all its digits. */
  json: async (options: PublishedContract) => stringifyJson(exactIntegers(published(options)), 2),
  /** For the page, which sends its requests to the host that it came from. */
  page: async (options: PublishedContract) => {
    const document = withServers(selfContained(options.document), [{ url: options.prefix || '/' }]);
    return stringifyJson(withExactExamples(exactIntegers(document)));
  },
};

export function contractText(file: ContractFile, options: PublishedContract): Promise<string> {
  return WRITERS[file](options);
}

function published({ document, baseUrl }: PublishedContract): Node {
  const whole = selfContained(document);
  return baseUrl === undefined ? whole : withServers(whole, serversOf(baseUrl));
}

/**
 * A copy without the references in `x-` extensions that lead out of the document: nothing resolves
 * those for a client, and generators of clients refuse them.
 */
function selfContained(document: Node): Node {
  const resolves = (ref: string) =>
    ref.startsWith('#') && pointerResolves(document, unescapeUri(ref.slice(1)));
  const copy = (node: unknown, isExtension: boolean): unknown => {
    if (Array.isArray(node)) {
      return node
        .filter((each) => !isLost(each, isExtension))
        .map((each) => copy(each, isExtension));
    }
    if (!isObject(node)) return node;
    const kept = Object.entries(node).flatMap(([name, value]) => {
      const isInside = isExtension || name.startsWith('x-');
      return isLost(value, isInside) ? [] : [[name, copy(value, isInside)] as const];
    });
    return Object.fromEntries(kept);
  };
  const isLost = (node: unknown, isExtension: boolean) =>
    isExtension && isObject(node) && typeof node.$ref === 'string' && !resolves(node.$ref);
  return copy(document, false) as Node;
}

function pointerResolves(document: Node, pointer: string): boolean {
  const tokens = pointer.split('/').slice(1).map(unescapeToken);
  return tokens.reduce((node: unknown, token) => Object(node)[token], document) !== undefined;
}

function serversOf(baseUrl: string): Node[] {
  return [{ url: baseUrl.replace(/\/+$/, '') }];
}

/** A copy with these servers for every operation: the service answers at no others. */
function withServers(document: Node, servers: readonly Node[]): Node {
  const { openapi, info, servers: _, ...rest } = document;
  const paths = Object.entries<Node>(rest.paths ?? {}).map(([path, item]) => [path, bare(item)]);
  const whole = { openapi, info, servers, ...rest };
  return paths.length === 0 ? whole : { ...whole, paths: Object.fromEntries(paths) };
}

function bare(item: Node): Node {
  const { servers: _, ...rest } = item;
  for (const method of METHODS) {
    if (!isObject(rest[method])) continue;
    const { servers: __, ...operation } = rest[method];
    rest[method] = operation;
  }
  return rest;
}

/** @returns the text of the contract's file, `servers` replaced, if it means what is published */
async function sourceText(
  { contract, baseUrl }: PublishedContract,
  document: Node,
): Promise<string | undefined> {
  const text = await readFile(contract, 'utf8').catch(() => '');
  if (text.trim() === '' || text.trimStart().startsWith('{')) return undefined;
  const source = baseUrl === undefined ? text : spliced(text, serversOf(baseUrl));
  if (source === undefined) return undefined;
  const parsed = parseText(source, false);
  const isSame = parsed.errors === undefined && isDeepStrictEqual(parsed.value, document);
  return isSame ? source : undefined;
}

/** Puts `servers` in place of those of a block of YAML, else after `info`. */
function spliced(text: string, servers: readonly Node[]): string | undefined {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) return undefined;
  const pairs = contents.items.map(({ key, value }) => ({
    name: isScalar(key) ? key.value : undefined,
    start: rangeOf(key)?.[0],
    end: rangeOf(value)?.[2],
  }));
  const old = pairs.find(({ name }) => name === 'servers');
  const at = old ?? pairs.find(({ name }) => name === 'info');
  const from = old === undefined ? at?.end : old.start;
  if (from === undefined || at?.end === undefined) return undefined;
  return text.slice(0, from) + stringify({ servers }) + text.slice(at.end);
}

function rangeOf(node: unknown): readonly [number, number, number] | undefined {
  return isNode(node) ? (node.range ?? undefined) : undefined;
}

/** Readers of YAML 1.1 are about: what they would take for a date or a boolean is quoted. */
function written(document: Node): string {
  return stringify(document, { compat: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 100 });
}
