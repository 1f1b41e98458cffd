// Schemas that every value satisfies.
import type { Node } from 'stubwright/internal/document/definition';
import type { Schema } from 'stubwright/internal/schema/model';
import type { Term } from './term.ts';

/** Keywords that do not restrict values. */
const ANNOTATIONS = new Set([
  ...['title', 'description', 'default', 'example', 'examples', 'deprecated', 'externalDocs'],
  ...['readOnly', 'writeOnly', '$comment', '$defs', 'definitions', 'xml'],
]);

/** True if every value is valid: for `true`, `{}` and annotations. */
export function allowsAnything({ conjuncts }: Term): boolean {
  return conjuncts.every(({ schema }) => isTrivial(schema));
}

export function isTrivial({ written }: Schema): boolean {
  if (typeof written !== 'object' || written === null) return written === true;
  return Object.keys(written as Node).every(
    (keyword) => ANNOTATIONS.has(keyword) || keyword.startsWith('x-'),
  );
}
