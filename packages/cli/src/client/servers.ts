// The servers and security schemes of a contract, for a generated client.

import { type Definition, isObject, type Node, type Operation } from '@stubwright/contract';

/** The options of a client, which no security scheme can be named after. */
const OPTIONS = [
  ...['baseUrl', 'variables', 'fetch', 'middleware', 'redirect', 'validate', 'timeoutMs'],
  ...['retry', 'headers'],
];

/** A server, with the defaults of its variables. */
export interface ClientServer {
  readonly url: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** A security scheme of a client. */
export interface ClientScheme {
  /** The option with its credentials. */
  readonly option: string;
  /** The expression of the scheme. */
  readonly spec: object;
  readonly isBasic: boolean;
  readonly description: string;
}

/** @returns the first server of an operation with its own; without operation, of the document */
export function serverSpec(
  { document }: Definition,
  operation?: Operation,
): ClientServer | undefined {
  const item: Node | undefined = operation && document.paths?.[operation.path];
  const own =
    operation === undefined ? document.servers : (operation.location.node.servers ?? item?.servers);
  const [server] = Array.isArray(own) ? own : [];
  if (!isObject(server) || typeof server.url !== 'string') return undefined;
  const variables = Object.entries<Node>(server.variables ?? {}).map(
    ([name, each]) => [name, String(each.default)] as const,
  );
  return {
    url: server.url,
    ...(variables.length > 0 && { variables: Object.fromEntries(variables) }),
  };
}

/** @returns the schemes by name, without those that no request carries */
export function clientSchemes({ securitySchemes }: Definition): ReadonlyMap<string, ClientScheme> {
  const schemes = [...securitySchemes].flatMap(([name, { node }]) => {
    const spec = schemeSpec(node);
    if (spec === undefined) return [];
    const option = OPTIONS.includes(name) ? `${name}Credential` : name;
    const isBasic = node.type === 'http' && /^basic$/i.test(node.scheme);
    const description = String(node.description ?? describe(node)).trim();
    return [[name, { option, spec, isBasic, description }] as const];
  });
  return new Map(schemes);
}

function schemeSpec({ type, scheme, in: where, name }: Node): object | undefined {
  if (type === 'apiKey') return { in: where, name };
  if (type === 'http') {
    const written = String(scheme);
    return { authorization: written[0]!.toUpperCase() + written.slice(1) };
  }
  return type === 'oauth2' || type === 'openIdConnect' ? { authorization: 'Bearer' } : undefined;
}

function describe({ type, scheme, in: where, name }: Node): string {
  if (type === 'apiKey') return `The API key in the ${where} ${name}.`;
  return type === 'http' ? `HTTP ${scheme} authentication.` : 'An access token.';
}
