// The values of requests that may be shown: no secrets, and none that the contract does not declare.
import {
  type Contract,
  type DescribedValue,
  declaredProperty,
  isObject,
  itemSchemas,
  type Operation,
  possibleSchemas,
  propertySchemas,
  Reaching,
  type Schema,
  SchemaModel,
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

export class Secrets {
  readonly #model: SchemaModel;
  readonly #reaching: Reaching;

  constructor(definition: Contract) {
    this.#model = SchemaModel.of(definition);
    this.#reaching = new Reaching((schema) => this.#isSecret(schema));
  }

  mayHave(schemas: readonly Schema[]): boolean {
    return schemas.some((schema) => this.#reaching.from(schema));
  }

  /** True for a value without secrets, all of which is where the schemas declare it. */
  isShown(value: unknown, schemas: readonly Schema[]): boolean {
    if (schemas.length === 0) return true;
    const all = possibleSchemas(schemas);
    const isHidden = [...all].some((schema) => this.#isSecret(schema));
    if (isHidden || !this.#allows(schemas, kindOf(value))) return false;
    if (Array.isArray(value)) {
      const contained = [...all].flatMap((schema) => schema.child('contains') ?? []);
      return value.every((item, at) =>
        this.isShown(item, [...itemSchemas(all, at, false), ...contained]),
      );
    }
    if (!isObject(value)) return true;
    return Object.entries(value).every(([name, each]) => {
      const own = this.#propertySchemas(name, all);
      return own !== undefined && this.isShown(each, own);
    });
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
    const names = schemas.flatMap((schema) => schema.child('propertyNames') ?? []);
    if (this.mayHave(names)) return undefined;
    const found = propertySchemas(all, name, false);
    if (schemas.some((schema) => declaredProperty(schema, name).length > 0)) return found;
    const isFree = schemas.every(
      (schema) => !schema.has('properties') && !schema.has('patternProperties'),
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
    return schemas.length === 0 || schemas.some((schema) => this.#allowsKind(schema, kind, outer));
  }

  #allowsKind(schema: Schema, kind: Kind, outer: ReadonlySet<Schema>): boolean {
    if (outer.has(schema)) return true;
    const within = new Set([...outer, schema]);
    return schema.conjuncts.every((conjunct) => {
      if (conjunct.types !== undefined)
        return [...conjunct.types].some((type) => isOfKind(type, kind));
      // Objects with secrets have them in another kind of value too.
      const isNamed = kind === 'object' || !conjunct.has('properties') || !this.mayHave([conjunct]);
      const lists = [conjunct.list('oneOf'), conjunct.list('anyOf')];
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

/** Locations whose values are not of a caller, or are the names in the log. */
const NAMES = ['path', 'method', 'status'];

export class ShownValues {
  readonly #secrets: Secrets;

  constructor(definition: Contract) {
    this.#secrets = new Secrets(definition);
  }

  /** @returns the violation, without its value if that is secret or not declared at its location */
  shown(violation: Violation, operation: Operation | undefined, isResponse = false): Violation {
    const { where, pointer, value } = violation;
    if (value === undefined || NAMES.includes(where)) return violation;
    const locations = operation ? describedBy(violation, operation, isResponse) : [];
    const path = tokensOf(pointer);
    const isShown = locations.some((described) => {
      if (described.isSensitive) return false;
      const schemas = this.#secrets.declaredAt(path, described.schemas);
      return schemas !== undefined && this.#secrets.isShown(value, schemas);
    });
    return isShown ? violation : { ...violation, value: undefined };
  }
}

/** @returns the parameter, or the headers or contents that may have declared the value */
function describedBy(
  { where, parameter }: Violation,
  { parameters, request, responses }: Operation,
  isResponse: boolean,
): DescribedValue[] {
  if (parameter !== undefined && !isResponse) {
    return parameters.filter((each) => each.name === parameter.name && each.in === parameter.in);
  }
  const header = (parameter?.name ?? /^header (.+)$/.exec(where)?.[1])?.toLowerCase();
  if (!isResponse) return header === undefined ? request.values() : [];
  const declared = [...responses.values()];
  if (header === undefined) return declared.flatMap(({ contents }) => contents.values());
  const headers = declared.flatMap((response) => [...response.headers]);
  return headers.filter(([name]) => name.toLowerCase() === header).map(([, each]) => each);
}
