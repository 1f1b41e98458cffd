// Serializes the requests of operations, for clients and examples.
import { contentMedia } from '../media/mediaKinds.ts';
import { withName, writtenParameter } from '../media/writeForm.ts';
import type { Contract } from '../operations/contract.ts';
import type { Content, Parameter } from '../operations/describedValues.ts';
import { parseMediaType, typeInRange } from '../operations/mediaType.ts';
import type { Operation } from '../operations/operation.ts';
import type { Validators } from '../schema/validator.ts';

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** The path, the query and the headers of a request. */
export class RequestHead {
  /** With names as they are added. */
  readonly headers: Record<string, string> = {};
  readonly #query: string[] = [];
  #path: string;

  constructor(pathTemplate: string) {
    this.#path = pathTemplate;
  }

  /** Path and query. */
  get target(): string {
    return this.#path + (this.#query.length > 0 ? `?${this.#query.join('&')}` : '');
  }

  /**
   * @param texts as {@link writtenParameter} returns them
   * @throws {TypeError} for a path segment `.` or `..`, which a URL parser removes
   */
  add(where: string, name: string, texts: readonly string[]): void {
    if (where === 'path') this.#fill(name, texts.join());
    else if (where.startsWith('query')) this.#query.push(...texts);
    else if (where === 'header') this.headers[name] = texts.join();
    else this.headers['Cookie'] = [this.headers['Cookie'] ?? [], ...texts].flat().join('; ');
  }

  #fill(name: string, text: string): void {
    this.#path = this.#path.replace(`{${name}}`, () => text);
    if (DOT_SEGMENT.test(this.#path)) {
      throw new TypeError(`path parameter ${name}: expected a value other than . and ..`);
    }
  }
}

interface WrittenContent {
  /** With the parameters that the body needs. */
  readonly type: string;
  readonly body: string | FormData;
}

/** Serializes the parameters and bodies of one contract. */
export class RequestWriter {
  readonly #validators: Validators;

  /** @param validators for requests */
  constructor(validators: Validators) {
    this.#validators = validators;
  }

  /** @returns the same as {@link writtenParameter} */
  parameter(parameter: Parameter, value: unknown): string[] {
    const { name, in: where } = parameter;
    return writtenParameter(parameter, { name, where }, value, this.#validators);
  }

  /**
   * @param mediaType by default JSON, else the first that the operation declares
   * @returns undefined if the operation declares no such media type
   */
  body({ request }: Operation, value: unknown, mediaType?: string): WrittenContent | undefined {
    const found = parseMediaType(mediaType) ? request.select(mediaType) : request.preferred;
    return found && this.content(found.content, concreteType(mediaType ?? found.key, value), value);
  }

  /** @param type of the body, with parameters */
  content(content: Content, type: string, value: unknown): WrittenContent {
    const { kind, media, codec } = contentMedia(content, type, this.#validators);
    if (codec === undefined || !Array.isArray(value)) {
      return { type, body: kind.encode(value, media) };
    }
    return { type, body: value.map((item) => codec.write(item, false)).join('') };
  }
}

/** @returns a media type in a range, of a sample: as {@link typeInRange}, else one that the range includes */
export function concreteType(key: string, sample: unknown): string {
  const type = typeInRange(key, sample);
  return type ?? key.replace('/*', '/octet-stream');
}

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
