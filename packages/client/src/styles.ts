// Serializes parameters by `style`, `explode` and `allowReserved` (RFC 6570).

export interface Style {
  readonly style?: string;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
}

type Where = 'path' | 'query' | 'header' | 'cookie' | 'querystring';

/** A parameter of an operation. */
export interface ParameterSpec extends Style {
  readonly in: Where;
  readonly name: string;
  /** True for a required parameter whose schema allows null, which no style can represent. */
  readonly required?: boolean;
  /** Serializes a parameter with `content`. */
  readonly write?: (value: unknown) => string;
}

type Encode = (value: unknown, isKey?: true) => string;

/** Reserved characters (RFC 3986, section 2.2) that delimit nothing in a location. */
const PASSED: Readonly<Record<string, RegExp>> = {
  path: /%(?:3A|40|24)/g,
  query: /%(?:3A|2F|3F|40|24|3B)/g,
  cookie: /%(?:3A|2F|3F|40|24)/g,
};
/** Changes the other cookies, or arrives as other characters: only visible ASCII and inner spaces are exact. */
export const NO_COOKIE = /[^ -:<-~]|^ | $/;
const DELIMITERS: Readonly<Record<string, string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
};

/** @returns one string; for query and cookie `name=value` pairs; none for null (RFC 6570, section 2.3) */
export function parameterTexts(parameter: ParameterSpec, given: unknown): string[] {
  const { in: where, name, write } = parameter;
  const value = plainValue(given);
  if (write === undefined) return styledTexts(parameter, value);
  const text = write(value);
  if (where === 'querystring') return [text];
  const encoded = where === 'header' ? text : encodeURIComponent(text);
  return [isPairedIn(where) ? `${name}=${encoded}` : encoded];
}

function isPairedIn(where: Where): boolean {
  return where === 'query' || where === 'cookie';
}

function styledTexts(parameter: ParameterSpec, value: unknown): string[] {
  const { in: where, name, allowReserved } = parameter;
  const { style = where === 'path' || where === 'header' ? 'simple' : 'form' } = parameter;
  const { explode = style === 'form' || style === 'cookie' } = parameter;
  const isPaired = isPairedIn(where);
  const isList = Array.isArray(value);
  const isSplit = typeof value === 'object' && (where === 'header' || !explode);
  const encode = encoding(where, style, allowReserved === true, isSplit);
  const shown = where === 'header' || style === 'cookie' ? name : encodedName(name);
  if (value === null) return [];
  if (typeof value !== 'object') {
    const text = withPrefix(style, shown, encode(value));
    return [isPaired ? `${shown}=${text}` : text];
  }
  if (style === 'deepObject') return deepPairs(shown, value, encode);
  const entries = writtenEntries(value).map(([key, value]) => [encode(key, true), value] as const);
  if (isPaired && explode) {
    return entries.flatMap(([key, value]) =>
      (isList || !Array.isArray(value) ? [value] : value).map(
        (one) => `${isList ? shown : key}=${encode(one)}`,
      ),
    );
  }
  const delimited = (text: string) => (style === 'label' ? text.replaceAll('.', '%2E') : text);
  const pairs = entries.map(([key, value]) => [delimited(key), delimited(encode(value))] as const);
  const flat = isList ? pairs.map(([, value]) => value) : pairs.flat();
  if (isPaired) return [`${shown}=${flat.join(DELIMITERS[style] ?? ',')}`];
  if (style === 'matrix' && explode) {
    return [pairs.map(([key, value]) => withPrefix(style, isList ? shown : key, value)).join('')];
  }
  const parts = explode && !isList ? pairs.map((pair) => pair.join('=')) : flat;
  return [withPrefix(style, shown, parts.join(style === 'label' && explode ? '.' : ','))];
}

function withPrefix(style: string, name: string, text: string): string {
  if (style === 'label') return `.${text}`;
  if (style !== 'matrix') return text;
  // RFC 6570, section 3.2.7.
  return text === '' ? `;${name}` : `;${name}=${text}`;
}

function encodedName(name: string): string {
  return encodeURIComponent(name).replaceAll('%24', '$');
}

/**
 * Values of headers and of `style: cookie` are not escaped (OpenAPI 3.2.0, section 4.12.3).
 *
 * @param isSplit true for values that commas delimit @returns a function that throws for a delimiter
 */
function encoding(where: Where, style: string, allowReserved: boolean, isSplit: boolean): Encode {
  const isPlain = where === 'header' || style === 'cookie';
  const delimiter = isPlain && isSplit ? ',' : (DELIMITERS[style] ?? '\0');
  const passed = allowReserved && !isPlain && PASSED[where];
  return (value, isKey) => {
    if (Array.isArray(value)) throw new TypeError('expected no array in an array');
    if (value === null || value === undefined) {
      throw new TypeError('expected an item other than null');
    }
    const text = String(value);
    const encoded = isPlain ? text : encodeURIComponent(text);
    const isCut =
      style === 'cookie'
        ? NO_COOKIE.test(text) || (isKey && text.includes('='))
        : isPlain && text !== text.trim();
    if (isCut || encoded.includes(delimiter)) {
      throw new TypeError(`expected no delimiter of ${style} in ${text}`);
    }
    return passed ? encoded.replace(passed, decodeURIComponent) : encoded;
  };
}

/** Nested objects and arrays, which OpenAPI leaves undefined, as in qs and PHP. */
function deepPairs(name: string, value: object, encode: Encode): string[] {
  return writtenEntries(value).flatMap(([key, value]) => {
    const inner = `${name}%5B${encode(key)}%5D`;
    const isNested = typeof value === 'object' && value !== null;
    return isNested ? deepPairs(inner, value, encode) : [`${inner}=${encode(value)}`];
  });
}

/**
 * Replaces dates, URLs and other objects by the text that they have in JSON.
 *
 * @throws {TypeError} for an object without a text or properties
 */
export function plainValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plainValue);
  const { toJSON } = value as { toJSON?: unknown };
  const text: unknown = typeof toJSON === 'function' ? toJSON.call(value) : value;
  const type = Object.prototype.toString.call(text);
  if (text !== value && text !== null) return plainValue(text);
  if (type === '[object Object]') {
    return Object.fromEntries(
      definedEntries(value).map(([name, value]) => [name, plainValue(value)]),
    );
  }
  throw new TypeError(`expected a value, got ${String(value)}`);
}

/** @returns the items of an array, or the properties of an object that are not null (RFC 6570, section 2.3) */
export function writtenEntries(value: object): [name: string, value: unknown][] {
  const isWritten = ([, each]: readonly [string, unknown]) => each !== null || Array.isArray(value);
  return definedEntries(value).filter(isWritten);
}

/** @returns the properties of an object, or the items of an array, that are not undefined */
export function definedEntries(value: object): [name: string, value: unknown][] {
  return Object.entries(value).filter(([, each]) => each !== undefined);
}
