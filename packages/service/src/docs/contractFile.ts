// Serializes the published contract as JSON and YAML.
import {
  exactIntegers,
  type Node,
  type PublishedYaml,
  stringifyJson,
  withServers,
} from '@stubwright/contract';
import { withBodyExamples } from './bodyExamples.ts';
import { withDeprecationHeaders } from './deprecationHeaders.ts';
import { withExactExamples } from './exactExamples.ts';
import { serverNames, withShownParts, withUnservedMarked } from './swaggerUi.ts';

export interface PublishedContract {
  readonly document: Node;
  /** The only server; undefined for those of the contract. */
  readonly serverUrl: string | undefined;
  /** The base path of all routes; `''` for none. */
  readonly prefix: string;
}

/** `json` for clients, `page` for the documentation page. */
export type JsonFile = keyof typeof WRITERS;

const WRITERS = {
  /** With exact integers. */
  json: ({ document, serverUrl }: PublishedContract) => {
    const whole = serverUrl === undefined ? document : withServers(document, serversOf(serverUrl));
    return stringifyJson(exactIntegers(whole), 2);
  },
  /** The documentation page sends requests to its own origin. */
  page: ({ document, serverUrl, prefix }: PublishedContract) => {
    const description = serverUrl === undefined ? serverNames(document) : undefined;
    const server = { url: prefix || '/', ...(description !== undefined && { description }) };
    const whole = withServers(withBodyExamples(withUnservedMarked(document)), [server]);
    return stringifyJson(withShownParts(withExactExamples(exactIntegers(whole))));
  },
};

export function jsonText(file: JsonFile, options: PublishedContract): string {
  return WRITERS[file]({ ...options, document: withDeprecationHeaders(options.document) });
}

/** @returns the contract as YAML (RFC 9512), with `serverUrl` as its only server */
export function yamlText(yaml: PublishedYaml, serverUrl: string | undefined): string {
  if (serverUrl === undefined) return yaml.text;
  const {
    text,
    servers: [start, end],
  } = yaml.rebased ?? yaml;
  const [{ url }] = serversOf(serverUrl);
  // A URL without spaces is a plain scalar (YAML 1.2, section 7.3.3).
  return `${text.slice(0, start)}servers:\n  - url: ${url}\n${text.slice(end)}`;
}

function serversOf(serverUrl: string): [{ url: string }] {
  return [{ url: serverUrl.replace(/\/+$/, '') || '/' }];
}
