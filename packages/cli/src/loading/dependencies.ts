// Lets Redocly follow the references in `dependencies`, which JSON Schema had before 2019-09.
import type { Plugin } from '@redocly/openapi-core';

type Types = Parameters<NonNullable<NonNullable<Plugin['typeExtension']>['oas3']>>[0];

/** For Redocly's `typeExtension`. */
export function withDependencies({ Schema, ...types }: Types): Types {
  if (Schema === undefined) return types;
  const properties = { ...Schema.properties, dependencies: 'Dependencies' };
  return { ...types, Schema: { ...Schema, properties }, Dependencies: DEPENDENCIES };
}

const DEPENDENCIES: Types[string] = {
  properties: {},
  additionalProperties: (value: unknown) =>
    Array.isArray(value) ? { type: 'array', items: { type: 'string' } } : 'Schema',
};
