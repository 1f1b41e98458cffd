// Declares the headers of deprecated parts in the published contract.
import { deprecationOf } from '../deprecation/deprecation.ts';
import { Definition, isObject, type Node } from '../document/definition.ts';
import { valueAt } from '../document/pointer.ts';

const HEADERS: Readonly<Record<string, Node>> = {
  Deprecation: {
    description: 'When the operation, or a part that the request uses, was deprecated (RFC 9745).',
    schema: { type: 'string' },
  },
  Sunset: {
    description: 'When it will be removed (RFC 8594).',
    schema: { type: 'string' },
  },
  Link: {
    description: 'How to do without it: rel="deprecation" (RFC 9745).',
    schema: { type: 'string' },
  },
};

/** @returns a copy in which operations with deprecated parts declare the headers; else the document */
export function withDeprecationHeaders(document: Node): Node {
  if (!hasDeprecated(document)) return document;
  const definition = new Definition(document);
  let published = document;
  for (const operation of definition.operations) {
    const parts = deprecationOf(operation, definition)?.announcedHeaders ?? [];
    if (parts.length === 0) continue;
    const added = Object.fromEntries(parts.map((name) => [name, HEADERS[name]]));
    const responses = Object.entries<Node>(operation.location.node.responses ?? {}).map(
      ([status, response]) => {
        const ref: unknown = response.$ref;
        const own = typeof ref === 'string' ? valueAt(document, ref.slice(1)) : response;
        if (!isObject(own) || status.startsWith('x-')) return [status, response];
        return [status, { ...own, headers: { ...added, ...own.headers } }];
      },
    );
    const { path, method } = operation;
    const item = published.paths[path];
    if (!isObject(item?.[method])) continue;
    const changed = {
      ...item,
      [method]: { ...item[method], responses: Object.fromEntries(responses) },
    };
    published = { ...published, paths: { ...published.paths, [path]: changed } };
  }
  return published;
}

function hasDeprecated(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasDeprecated);
  if (!isObject(node)) return false;
  return node.deprecated === true || Object.values(node).some(hasDeprecated);
}
