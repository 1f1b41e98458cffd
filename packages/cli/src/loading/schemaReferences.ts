// Redocly follows references on the call stack, which many connected schemas exceed. It then walks the contract
// without the references between schemas: each schema is visited where it is declared.

import type { NormalizedProblem, Plugin } from '@redocly/openapi-core';
import { isObject, type Node } from '@stubwright/contract';

type Types = Parameters<NonNullable<NonNullable<Plugin['typeExtension']>['oas3']>>[0];
type NodeType = Types[string];
type PropertyType = NodeType['items'];
type Fixed = Exclude<PropertyType, (...args: never[]) => unknown>;

const COMPONENT = /^#\/components\/schemas\/[^/]+$/;

/** True for a reference to a schema that is visited where it is declared. */
export function isSchemaComponent(ref: unknown): ref is string {
  return typeof ref === 'string' && COMPONENT.test(ref);
}

const REFERENCE = 'SchemaReference';
const HOLDERS = ['Schema', 'SchemaProperties', 'Dependencies', 'DiscriminatorMapping'];

/** For Redocly's `typeExtension`. */
export function withoutSchemaReferences(types: Types): Types {
  const holders = HOLDERS.flatMap((name) => {
    const type = types[name];
    return type === undefined ? [] : [[name, stopping(type)] as const];
  });
  // null: the property is known and has no type.
  const reference: NodeType = { properties: {}, additionalProperties: () => null };
  return { ...types, ...Object.fromEntries(holders), [REFERENCE]: reference };
}

function stopping<Type extends NodeType>(type: Type): Type {
  const properties = Object.entries(type.properties).map(([name, of]) => [name, stop(of)]);
  const { additionalProperties, items } = type;
  return {
    ...type,
    properties: Object.fromEntries(properties),
    ...(additionalProperties && { additionalProperties: stop(additionalProperties) }),
    ...(items && { items: stop(items) }),
  };
}

function stop(type: PropertyType): PropertyType {
  if (typeof type === 'function') return (value, key) => stopAt(value, type(value, key));
  if (type === 'Schema') return (value) => stopAt(value, type);
  return isInline(type) ? stopping(type) : type;
}

function stopAt(value: unknown, type: Fixed): Fixed {
  if (type === 'Schema') return isObject(value) && isSchemaComponent(value.$ref) ? REFERENCE : type;
  // Of a mapping, whose values are references.
  if (isObject(type) && 'directResolveAs' in type && isSchemaComponent(value)) {
    return { type: 'string' };
  }
  return isInline(type) ? stopping(type) : type;
}

/** A list or a map of schemas. */
function isInline(type: Fixed): type is NodeType {
  return isObject(type) && 'properties' in type;
}

const STOPPED = /^Expected type `SchemaReference`/;
const UNUSED = 'no-unused-components';

/** @returns the problems without those that only the missing references cause */
export function withoutStops(
  problems: readonly NormalizedProblem[],
  document: Node,
): readonly NormalizedProblem[] {
  const used = new Set<unknown>();
  for (const pending: unknown[] = [document]; pending.length > 0; ) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null) continue;
    const { $ref } = node as Node;
    if (typeof $ref === 'string') used.add($ref);
    for (const each of Object.values(node)) pending.push(each);
  }
  return problems.filter(({ ruleId, message, location: [at] }) => {
    return !STOPPED.test(message) && !(ruleId === UNUSED && used.has(at?.pointer));
  });
}
