// Finds the secrets of requests and responses: credentials, and values that the contract marks.
import { type Definition, isObject, type LocatedNode } from '../document/definition.ts';
import { escapeToken } from '../document/pointer.ts';
import { type Schema, SchemaModel } from '../schema/model.ts';

/** Replaces a secret value. */
export const REDACTED = '[redacted]';

/** Names of parameters that hold credentials, by location. */
export interface CredentialNames {
  /** In lower case. */
  readonly header: ReadonlySet<string>;
  readonly query: ReadonlySet<string>;
  readonly cookie: ReadonlySet<string>;
}

/** Headers with credentials (RFC 9110, section 11), and those of sessions (RFC 6265). */
const CREDENTIAL_HEADERS = [
  'authorization',
  'proxy-authorization',
  'authentication-info',
  'proxy-authentication-info',
  'cookie',
  'set-cookie',
];

/** @returns the names of all security schemes, also of those that no operation requires */
export function credentialNames(definition: Definition): CredentialNames {
  const header = new Set(CREDENTIAL_HEADERS);
  // RFC 6750, section 2.3.
  const query = new Set(['access_token']);
  const cookie = new Set<string>();
  for (const { node } of definition.securitySchemes.values()) {
    if (!isObject(node) || node['type'] !== 'apiKey') continue;
    const key = String(node['name']);
    if (node['in'] === 'header') header.add(key.toLowerCase());
    else if (node['in'] === 'query') query.add(key);
    else cookie.add(key);
  }
  return { header, query, cookie };
}

export class Secrets {
  readonly #model: SchemaModel;
  readonly #mayHave = new Map<Schema, boolean>();

  constructor(definition: Definition) {
    this.#model = SchemaModel.of(definition);
  }

  /** @param location of a parameter, header or media type object */
  isMarked(location: LocatedNode): boolean {
    return location.node['x-sensitive'] === true || this.mayHave(this.schemasOf(location));
  }

  /** @returns the schema of a parameter, header or media type object, and those of its `content` */
  schemasOf({ node, pointer }: LocatedNode): Schema[] {
    const types = isObject(node['content']) ? Object.keys(node['content']) : [];
    const contents = types.map((type) => `${pointer}/content/${escapeToken(type)}`);
    return [pointer, ...contents].flatMap((at) =>
      ['schema', 'itemSchema'].flatMap((key) => this.#model.at(`${at}/${key}`) ?? []),
    );
  }

  /** @returns false if no value of the schemas has a secret */
  mayHave(schemas: readonly Schema[]): boolean {
    return schemas.some((schema) => {
      const known = this.#mayHave.get(schema);
      if (known !== undefined) return known;
      const found = this.#reachable(schema).some(isSecret);
      this.#mayHave.set(schema, found);
      return found;
    });
  }

  /** @returns a copy of a value without its secrets */
  redacted(value: unknown, schemas: readonly Schema[]): unknown {
    if (!this.mayHave(schemas)) return value;
    const all = inPlace(schemas);
    if (all.some((each) => isSecret(each) || this.#hasSecretContent(each))) return REDACTED;
    if (Array.isArray(value)) {
      const items = all.flatMap((each) => [
        ...each.list('prefixItems'),
        ...children(each, ['items', 'contains', 'unevaluatedItems']),
      ]);
      return value.map((item) => this.redacted(item, items));
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        this.redacted(
          each,
          all.flatMap((schema) => propertySchemas(schema, name)),
        ),
      ]),
    );
  }

  /** @returns true for a property that may have a secret, and for one that the schemas do not declare */
  hidesProperty(name: string, schemas: readonly Schema[]): boolean {
    const own = inPlace(schemas).flatMap((each) => propertySchemas(each, name));
    return own.length === 0 || this.mayHave(own);
  }

  /** A string that holds a value with a secret. */
  #hasSecretContent(schema: Schema): boolean {
    const content = this.#contentOf(schema);
    return content !== undefined && this.mayHave([content]);
  }

  #contentOf({ pointer, keywords, isSynthetic }: Schema): Schema | undefined {
    if (isSynthetic || keywords['contentSchema'] === undefined) return undefined;
    return this.#model.at(`${pointer}/contentSchema`);
  }

  #reachable(schema: Schema): Schema[] {
    const seen = new Set([schema]);
    for (const each of seen) {
      for (const inner of each.inner) seen.add(inner);
      const content = this.#contentOf(each);
      if (content !== undefined) seen.add(content);
    }
    return [...seen];
  }
}

function isSecret({ keywords }: Schema): boolean {
  const { format, writeOnly } = keywords;
  return format === 'password' || writeOnly === true || keywords['x-sensitive'] === true;
}

/** The schemas and all that apply to the same value. */
function inPlace(schemas: readonly Schema[]): Schema[] {
  const seen = new Set(schemas);
  for (const each of seen) for (const inner of each.inPlace) seen.add(inner);
  return [...seen];
}

/** Of properties by pattern all, since a value that is redacted once too often harms nobody. */
function propertySchemas(schema: Schema, name: string): Schema[] {
  const own = schema.map('properties').get(name);
  const others =
    own === undefined ? children(schema, ['additionalProperties', 'unevaluatedProperties']) : [own];
  return [...others, ...schema.map('patternProperties').values()];
}

function children(schema: Schema, keywords: readonly Parameters<Schema['child']>[0][]): Schema[] {
  return keywords.flatMap((keyword) => schema.child(keyword) ?? []);
}
