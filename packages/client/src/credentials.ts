// Writes the credentials of a request, and renews them after a 401.
import { NO_COOKIE } from './styles.ts';

/** A value, or a function that is called for each request, and with the value that a 401 rejected. */
export type Credential<Value = string> =
  | Value
  | ((context: { readonly rejected: Value | undefined }) => Value | Promise<Value>);

/** For `http` with `basic`. */
export interface BasicCredential {
  readonly username: string;
  readonly password: string;
}

/** A security scheme: in an `Authorization` header, or an API key. */
export type SchemeSpec =
  | { readonly authorization: string }
  | { readonly in: 'header' | 'query' | 'cookie'; readonly name: string };

export type CredentialValue = string | BasicCredential;
export type Credentials = Readonly<Record<string, Credential<CredentialValue> | undefined>>;

/** The credentials of one request, by name of the scheme. */
export type CredentialValues = ReadonlyMap<string, CredentialValue>;

/** The credentials of one client; concurrent requests share a renewal. */
export class CredentialStore {
  readonly #schemes: Readonly<Record<string, SchemeSpec>>;
  readonly #credentials: Credentials;
  readonly #renewals = new Map<string, { rejected: string; value: Promise<CredentialValue> }>();

  constructor(schemes: Readonly<Record<string, SchemeSpec>>, credentials: Credentials) {
    this.#schemes = schemes;
    this.#credentials = credentials;
  }

  /** @param security the alternatives; the first whose credentials the client has is used */
  async values(security: readonly (readonly string[])[]): Promise<CredentialValues> {
    const names = security.find((list) =>
      list.every(
        (name) => this.#schemes[name] === undefined || this.#credentials[name] !== undefined,
      ),
    );
    const values = new Map<string, CredentialValue>();
    for (const name of names ?? []) {
      const credential = this.#credentials[name];
      if (credential === undefined) continue;
      values.set(
        name,
        typeof credential === 'function' ? await credential({ rejected: undefined }) : credential,
      );
    }
    return values;
  }

  /** @returns undefined if no function returns another value */
  async renewed(rejected: CredentialValues): Promise<CredentialValues | undefined> {
    const values = new Map(rejected);
    for (const [name, value] of rejected) {
      const credential = this.#credentials[name];
      if (typeof credential === 'function') values.set(name, await this.#renew(name, value));
    }
    return keyOf([...values]) === keyOf([...rejected]) ? undefined : values;
  }

  /** One at a time: a value that another renewal has replaced meanwhile needs none. */
  #renew(name: string, rejected: CredentialValue): Promise<CredentialValue> {
    const key = keyOf(rejected);
    const before = this.#renewals.get(name);
    if (before?.rejected === key) return before.value;
    const credential = this.#credentials[name] as (context: object) => CredentialValue;
    const value = (async () => {
      await before?.value.catch(() => {});
      const current = await credential({ rejected: undefined });
      return keyOf(current) === key ? credential({ rejected }) : current;
    })();
    const renewal = { rejected: key, value };
    this.#renewals.set(name, renewal);
    const forget = () => {
      if (this.#renewals.get(name) === renewal) this.#renewals.delete(name);
    };
    value.then(forget, forget);
    return value;
  }

  /** Adds the credentials to a request. @returns the pairs of the query */
  write(values: CredentialValues, headers: Headers): string[] {
    const query: string[] = [];
    for (const [name, value] of values) {
      const scheme = this.#schemes[name];
      if (!scheme) continue;
      if ('authorization' in scheme) {
        headers.set('Authorization', authorization(scheme.authorization, value));
      } else if (scheme.in === 'query') {
        query.push(`${encodeURIComponent(scheme.name)}=${encodeURIComponent(String(value))}`);
      } else if (scheme.in === 'header') headers.set(scheme.name, String(value));
      else if (NO_COOKIE.test(String(value))) {
        throw new TypeError(`${name}: expected the value of one cookie, in ASCII`);
      } else addCookie(headers, `${scheme.name}=${value}`);
    }
    return query;
  }
}

/** Browsers ignore the header, and send the cookies that they have. */
export function addCookie(headers: Headers, pair: string): void {
  const before = headers.get('Cookie');
  headers.set('Cookie', before === null ? pair : `${before}; ${pair}`);
}

function keyOf(value: unknown): string {
  return JSON.stringify(value);
}

function authorization(scheme: string, value: CredentialValue): string {
  if (typeof value === 'string') return `${scheme} ${value}`;
  const bytes = new TextEncoder().encode(`${value.username}:${value.password}`);
  return `${scheme} ${btoa(String.fromCharCode(...bytes))}`;
}
