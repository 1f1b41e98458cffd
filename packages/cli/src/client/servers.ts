// The servers and security schemes of a contract, for a generated client.

import type { Contract, SecurityScheme, ServerList } from '@stubwright/contract';

/** The options of a client, which no security scheme can be named after. */
const OPTIONS = [
  ...['baseUrl', 'variables', 'fetch', 'middleware', 'redirect', 'validate', 'timeoutMs'],
  ...['retry', 'headers', 'idleTimeoutMs', 'credentials', 'cache', 'mode'],
];

export interface ClientScheme {
  readonly option: string;
  readonly spec: object;
  readonly isBasic: boolean;
  readonly description: string;
}

/** @returns the first of the servers, with the defaults of its variables; undefined if it has no URL */
export function serverSpec(list: ServerList | undefined) {
  const [server] = list?.servers ?? [];
  if (!list?.isDeclared || server?.field('url') === undefined) return undefined;
  const { url, defaults } = server;
  return { url, ...(defaults.size > 0 && { variables: Object.fromEntries(defaults) }) };
}

/** @returns the schemes by name, without those that no request carries */
export function clientSchemes({ securitySchemes }: Contract): ReadonlyMap<string, ClientScheme> {
  const schemes = [...securitySchemes].flatMap(([name, scheme]) => {
    const spec = schemeSpec(scheme);
    if (spec === undefined) return [];
    const option = OPTIONS.includes(name) ? `${name}Credential` : name;
    const isBasic = scheme.type === 'http' && scheme.scheme === 'basic';
    const description = (scheme.description ?? describe(scheme)).trim();
    return [[name, { option, spec, isBasic, description }] as const];
  });
  return new Map(schemes);
}

function schemeSpec(declared: SecurityScheme): object | undefined {
  const { type, in: where, name } = declared;
  if (type === 'apiKey') return { in: where, name };
  if (type === 'http') {
    const scheme = String(declared.field('scheme'));
    return { authorization: scheme[0]!.toUpperCase() + scheme.slice(1) };
  }
  return type === 'oauth2' || type === 'openIdConnect' ? { authorization: 'Bearer' } : undefined;
}

function describe(declared: SecurityScheme): string {
  const { type, in: where, name } = declared;
  if (type === 'apiKey') return `The API key in the ${where} ${name}.`;
  if (type === 'http') return `HTTP ${declared.field('scheme')} authentication.`;
  return 'An access token.';
}
