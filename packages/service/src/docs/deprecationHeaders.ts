// Declares the headers of deprecated parts in the published contract.

import { Contract, isObject, type Node, valueAt, withValueAt } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { deprecationOf } from 'stubwright/internals';

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
  const definition = new Contract(document);
  const validators = new Validators(definition, 'request');
  let published = document;
  for (const operation of definition.operations) {
    const parts = deprecationOf(operation, validators)?.announcedHeaders ?? [];
    if (parts.length === 0) continue;
    const added = Object.fromEntries(parts.map((name) => [name, HEADERS[name]]));
    const responses = Object.entries<Node>(Object(operation.field('responses'))).map(
      ([status, response]) => {
        const ref: unknown = response.$ref;
        const own = typeof ref === 'string' ? valueAt(document, ref.slice(1)) : response;
        if (!isObject(own) || status.startsWith('x-')) return [status, response];
        return [status, { ...own, headers: { ...added, ...own.headers } }];
      },
    );
    const at = `${operation.pointer}/responses`;
    published = withValueAt(published, at, Object.fromEntries(responses)) as Node;
  }
  return published;
}

function hasDeprecated(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasDeprecated);
  if (!isObject(node)) return false;
  return node.deprecated === true || Object.values(node).some(hasDeprecated);
}
