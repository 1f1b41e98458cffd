// The objects of OpenAPI 3.0, 3.1 and 3.2: their fields, the kind of each value, and the required ones.
// The keywords of schemas are those of vocabulary.ts.
import {
  COUNTS,
  KEYWORDS,
  LIST_KEYWORDS,
  MAP_KEYWORDS,
  METHODS,
  NUMERIC_BOUNDS,
  SCHEMA_KEYWORDS,
} from './vocabulary.ts';

/**
 * Values without objects of the table:
 *
 * - `name`: a string that is not empty; `scheme`: the name of a scheme of HTTP; `uri`: a URI reference; `schemaName`: the name or URI of a schema
 * - `exclusive`: a number, or a flag of OpenAPI 3.0; `count`: a number of 0 or more; `type`: of JSON Schema
 * - `strings`: a list of strings; `namesByName`, `dependencies`: the keywords of that kind
 * - `data`: a value in which `$ref` is no reference
 */
export type Scalar =
  | (
      | 'string'
      | 'name'
      | 'scheme'
      | 'uri'
      | 'schemaName'
      | 'boolean'
      | 'number'
      | 'count'
      | 'exclusive'
    )
  | ('array' | 'strings' | 'namesByName' | 'dependencies' | 'type' | 'data');

interface ObjectKind {
  readonly is: 'object';
  /** A name of the table. */
  readonly of: string;
  /** True for a schema that may be `true` or `false`; for one that may be a list of schemas. */
  readonly orBoolean?: boolean;
  readonly orList?: boolean;
}

/** An object with names that the contract chooses. */
interface MapKind {
  readonly is: 'map';
  readonly of: FieldKind;
  /** Others are no entries; `x-` names are extensions. */
  readonly names?: RegExp;
}

export type FieldKind =
  | { readonly is: Scalar }
  /** Of an open one, other strings are unknown values. */
  | { readonly is: 'oneOf'; readonly values: readonly string[]; readonly isOpen?: boolean }
  | { readonly is: 'list'; readonly of: FieldKind }
  | ObjectKind
  | MapKind;

export interface ObjectType {
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldKind>;
  /** The kind of the values of all other fields; undefined for an object with fixed fields. */
  readonly others: FieldKind | undefined;
  readonly required: readonly string[];
  /** At least one of these fields is required. */
  readonly requiredOneOf: readonly string[];
  /** Fields whose invalid value is an error of the operation: the engine reads them. */
  readonly needed: ReadonlySet<string>;
  /** Fields that no request depends on. */
  readonly documentation: ReadonlySet<string>;
  /** Fields that exclude each other. */
  readonly exclusive: readonly (readonly [field: string, other: string])[];
  /** The fields that a value of the field `type` requires; the other ones have no effect. */
  readonly variants: Variants | undefined;
  /** True for an object that only readers of the contract need. */
  readonly isDocumentation: boolean;
  /** Its property of `components`; undefined for an object without one. */
  readonly group: string | undefined;
}

type Variants = Readonly<Record<string, readonly string[]>>;
type Fields = Readonly<Record<string, Scalar | FieldKind>>;

interface Written {
  readonly fields?: Fields;
  readonly only30?: Fields;
  readonly since31?: Fields;
  readonly since32?: Fields;
  readonly others?: FieldKind;
  readonly required?: readonly string[];
  /** Required in minor versions before the number. */
  readonly requiredBefore?: Readonly<Record<string, number>>;
  readonly requiredOneOf?: readonly string[];
  readonly needed?: readonly string[];
  readonly documentation?: readonly string[];
  readonly exclusive?: readonly (readonly [field: string, other: string])[];
  readonly variants?: Variants;
  readonly isDocumentation?: boolean;
  readonly group?: string;
}

const object = (of: string): ObjectKind => ({ is: 'object', of });
const list = (of: string): FieldKind => ({ is: 'list', of: object(of) });
const map = (of: string): MapKind => ({ is: 'map', of: object(of) });
const oneOf = (...values: string[]): FieldKind => ({ is: 'oneOf', values });

const STYLE = oneOf(
  ...['form', 'simple', 'label', 'matrix', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
);
const VALUE = { example: 'data', examples: map('Example') } as const;
const SERIALIZED = { style: STYLE, explode: 'boolean', allowReserved: 'boolean' } as const;
const DESCRIBED: Fields = {
  ...{ description: 'string', required: 'boolean', deprecated: 'boolean' },
  ...{ allowEmptyValue: 'boolean', ...SERIALIZED, ...VALUE },
  ...{ schema: object('Schema'), content: map('MediaType') },
};
const EXAMPLES = ['examples', 'example'] as const;
const LOCATIONS = ['query', 'header', 'cookie', 'path'];

/** Those of OpenAPI 3.0; the engine enforces all of them in each version. */
const KEYWORDS_30 = [
  ...['multipleOf', 'maximum', 'minimum', 'maxLength', 'minLength', 'pattern', 'maxItems'],
  ...['minItems', 'uniqueItems', 'maxProperties', 'minProperties', 'required', 'enum', 'type'],
  ...['exclusiveMaximum', 'exclusiveMinimum', 'allOf', 'oneOf', 'anyOf', 'not', 'items'],
  ...['properties', 'additionalProperties'],
];
const EXCLUSIVE = ['exclusiveMinimum', 'exclusiveMaximum'];
const SCHEMA: FieldKind = { is: 'object', of: 'Schema', orBoolean: true };
const every = (names: readonly string[], kind: Scalar | FieldKind): Fields =>
  Object.fromEntries(names.map((name) => [name, kind]));

/** Their schemas may be `true` or `false`, also in OpenAPI 3.0, which has none of them. */
const KEYWORD_KINDS: Fields = {
  ...every(SCHEMA_KEYWORDS, SCHEMA),
  ...every(LIST_KEYWORDS, { is: 'list', of: SCHEMA }),
  ...every(MAP_KEYWORDS, { is: 'map', of: SCHEMA }),
  ...every(NUMERIC_BOUNDS, 'number'),
  ...every(EXCLUSIVE, 'exclusive'),
  ...every(COUNTS, 'count'),
  ...{ multipleOf: 'number', pattern: 'string', uniqueItems: 'boolean', required: 'strings' },
  ...{ dependentRequired: 'namesByName', type: 'type', enum: 'array', const: 'data' },
  ...{ $recursiveRef: 'uri', $recursiveAnchor: 'boolean', nullable: 'boolean' },
};
/** Schemas that are objects. */
const KINDS_30: Fields = {
  ...{ not: object('Schema'), items: { is: 'object', of: 'Schema', orList: true } },
  ...{ allOf: list('Schema'), anyOf: list('Schema'), oneOf: list('Schema') },
  properties: map('Schema'),
};

/** Keywords that the engine enforces in each version, by the kind of their value. */
export const ENFORCED: ReadonlyMap<string, FieldKind> = compiled(KEYWORD_KINDS);

const OBJECTS: Readonly<Record<string, Written>> = {
  Root: {
    fields: {
      openapi: 'data',
      ...{ info: object('Info'), servers: list('Server'), security: list('SecurityRequirement') },
      ...{ tags: list('Tag'), externalDocs: object('ExternalDocs') },
      paths: { is: 'map', of: object('PathItem'), names: /^\// },
      components: object('Components'),
    },
    since31: { webhooks: map('PathItem'), jsonSchemaDialect: 'uri' },
    since32: { $self: 'uri' },
    documentation: ['webhooks', 'info', 'tags', 'externalDocs'],
    required: ['info'],
    requiredBefore: { paths: 1 },
    requiredOneOf: ['paths', 'components', 'webhooks'],
    needed: ['paths', 'openapi'],
  },
  Info: {
    fields: {
      ...{ title: 'string', description: 'string', termsOfService: 'uri', version: 'string' },
      ...{ contact: object('Contact'), license: object('License') },
    },
    since31: { summary: 'string' },
    required: ['title', 'version'],
    isDocumentation: true,
  },
  Contact: { fields: { name: 'string', url: 'uri', email: 'string' }, isDocumentation: true },
  License: {
    fields: { name: 'string', url: 'uri' },
    since31: { identifier: 'string' },
    required: ['name'],
    exclusive: [['identifier', 'url']],
    isDocumentation: true,
  },
  Tag: {
    fields: { name: 'string', description: 'string', externalDocs: object('ExternalDocs') },
    since32: { summary: 'string', parent: 'string', kind: 'string' },
    required: ['name'],
    isDocumentation: true,
  },
  ExternalDocs: {
    fields: { description: 'string', url: 'uri' },
    required: ['url'],
    isDocumentation: true,
  },
  Server: {
    fields: { url: 'string', description: 'string', variables: map('ServerVariable') },
    since32: { name: 'string' },
    required: ['url'],
  },
  ServerVariable: {
    fields: { enum: 'strings', default: 'string', description: 'string' },
    required: ['default'],
    needed: ['enum'],
  },
  SecurityRequirement: { others: { is: 'strings' } },
  PathItem: {
    fields: {
      ...{ $ref: 'uri', summary: 'string', description: 'string', servers: list('Server') },
      parameters: list('Parameter'),
      ...every(
        METHODS.filter((method) => method !== 'query'),
        object('Operation'),
      ),
    },
    since32: { query: object('Operation'), additionalOperations: map('Operation') },
  },
  Operation: {
    fields: {
      ...{
        tags: 'strings',
        summary: 'string',
        description: 'string',
        externalDocs: object('ExternalDocs'),
      },
      ...{ operationId: 'string', parameters: list('Parameter'), deprecated: 'boolean' },
      requestBody: object('RequestBody'),
      responses: { is: 'map', of: object('Response'), names: /^(?:default|[0-9][0-9Xx]{2})$/ },
      ...{ callbacks: map('Callback'), security: list('SecurityRequirement') },
      servers: list('Server'),
    },
    requiredBefore: { responses: 1 },
    needed: ['responses'],
    documentation: ['callbacks', 'externalDocs'],
  },
  Callback: { others: object('PathItem'), isDocumentation: true, group: 'callbacks' },
  Parameter: {
    fields: { name: 'name', in: oneOf(...LOCATIONS), ...DESCRIBED },
    since32: { in: oneOf(...LOCATIONS, 'querystring'), style: 'string' },
    required: ['name', 'in'],
    requiredOneOf: ['schema', 'content'],
    needed: ['name', 'in', 'schema'],
    documentation: ['examples'],
    exclusive: [EXAMPLES, ['schema', 'content']],
    group: 'parameters',
  },
  Header: {
    fields: DESCRIBED,
    requiredOneOf: ['schema', 'content'],
    documentation: ['examples'],
    exclusive: [EXAMPLES, ['schema', 'content']],
    group: 'headers',
  },
  RequestBody: {
    fields: { description: 'string', required: 'boolean', content: map('MediaType') },
    group: 'requestBodies',
  },
  Response: {
    fields: {
      ...{ description: 'string', headers: map('Header'), content: map('MediaType') },
      links: map('Link'),
    },
    since32: { summary: 'string' },
    requiredBefore: { description: 2 },
    documentation: ['links'],
    group: 'responses',
  },
  MediaType: {
    fields: { schema: object('Schema'), ...VALUE, encoding: map('Encoding') },
    since32: {
      ...{ itemSchema: object('Schema'), prefixEncoding: list('Encoding') },
      itemEncoding: object('Encoding'),
    },
    documentation: ['examples'],
    exclusive: [EXAMPLES, ['encoding', 'prefixEncoding'], ['encoding', 'itemEncoding']],
  },
  Encoding: {
    fields: { contentType: 'string', headers: map('Header'), ...SERIALIZED },
    since32: {
      ...{ encoding: map('Encoding'), prefixEncoding: list('Encoding') },
      itemEncoding: object('Encoding'),
    },
    exclusive: [
      ['encoding', 'prefixEncoding'],
      ['encoding', 'itemEncoding'],
    ],
  },
  Example: {
    fields: { summary: 'string', description: 'string', value: 'data', externalValue: 'uri' },
    since32: { dataValue: 'data', serializedValue: 'string' },
    exclusive: [
      ...['externalValue', 'dataValue', 'serializedValue'].map(
        (other) => ['value', other] as const,
      ),
      ['serializedValue', 'externalValue'],
    ],
    isDocumentation: true,
    group: 'examples',
  },
  Link: {
    fields: {
      ...{ operationRef: 'uri', operationId: 'string', description: 'string' },
      ...{ parameters: 'data', requestBody: 'data', server: object('Server') },
    },
    exclusive: [['operationRef', 'operationId']],
    isDocumentation: true,
    group: 'links',
  },
  Components: {
    fields: {
      ...{ schemas: map('Schema'), responses: map('Response'), parameters: map('Parameter') },
      ...{ examples: map('Example'), requestBodies: map('RequestBody'), headers: map('Header') },
      ...{ securitySchemes: map('SecurityScheme'), links: map('Link') },
      callbacks: map('Callback'),
    },
    since31: { pathItems: map('PathItem') },
    since32: { mediaTypes: map('MediaType') },
  },
  SecurityScheme: {
    fields: {
      type: { is: 'oneOf', values: ['apiKey', 'http', 'oauth2', 'openIdConnect'], isOpen: true },
      ...{ description: 'string', name: 'name', in: oneOf('query', 'header', 'cookie') },
      scheme: 'scheme',
      ...{ bearerFormat: 'string', flows: object('OAuthFlows'), openIdConnectUrl: 'uri' },
    },
    since31: {
      type: {
        ...{ is: 'oneOf', values: ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'] },
        isOpen: true,
      },
    },
    since32: { deprecated: 'boolean', oauth2MetadataUrl: 'uri' },
    required: ['type'],
    needed: ['type', 'name', 'in', 'scheme'],
    variants: {
      ...{ apiKey: ['name', 'in'], http: ['scheme'], oauth2: ['flows'] },
      openIdConnect: ['openIdConnectUrl'],
    },
    group: 'securitySchemes',
  },
  OAuthFlows: {
    fields: {
      ...{ implicit: object('ImplicitFlow'), password: object('TokenFlow') },
      ...{ clientCredentials: object('TokenFlow'), authorizationCode: object('CodeFlow') },
    },
    since32: { deviceAuthorization: object('DeviceFlow') },
    isDocumentation: true,
  },
  ImplicitFlow: flow('authorizationUrl'),
  TokenFlow: flow('tokenUrl'),
  CodeFlow: flow('authorizationUrl', 'tokenUrl'),
  DeviceFlow: flow('deviceAuthorizationUrl', 'tokenUrl'),
  Schema: {
    fields: {
      ...Object.fromEntries(KEYWORDS_30.map((name) => [name, KEYWORD_KINDS[name]!])),
      ...{ title: 'string', description: 'string', format: 'string', default: 'data' },
      ...{ readOnly: 'boolean', writeOnly: 'boolean', deprecated: 'boolean', example: 'data' },
      ...{ discriminator: object('Discriminator'), xml: object('Xml') },
      externalDocs: object('ExternalDocs'),
    },
    only30: { ...KINDS_30, nullable: 'boolean' },
    since31: {
      ...Object.fromEntries(KEYWORDS.map((name) => [name, KEYWORD_KINDS[name]!])),
      ...{ $id: 'uri', $anchor: 'string', $schema: 'uri', $comment: 'string', id: 'string' },
      ...{ $dynamicAnchor: 'string', $dynamicRef: 'uri', $vocabulary: 'data' },
      ...{ $defs: { is: 'map', of: SCHEMA }, definitions: { is: 'map', of: SCHEMA } },
      ...{ contentEncoding: 'string', contentMediaType: 'string', contentSchema: SCHEMA },
      ...{ dependencies: 'dependencies', examples: 'data', summary: 'string' },
    },
    needed: [
      ...KEYWORDS.filter((name) => !['required', 'uniqueItems'].includes(name)),
      ...['format', 'dependencies'],
    ],
    documentation: ['externalDocs'],
    group: 'schemas',
  },
  Discriminator: {
    fields: { propertyName: 'string', mapping: { is: 'map', of: { is: 'schemaName' } } },
    since32: { defaultMapping: 'schemaName' },
    required: ['propertyName'],
  },
  Xml: {
    fields: {
      name: 'string',
      namespace: 'uri',
      prefix: 'string',
      attribute: 'boolean',
      wrapped: 'boolean',
    },
    since32: { nodeType: oneOf('element', 'attribute', 'text', 'cdata', 'none') },
    exclusive: [
      ['nodeType', 'attribute'],
      ['nodeType', 'wrapped'],
    ],
  },
};

/** @param urls the required ones @returns an OAuth Flow Object */
function flow(...urls: string[]): Written {
  const scopes: FieldKind = { is: 'map', of: { is: 'data' } };
  return {
    fields: { ...every(urls, 'uri'), refreshUrl: 'uri', scopes },
    required: [...urls, 'scopes'],
    isDocumentation: true,
  };
}

/**
 * @param minor of the version: 0 for OpenAPI 3.0
 * @returns the object of a name
 */
export function objectType(name: string, minor: number): ObjectType {
  const types = COMPILED[minor]!;
  const known = types.get(name);
  if (known !== undefined) return known;
  const written = OBJECTS[name]!;
  const { fields, only30, since31, since32, requiredBefore = {}, required = [] } = written;
  const type: ObjectType = {
    ...{ name, others: written.others, variants: written.variants, group: written.group },
    fields: compiled({
      ...fields,
      ...(minor === 0 ? only30 : since31),
      ...(minor >= 2 && since32),
    }),
    required: [
      ...required,
      ...Object.keys(requiredBefore).filter((field) => minor < requiredBefore[field]!),
    ],
    requiredOneOf: written.requiredOneOf ?? [],
    needed: new Set(written.needed),
    documentation: new Set(written.documentation),
    exclusive: written.exclusive ?? [],
    isDocumentation: written.isDocumentation ?? false,
  };
  types.set(name, type);
  return type;
}

/** By minor version. */
const COMPILED = [0, 1, 2].map(() => new Map<string, ObjectType>());

function compiled(fields: Fields): ReadonlyMap<string, FieldKind> {
  const entries = Object.entries(fields);
  return new Map(
    entries.map(([name, kind]) => [name, typeof kind === 'string' ? { is: kind } : kind]),
  );
}
