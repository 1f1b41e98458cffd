// The Redocly plugin `stubwright`: lint rules, and the preset `stubwright/strict`.
import type { Location, Oas3Rule, Plugin, UserContext } from '@redocly/openapi-core';
import { COMPOSITIONS } from '@stubwright/contract';

/** An unvalidated node of a contract. */
type RawNode = Readonly<Record<string, unknown>>;

interface ResolvedNode {
  readonly node: RawNode;
  readonly location: Location;
}

/** Every error response uses the same schema; the option `schema` is its name in components. */
const errorBody: Oas3Rule = ({ schema: name = 'Error' }: { schema?: string }) => ({
  Responses(responses: RawNode, context: UserContext) {
    for (const [status, response] of Object.entries(responses)) {
      if (!/^(?:[45]|default$)/.test(status)) continue;
      const resolved = resolveRef(response, context.location.child(status), context);
      const contents = resolved && contentsOf(resolved, context);
      if (contents?.length === 0) {
        const message = `${status} has no body, expected the schema ${name}`;
        context.report({ message, location: resolved!.location.key() });
      }
      for (const { node, location } of contents ?? []) {
        const { schema } = node;
        if (isNode(schema) && String(schema['$ref']).endsWith(`/schemas/${name}`)) continue;
        const message = `${status} has another body, expected the schema ${name}`;
        context.report({ message, location: location.child('schema') });
      }
    }
  },
});

/** The documentation page and mocks use the examples. */
const examples: Oas3Rule = () => ({
  MediaType(media: object, { report, location }) {
    const { example, examples: named } = media as RawNode;
    if (example !== undefined || (isNode(named) && Object.keys(named).length > 0)) return;
    report({
      message: 'the media type has no example, expected one or more',
      location: location.key(),
    });
  },
});

/** Generators invent names for inline schemas, such as InlineObject1. */
const namedSchemas: Oas3Rule = () => {
  const check = (schema: unknown, at: Location, { report }: UserContext) => {
    if (!isNode(schema) || schema['$ref'] !== undefined || !isStructured(schema)) return;
    report({ message: 'the schema has no name, expected a $ref to components', location: at });
  };
  return {
    MediaType(media: object, context) {
      check((media as RawNode)['schema'], context.location.child('schema'), context);
    },
    Schema(schema: object, context) {
      const { properties, items } = schema as RawNode;
      check(items, context.location.child('items'), context);
      for (const [name, property] of Object.entries(isNode(properties) ? properties : {})) {
        check(property, context.location.child(['properties', name]), context);
      }
    },
  };
};

function isStructured(schema: RawNode): boolean {
  return ['properties', ...COMPOSITIONS].some((keyword) => schema[keyword] !== undefined);
}

function contentsOf({ node, location }: ResolvedNode, context: UserContext): ResolvedNode[] {
  const { content } = node;
  return Object.entries(isNode(content) ? content : {}).flatMap(([type, media]) => {
    const resolved = resolveRef(media, location.child(['content', type]), context);
    return resolved === undefined ? [] : [resolved];
  });
}

/** @returns undefined for an unresolved `$ref`, which another rule reports */
function resolveRef(
  node: unknown,
  location: Location,
  { resolve }: UserContext,
): ResolvedNode | undefined {
  if (!isNode(node)) return undefined;
  if (typeof node['$ref'] !== 'string') return { node, location };
  const target = resolve<RawNode>({ $ref: node['$ref'] }, location.source.absoluteRef);
  if (!isNode(target.node) || target.location === undefined) return undefined;
  return { node: target.node, location: target.location };
}

function isNode(value: unknown): value is RawNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Casing = 'camelCase' | 'PascalCase';

/** A `rule/…` of Redocly: the keys of a map, or a property of a node, use one style. */
function casing(style: Casing, type: string, property?: string) {
  return {
    severity: 'error' as const,
    subject: { type, ...(property !== undefined && { property }) },
    assertions: { casing: style },
    message: '{{problems}}',
  };
}

const PARAMETER_NAME = {
  ...casing('camelCase', 'Parameter', 'name'),
  // HTTP header names are case-insensitive.
  where: [
    {
      subject: { type: 'Parameter', property: 'in' },
      assertions: { enum: ['query', 'path', 'cookie'] },
    },
  ],
};

/** Descriptions, names and examples for every part of a contract; one schema for all errors. */
const STRICT: NonNullable<Plugin['configs']>[string] = {
  extends: ['recommended-strict'],
  rules: {
    'operation-description': 'error',
    'operation-singular-tag': 'error',
    'operation-tag-defined': 'error',
    'parameter-description': 'error',
    'paths-kebab-case': 'error',
    'component-name-unique': 'error',
    'spec-components-invalid-map-name': 'error',
    'stubwright/error-body': 'error',
    'stubwright/examples': 'error',
    'stubwright/named-schemas': 'error',
    'rule/operation-id-style': casing('camelCase', 'Operation', 'operationId'),
    'rule/schema-name-style': casing('PascalCase', 'NamedSchemas'),
    'rule/response-name-style': casing('PascalCase', 'NamedResponses'),
    'rule/parameter-component-style': casing('PascalCase', 'NamedParameters'),
    'rule/header-component-style': casing('PascalCase', 'NamedHeaders'),
    'rule/request-body-name-style': casing('PascalCase', 'NamedRequestBodies'),
    'rule/example-name-style': casing('camelCase', 'ExamplesMap'),
    'rule/security-scheme-style': casing('camelCase', 'NamedSecuritySchemes'),
    'rule/property-style': casing('camelCase', 'SchemaProperties'),
    'rule/query-and-path-parameter-style': PARAMETER_NAME,
  },
};

/** Redocly calls the default export of a plugin module. */
export default function plugin(): Plugin {
  return {
    id: 'stubwright',
    configs: { strict: STRICT },
    rules: {
      oas3: { 'error-body': errorBody, examples, 'named-schemas': namedSchemas },
    },
  };
}
