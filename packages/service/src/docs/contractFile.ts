// Serializes the published contract as JSON and YAML.
import {
  Contract,
  exactIntegers,
  isObject,
  type Node,
  type PublishedYaml,
  stringifyJson,
  valueAt,
  withServers,
  withValueAt,
} from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { deprecationOf } from 'stubwright/internals';

/** @returns the contract as JSON with exact integers, with `serverUrl` as its only server */
export function jsonText(document: Node, serverUrl: string | undefined): string {
  const published = withDeprecationHeaders(document);
  const whole = serverUrl === undefined ? published : withServers(published, serversOf(serverUrl));
  return stringifyJson(exactIntegers(whole), 2);
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

const HEADERS: Readonly<Record<string, Node>> = {
  Deprecation: {
    description: 'When the operation, or a part that the request uses, was deprecated (RFC 9745).',
    schema: { type: 'string' },
  },
  Sunset: {
    description: 'When it will be removed (RFC 8594).',
    schema: { type: 'string' },
  },
  Link: {
    description: 'How to do without it: rel="deprecation" (RFC 9745).',
    schema: { type: 'string' },
  },
};

/** @returns a copy in which operations with deprecated parts declare the headers; else the document */
export function withDeprecationHeaders(document: Node): Node {
  if (!hasDeprecated(document)) return document;
  const definition = new Contract(document);
  const validators = new Validators(definition, 'request');
  let published = document;
  for (const operation of definition.operations) {
    const parts = deprecationOf(operation, validators)?.announcedHeaders ?? [];
    if (parts.length === 0) continue;
    const added = Object.fromEntries(parts.map((name) => [name, HEADERS[name]]));
    const responses = Object.entries<Node>(Object(operation.field('responses'))).map(
      ([status, response]) => {
        const ref: unknown = response.$ref;
        const declared = typeof ref === 'string' ? valueAt(document, ref.slice(1)) : response;
        if (!isObject(declared) || status.startsWith('x-')) return [status, response];
        return [status, { ...declared, headers: { ...added, ...declared.headers } }];
      },
    );
    const at = `${operation.pointer}/responses`;
    published = withValueAt(published, at, Object.fromEntries(responses)) as Node;
  }
  return published;
}

function hasDeprecated(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasDeprecated);
  if (!isObject(node)) return false;
  return node.deprecated === true || Object.values(node).some(hasDeprecated);
}
