// Checks the targets of `$ref`: in this file or another, not on the network, not circular.

import { type Document, type Oas3Rule, ResolveError } from '@redocly/openapi-core';
import { escapeToken, isObject, type Node, unescapeToken } from '@stubwright/contract';
import { OutsideFolder } from './containment.ts';
import { HAS_ERRORS } from './files.ts';

const EXPECTED = 'expected a location in this or another file';

export const refsRule: Oas3Rule = () => ({
  ref: {
    leave(node, { report, location, type, specVersion }, { node: target, error }) {
      if (type.name === 'Schema' && 'nullable' in node && specVersion !== 'oas3_0') {
        // Redocly does not check the keywords beside a reference.
        const message = `nullable is not a keyword of this version, but is enforced  expected a keyword of this version`;
        report({ message, location: location.child('nullable').key(), forceSeverity: 'warn' });
      }
      if (target !== undefined || error?.message === HAS_ERRORS) return;
      const reason = error === undefined ? 'target not found' : error.message;
      report({
        message: `$ref cannot be resolved: ${node.$ref} (${reason})  ${EXPECTED}`,
        location: location.child('$ref'),
        ...(isOutside(error) && ({ [CAUSE]: reason } satisfies Caused)),
      });
    },
  },
  DiscriminatorMapping(mapping, { report, resolve, location }) {
    for (const [value, ref] of Object.entries(mapping)) {
      // Without a slash or a dot it is the name of a schema.
      if (!/[/.#]/.test(ref) || resolve({ $ref: ref }).node !== undefined) continue;
      report({
        message: `the mapping of ${value} cannot be resolved: ${ref}  ${EXPECTED}`,
        location: location.child(value),
        forceSeverity: 'warn',
      });
    }
  },
});

function isOutside(error: Error | undefined): boolean {
  return error instanceof ResolveError && error.originalError instanceof OutsideFolder;
}

/** The key of what several problems have in common; Redocly keeps it. */
export const CAUSE = 'cause';

export interface Caused {
  readonly [CAUSE]?: string;
}

/** The pointers of circular `$ref`s of a file. */
export function circularRefs({ parsed }: Document): string[] {
  const found: string[] = [];
  const visit = (node: unknown, pointer: string) => {
    if (typeof node !== 'object' || node === null) return;
    if (isObject(node) && isCircular(parsed, node)) found.push(`${pointer}/$ref`);
    for (const [key, value] of Object.entries(node)) {
      visit(value, `${pointer}/${escapeToken(key)}`);
    }
  };
  visit(parsed, '#');
  return found;
}

function isCircular(document: unknown, start: Node): boolean {
  const met = new Set<unknown>();
  let node: unknown = start;
  while (isObject(node) && typeof node.$ref === 'string' && node.$ref.startsWith('#/')) {
    if (met.has(node)) return node === start;
    met.add(node);
    node = node.$ref
      .slice(2)
      .split('/')
      .map(unescapeToken)
      .reduce((at: unknown, token) => (isObject(at) ? at[token] : undefined), document);
  }
  return false;
}
