// Corrects Redocly's types of nodes: what it reports of valid contracts, or does not read.
import type { Plugin } from '@redocly/openapi-core';
import { withOpaqueExtensions } from './extensions.ts';
import { withoutSchemaReferences } from './schemaReferences.ts';

type Types = Parameters<NonNullable<NonNullable<Plugin['typeExtension']>['oas3']>>[0];
type NodeType = Types[string];

const NAMES = { type: 'array', items: { type: 'string' } } as const;
const STYLE = { type: 'string' } as const;
type DependencyType = 'Schema' | typeof NAMES;

/** For Redocly's `typeExtension`. */
export function correctedTypes(types: Types): Types {
  const { Schema, NamedMediaTypes, DeviceAuthorization, Parameter } = types;
  return {
    ...types,
    ...(Schema && {
      Schema: withProperty(Schema, 'dependencies', 'Dependencies'),
      Dependencies: { properties: {}, additionalProperties: dependencyType },
    }),
    // Redocly 2.64 omits `cookie`; `exclusions` checks the styles of each location.
    ...(Parameter && {
      Parameter: { ...Parameter, properties: { ...Parameter.properties, style: STYLE } },
    }),
    // Redocly 2.64 has a map of media types for each name.
    ...(NamedMediaTypes && {
      NamedMediaTypes: { properties: {}, additionalProperties: 'MediaType' },
    }),
    // Redocly 2.64 refers to a type `string`.
    ...(DeviceAuthorization && {
      DeviceAuthorization: withProperty(DeviceAuthorization, 'scopes', 'DeviceScopes'),
      DeviceScopes: { properties: {}, additionalProperties: { type: 'string' } },
    }),
  };
}

/** Before JSON Schema 2019-09: the names of properties, or a schema. */
function dependencyType(value: unknown): DependencyType {
  return Array.isArray(value) ? NAMES : 'Schema';
}

function withProperty(type: NodeType, name: string, of: string): NodeType {
  return { ...type, properties: { ...type.properties, [name]: of } };
}

/** Adds the corrections to a configuration of Redocly; `$ref` in extensions is data. */
export const typesPlugin = {
  id: 'types',
  typeExtension: { oas3: (types: Types) => withOpaqueExtensions(correctedTypes(types)) },
} satisfies Plugin;
/** The same, for a contract with many connected schemas. */
export const connectedTypesPlugin: Plugin = {
  id: 'types',
  typeExtension: {
    oas3: (types) => withoutSchemaReferences(typesPlugin.typeExtension.oas3(types)),
  },
};
