// The values of requests that may be shown: no secrets, and none that the contract does not declare.
import {
  type Contract,
  type DescribedValue,
  declaredProperty,
  isPrimitive,
  itemSchemas,
  type Operation,
  possibleSchemas,
  Reaching,
  type Schema,
  tokensOf,
} from '@stubwright/contract';
import type { Violation } from '@stubwright/contract/values';

/** Headers with credentials (RFC 9110, section 11), and those of sessions (RFC 6265). */
const CREDENTIAL_HEADERS = [
  'authorization',
  'proxy-authorization',
  'authentication-info',
  'proxy-authentication-info',
  'cookie',
  'set-cookie',
];

/** @returns the names of headers with credentials, in lower case, also of schemes that no operation requires */
export function credentialHeaders(definition: Contract): ReadonlySet<string> {
  const schemes = [...definition.securitySchemes.values()];
  const keys = schemes.filter(({ type, in: where }) => type === 'apiKey' && where === 'header');
  return new Set([...CREDENTIAL_HEADERS, ...keys.map(({ name }) => name.toLowerCase())]);
}

/** Locations whose values are not of a caller, or are the names in the log. */
const NAMES = ['path', 'method', 'status'];

export class ShownValues {
  readonly #secrets = new Reaching(isSecret);

  /** @returns the violation; its value only if it is a scalar that is declared at its location, and no secret */
  shown(violation: Violation, operation: Operation | undefined, isResponse = false): Violation {
    const { where, pointer, value } = violation;
    if (value === undefined || NAMES.includes(where)) return violation;
    const locations = operation ? describedBy(violation, operation, isResponse) : [];
    const isShown =
      (isPrimitive(value) || value === null) &&
      locations.some(
        ({ isSensitive, schemas }) => !isSensitive && this.#isShownAt(tokensOf(pointer), schemas),
      );
    return isShown ? violation : { ...violation, value: undefined };
  }

  #isShownAt([name, ...rest]: readonly string[], schemas: readonly Schema[]): boolean {
    if (name === undefined) return !schemas.some((schema) => this.#secrets.from(schema));
    const all = possibleSchemas(schemas);
    if ([...all].some(isSecret)) return false;
    const inner = [...all].flatMap((schema) => [
      ...declaredProperty(schema, name),
      ...[schema.child('contains') ?? []].flat(),
    ]);
    const items = /^\d+$/.test(name) ? itemSchemas(all, Number(name), false) : [];
    return inner.length + items.length > 0 && this.#isShownAt(rest, [...inner, ...items]);
  }
}

/** Also of strings that hold a value, which may have secrets. */
function isSecret({ keywords }: Schema): boolean {
  const { format, writeOnly, contentSchema } = keywords;
  return (
    format === 'password' ||
    writeOnly === true ||
    keywords['x-sensitive'] === true ||
    contentSchema !== undefined
  );
}

/** @returns the parameter, or the headers or contents that may have declared the value */
function describedBy(
  { where, parameter }: Violation,
  { parameters, request, responses }: Operation,
  isResponse: boolean,
): DescribedValue[] {
  if (parameter !== undefined && !isResponse) {
    return parameters.filter(
      (candidate) => candidate.name === parameter.name && candidate.in === parameter.in,
    );
  }
  const header = (parameter?.name ?? /^header (.+)$/.exec(where)?.[1])?.toLowerCase();
  if (!isResponse) return header === undefined ? request.values() : [];
  const declared = [...responses.values()];
  if (header === undefined) return declared.flatMap(({ contents }) => contents.values());
  const headers = declared.flatMap((response) => [...response.headers]);
  return headers.filter(([name]) => name.toLowerCase() === header).map(([, header]) => header);
}
