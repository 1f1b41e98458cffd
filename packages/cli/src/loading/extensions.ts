// Makes the content of `x-` extensions opaque to Redocly: not checked, and no `$ref` in it followed.
import type { Plugin } from '@redocly/openapi-core';

type Types = Parameters<NonNullable<NonNullable<Plugin['typeExtension']>['oas3']>>[0];
type NodeType = Types[string];

/** For Redocly's `typeExtension`. */
export function withOpaqueExtensions(types: Types): Types {
  return Object.fromEntries(Object.entries(types).map(([name, type]) => [name, opaque(type)]));
}

function opaque(type: NodeType): NodeType {
  const { extensionsPrefix: prefix, additionalProperties: others, ...rest } = type;
  if (prefix === undefined) return type;
  const properties = Object.entries(type.properties).filter(([name]) => !name.startsWith(prefix));
  return {
    ...rest,
    properties: Object.fromEntries(properties),
    // null: the property is known and has no type.
    additionalProperties(value: unknown, key: string) {
      if (key.startsWith(prefix)) return null;
      return typeof others === 'function' ? others(value, key) : others;
    },
  };
}
