// Finds the secrets of requests and responses: credentials, and values that the contract marks.

import {
  type Contract,
  type DescribedValue,
  declaredProperty,
  isObject,
  itemSchemas,
  possibleSchemas,
  propertySchemas,
  Reaching,
  type Schema,
  SchemaModel,
} from '@stubwright/contract';

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
export function credentialNames(definition: Contract): CredentialNames {
  const header = new Set(CREDENTIAL_HEADERS);
  // RFC 6750, section 2.3.
  const query = new Set(['access_token']);
  const cookie = new Set<string>();
  for (const { type, in: where, name } of definition.securitySchemes.values()) {
    if (type !== 'apiKey') continue;
    if (where === 'header') header.add(name.toLowerCase());
    else if (where === 'query') query.add(name);
    else cookie.add(name);
  }
  return { header, query, cookie };
}

/** A value of a recording. */
export interface Kept {
  readonly value: unknown;
  /** False if parts are replaced or left out. */
  readonly isWhole: boolean;
}

export class Secrets {
  readonly #model: SchemaModel;
  readonly #reaching: Reaching;

  constructor(definition: Contract) {
    this.#model = SchemaModel.of(definition);
    this.#reaching = new Reaching((each) => this.#isSecret(each));
  }

  /** True for a parameter, a header or a body that may be or have a secret. */
  isMarked({ isSensitive, schemas }: DescribedValue): boolean {
    return isSensitive || this.mayHave(schemas);
  }

  mayHave(schemas: readonly Schema[]): boolean {
    return schemas.some((each) => this.#reaching.from(each));
  }

  /** @returns a value without secrets, and without what is not where the schemas declare it */
  kept(value: unknown, schemas: readonly Schema[]): Kept {
    if (schemas.length === 0) return { value, isWhole: true };
    const all = possibleSchemas(schemas);
    const isHidden = [...all].some((each) => this.#isSecret(each));
    if (isHidden || !this.#allows(schemas, kindOf(value)))
      return { value: REDACTED, isWhole: false };
    if (Array.isArray(value)) return this.#keptItems(value, all);
    return isObject(value) ? this.#keptProperties(value, all) : { value, isWhole: true };
  }

  #keptItems(items: readonly unknown[], all: ReadonlySet<Schema>): Kept {
    const contained = [...all].flatMap((each) => each.child('contains') ?? []);
    const kept = items.map((item, at) =>
      this.kept(item, [...itemSchemas(all, at, false), ...contained]),
    );
    return { value: kept.map(({ value }) => value), isWhole: kept.every((each) => each.isWhole) };
  }

  #keptProperties(value: Readonly<Record<string, unknown>>, all: ReadonlySet<Schema>): Kept {
    let isWhole = true;
    const entries = Object.entries(value).map(([name, each]) => {
      const schemas = this.#propertySchemas(name, all);
      if (schemas === undefined) {
        isWhole = false;
        return [REDACTED, REDACTED];
      }
      const kept = this.kept(each, schemas);
      isWhole &&= kept.isWhole;
      return [name, kept.value];
    });
    return { value: Object.fromEntries(entries), isWhole };
  }

  /** @returns the schemas at a path of properties; undefined for one that is not declared, or has a secret */
  declaredAt(path: readonly string[], schemas: readonly Schema[]): readonly Schema[] | undefined {
    const [name, ...rest] = path;
    if (name === undefined) return this.mayHave(schemas) ? undefined : schemas;
    const all = possibleSchemas(schemas);
    // `a[]` and `a[0]` are items.
    const isItem = this.#allows(schemas, 'array') && /^\d*$/.test(name);
    const items = isItem ? itemSchemas(all, Number(name), false) : [];
    const own = this.#allows(schemas, 'object') ? this.#propertySchemas(name, all) : undefined;
    const found = isItem ? [...items, ...(own ?? [])] : own;
    return found && this.declaredAt(rest, found);
  }

  /** @returns undefined for a property that the schemas do not declare; none if it may have any value */
  #propertySchemas(name: string, all: ReadonlySet<Schema>): readonly Schema[] | undefined {
    const schemas = [...all];
    const names = schemas.flatMap((each) => each.child('propertyNames') ?? []);
    if (this.mayHave(names)) return undefined;
    const found = propertySchemas(all, name, false);
    if (schemas.some((each) => declaredProperty(each, name).length > 0)) return found;
    const isFree = schemas.every(
      (each) => !each.has('properties') && !each.has('patternProperties'),
    );
    const hasSecrets = this.mayHave(schemas);
    if (hasSecrets && (found.every(isAny) || this.#isLikeSecret(name, schemas))) {
      return undefined;
    }
    return found.length > 0 || isFree ? found : undefined;
  }

  /** True for the name of a secret in another case. */
  #isLikeSecret(name: string, schemas: readonly Schema[]): boolean {
    return schemas.some((schema) =>
      [...schema.map('properties')].some(
        ([own, each]) => own.toLowerCase() === name.toLowerCase() && this.mayHave([each]),
      ),
    );
  }

  /** False for an object, an array or a scalar where no schema declares one. */
  #allows(schemas: readonly Schema[], kind: Kind, outer: ReadonlySet<Schema> = new Set()): boolean {
    return schemas.length === 0 || schemas.some((each) => this.#allowsKind(each, kind, outer));
  }

  #allowsKind(schema: Schema, kind: Kind, outer: ReadonlySet<Schema>): boolean {
    if (outer.has(schema)) return true;
    const within = new Set([...outer, schema]);
    return schema.conjuncts.every((each) => {
      if (each.types !== undefined) return [...each.types].some((type) => isOfKind(type, kind));
      // Objects with secrets have them in another kind of value too.
      const isNamed = kind === 'object' || !each.has('properties') || !this.mayHave([each]);
      const lists = [each.list('oneOf'), each.list('anyOf')];
      return isNamed && lists.every((list) => this.#allows(list, kind, within));
    });
  }

  /** True for a marked schema, and for one of strings that hold a value with a secret. */
  #isSecret({ pointer, keywords, isSynthetic }: Schema): boolean {
    const { format, writeOnly, contentSchema } = keywords;
    if (format === 'password' || writeOnly === true || keywords['x-sensitive'] === true)
      return true;
    if (isSynthetic || contentSchema === undefined) return false;
    const content = this.#model.at(`${pointer}/contentSchema`);
    return content !== undefined && this.mayHave([content]);
  }
}

/** True for a schema without a type, a property or a subschema. */
function isAny({ types, inner }: Schema): boolean {
  return types === undefined && inner.length === 0;
}

type Kind = 'array' | 'object' | 'scalar';

function kindOf(value: unknown): Kind {
  if (Array.isArray(value)) return 'array';
  return isObject(value) ? 'object' : 'scalar';
}

function isOfKind(type: string, kind: Kind): boolean {
  return type === 'array' || type === 'object' ? type === kind : kind === 'scalar';
}
