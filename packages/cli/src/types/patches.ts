// Prepares the bodies of patches for openapi-typescript: they have the types of the patched resource.
import { type Node, parseMediaType } from '@stubwright/contract';
import { contentMaps, target } from './sequences.ts';

/** The start of the name of a property whose type is replaced by a type of stubwright, its end. */
export const PATCH = 'x-stubwright-patch-';

const TYPES: ReadonlyMap<string | undefined, string> = new Map([
  ['application/merge-patch+json', 'MergePatch'],
  ['application/json-patch+json', 'JsonPatch'],
]);

/** Replaces the schema of each content with `x-patch-of`. @returns the types that stand for the schemas */
export function arrangePatches(document: Node): ReadonlySet<string> {
  const used = new Set<string>();
  for (const content of contentMaps(document)) {
    for (const [key, written] of Object.entries(content)) {
      const type = TYPES.get(parseMediaType(key)?.type);
      const { 'x-patch-of': resource, ...media } = target(document, written);
      if (type === undefined || resource === undefined) continue;
      const name = PATCH + type;
      const schema = { type: 'object', required: [name], properties: { [name]: resource } };
      content[key] = { ...media, schema };
      used.add(type);
    }
  }
  return used;
}
