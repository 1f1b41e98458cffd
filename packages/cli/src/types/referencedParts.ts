// Gives names to the schemas within components and operations that references lead to.
import {
  type Node,
  referencedValue,
  schemaLocations,
  tokensOf,
  unescapeUri,
} from '@stubwright/contract';
import { freeName, identifierOf } from './identifier.ts';

const COMPONENTS = '#/components/schemas/';

interface Reference {
  readonly schema: Node;
  readonly pointer: string;
  readonly target: unknown;
}

/**
 * Modifies the document: a schema within another, which a reference leads to, becomes a component, and a
 * reference to that. No type leads to `#/components/schemas/Event/allOf/0`. @returns the new components
 */
export function nameReferencedParts(document: Node): ReadonlySet<string> {
  const added = new Set<string>();
  const names = new Map<unknown, string>();
  for (let found = partReferences(document); found.length > 0; found = partReferences(document)) {
    document.components ??= {};
    document.components.schemas ??= {};
    const { schemas } = document.components;
    const taken = new Set(Object.keys(schemas));
    const movable = new Set([...schemaLocations(document)].map(({ node }) => node));
    for (const { pointer, target } of found) {
      if (names.has(target)) continue;
      const name = freeName(nameOf(pointer), taken);
      names.set(target, name);
      added.add(name);
      schemas[name] = movable.has(target as Node) ? moved(target as Node, name) : target;
    }
    for (const { schema, target } of found) schema.$ref = COMPONENTS + names.get(target)!;
  }
  return added;
}

function partReferences(document: Node): Reference[] {
  return [...schemaLocations(document)].flatMap(({ node: schema }) => {
    const { $ref } = schema;
    if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return [];
    const pointer = unescapeUri($ref.slice(1));
    if (/^\/components\/schemas\/[^/]*$/.test(pointer)) return [];
    const target = targetOf(document, pointer);
    return target === undefined ? [] : [{ schema, pointer, target }];
  });
}

/** Also through a schema that has become a reference. */
function targetOf(document: Node, pointer: string): unknown {
  return tokensOf(pointer).reduce((value: unknown, token) => {
    const holder = Object(value);
    if (Object.hasOwn(holder, token)) return holder[token];
    return Object(referencedValue(document, value))[token];
  }, document);
}

/** `/components/schemas/Event/allOf/0` -> `EventAllOf0` */
function nameOf(pointer: string): string {
  const words = tokensOf(pointer).filter(
    (token) => !['components', 'schemas', 'properties', ''].includes(token),
  );
  return identifierOf(words.join(' '));
}

function moved(schema: Node, name: string): Node {
  const copy = { ...schema };
  for (const key of Object.keys(schema)) delete schema[key];
  schema.$ref = COMPONENTS + name;
  return copy;
}
