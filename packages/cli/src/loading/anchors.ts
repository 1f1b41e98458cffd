// JSON Schema's names for places (`$anchor`, `$dynamicAnchor`) -> pointers, the only way on which the
// engine follows a `$ref`. What a `$dynamicRef` means is not settled here.
import { isObject, type Node } from 'stubwright/internal/document/definition';
import { escapeToken } from 'stubwright/internal/document/pointer';

/** Rewrites each `$ref` to an anchor of the document, in place. */
export function resolveAnchors(document: Node): void {
  const anchors = new Map<string, string>();
  const refs: Node[] = [];
  const visit = (node: unknown, pointer: string) => {
    if (typeof node !== 'object' || node === null) return;
    if (isObject(node)) {
      for (const name of [node.$anchor, node.$dynamicAnchor]) {
        if (typeof name === 'string') anchors.set(`#${name}`, `#${pointer}`);
      }
      if (typeof node.$ref === 'string' && /^#[^/]/.test(node.$ref)) refs.push(node);
    }
    for (const [key, value] of Object.entries(node)) visit(value, `${pointer}/${escapeToken(key)}`);
  };
  visit(document, '');
  for (const node of refs) node.$ref = anchors.get(node.$ref) ?? node.$ref;
}
