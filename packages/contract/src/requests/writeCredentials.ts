// Writes the credentials of a request, by type of security scheme.

import { withName } from '../media/styles/writeParameter.ts';
import type { Contract } from '../operations/contract.ts';
import type { Operation } from '../operations/operation.ts';

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
  definition: Contract,
  token: string,
): WrittenCredential[] {
  const schemes = definition.securitySchemes;
  const isKnown = (requirement: object) =>
    Object.keys(requirement).every((name) => schemes.has(name));
  const isSupported = (requirement: object) =>
    isKnown(requirement) && fitsOneHeader(requirement, definition);
  const requirement = security.find(isSupported) ?? security.find(isKnown) ?? {};
  return Object.keys(requirement).map((name) => {
    const { type, scheme, in: where = 'header', name: key } = schemes.get(name)!;
    if (type === 'apiKey') {
      const text = where === 'query' ? encodeURIComponent(token) : token;
      return { in: where, name: key, texts: withName(where, key, text) };
    }
    const text = scheme === 'basic' ? `Basic ${btoa(`user:${token}`)}` : `Bearer ${token}`;
    return { in: 'header', name: 'Authorization', texts: [text] };
  });
}

/** True if one Authorization header satisfies all schemes of a requirement. */
function fitsOneHeader(requirement: object, { securitySchemes }: Contract): boolean {
  const schemes = Object.keys(requirement).map((name) => {
    const { type, scheme } = securitySchemes.get(name)!;
    return type === 'http' ? scheme : SCHEMES[type];
  });
  const inHeader = new Set(schemes.filter((scheme) => scheme !== ''));
  return inHeader.size <= 1 && [...inHeader].every((each) => each === 'basic' || each === 'bearer');
}
