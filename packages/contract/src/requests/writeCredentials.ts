// Writes the credentials of a request, by type of security scheme.

import type { Definition, Operation } from '../document/definition.ts';
import { withName } from '../media/styles/serialization.ts';

/** A part of a request that carries credentials. */
export interface WrittenCredential {
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  /** As `writeParameter` returns them. */
  readonly texts: readonly string[];
}

/** The scheme of `Authorization` by type of security scheme; `''` for another header. */
const SCHEMES: Readonly<Record<string, string>> = {
  apiKey: '',
  oauth2: 'bearer',
  openIdConnect: 'bearer',
};

/**
 * @param token the credentials for all security schemes
 * @returns the credentials for the first requirement of the operation that one request can satisfy
 */
export function credentialsFor(
  { security }: Operation,
  definition: Definition,
  token: string,
): WrittenCredential[] {
  const schemes = definition.securitySchemes;
  const isKnown = (requirement: object) =>
    Object.keys(requirement).every((name) => schemes.has(name));
  const isSupported = (requirement: object) =>
    isKnown(requirement) && fitsOneHeader(requirement, definition);
  const requirement = security.find(isSupported) ?? security.find(isKnown) ?? {};
  return Object.keys(requirement).map((name) => {
    const { type, scheme, in: where, name: key } = schemes.get(name)!.node;
    if (type === 'apiKey' && where === 'query') {
      return { in: where, name: key, texts: [`${key}=${encodeURIComponent(token)}`] };
    }
    if (type === 'apiKey') return { in: where, name: key, texts: withName(where, key, token) };
    const text = /^basic$/i.test(scheme) ? `Basic ${btoa(`user:${token}`)}` : `Bearer ${token}`;
    return { in: 'header', name: 'Authorization', texts: [text] };
  });
}

/** True if one Authorization header satisfies all schemes of a requirement. */
function fitsOneHeader(requirement: object, { securitySchemes }: Definition): boolean {
  const schemes = Object.keys(requirement).map((name) => {
    const { type, scheme } = securitySchemes.get(name)!.node;
    return type === 'http' ? String(scheme).toLowerCase() : SCHEMES[type];
  });
  const inHeader = new Set(schemes.filter((scheme) => scheme !== ''));
  return inHeader.size <= 1 && [...inHeader].every((each) => each === 'basic' || each === 'bearer');
}
