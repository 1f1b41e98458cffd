// The contract in memory -> one file to send. Where its source says just that, the source is sent,
// comments and all; else it is written anew: from many files, mended, or with other servers.
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isScalar, parseDocument, stringify } from 'yaml';
import {
  type Definition,
  isObject,
  METHODS,
  type Node,
} from '../contract/definition/definition.ts';
import { stringifyJson } from '../contract/json.ts';
import { parseText } from '../contract/loading/parse.ts';
import { exactIntegers, withExactExamples } from './exactIntegers.ts';
import { type Resource, textResource } from './resource.ts';

/** A contract as it is to be published. */
export interface PublishedContract {
  readonly definition: Definition;
  /** The path of the contract's file, whose comments are worth keeping. */
  readonly contract: string;
  /** Where clients reach the service, if that is known. */
  readonly baseUrl: URL | undefined;
  /** What every path starts with; `''` for none. */
  readonly prefix: string;
}

/** Anybody's tools may read a contract: a web page of another host too. */
const OPEN = { 'Access-Control-Allow-Origin': '*' };
const YAML = { ...OPEN, 'Content-Type': 'application/yaml' };
const JSON_TYPE = { ...OPEN, 'Content-Type': 'application/json' };

/** The contract as YAML (RFC 9512), its `servers` those that clients reach. */
export async function yamlFile(options: PublishedContract): Promise<Resource> {
  const document = published(options);
  const source = await sourceText(options);
  return textResource(source ?? written(exactIntegers(document)), YAML);
}

/** The contract as JSON, every integer with all its digits. */
export function jsonFile(options: PublishedContract): Resource {
  return textResource(stringifyJson(exactIntegers(published(options)), 2), JSON_TYPE);
}

/** The contract for the page, which tries the service that it came from, whatever its other names. */
export function pageContract({ definition, prefix }: PublishedContract): Resource {
  const document = withServers(definition.document, [{ url: prefix || '/' }]);
  return textResource(stringifyJson(withExactExamples(exactIntegers(document))), JSON_TYPE);
}

function published({ definition, baseUrl }: PublishedContract): Node {
  const { document } = definition;
  return baseUrl === undefined ? document : withServers(document, serversOf(baseUrl));
}

function serversOf(baseUrl: URL): Node[] {
  return [{ url: baseUrl.href.replace(/\/+$/, '') }];
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
async function sourceText(options: PublishedContract): Promise<string | undefined> {
  const text = await readFile(options.contract, 'utf8').catch(() => '');
  if (text.trim() === '' || text.trimStart().startsWith('{')) return undefined;
  const { baseUrl } = options;
  const source = baseUrl === undefined ? text : spliced(text, serversOf(baseUrl));
  if (source === undefined) return undefined;
  const parsed = parseText(source, false);
  const isSame = parsed.faults === undefined && isDeepStrictEqual(parsed.value, published(options));
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
