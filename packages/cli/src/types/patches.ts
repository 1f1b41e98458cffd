// Prepares the bodies of patches for openapi-typescript: they have the types of the patched resource.
import { type Node, parseMediaType } from '@stubwright/contract';
import { contentMaps, target } from './sequences.ts';

/** The names of properties whose types are replaced by a type of stubwright. */
export const PATCH_TYPES: ReadonlyMap<string, string> = new Map([
  ['x-stubwright-merge-patch', 'MergePatch'],
  ['x-stubwright-json-patch', 'JsonPatch'],
]);

const NAMES: ReadonlyMap<string | undefined, string> = new Map([
  ['application/merge-patch+json', 'x-stubwright-merge-patch'],
  ['application/json-patch+json', 'x-stubwright-json-patch'],
]);

/**
 * Replaces the schema of each content with `x-patch-of`.
 *
 * @param document whose references are JSON pointers
 * @returns the types that stand for the schemas
 */
export function arrangePatches(document: Node): ReadonlySet<string> {
  const used = new Set<string>();
  for (const content of contentMaps(document)) {
    for (const [key, written] of Object.entries(content)) {
      const name = NAMES.get(parseMediaType(key)?.type);
      const { 'x-patch-of': resource, ...media } = target(document, written);
      if (name === undefined || resource === undefined) continue;
      const schema = { type: 'object', required: [name], properties: { [name]: resource } };
      content[key] = { ...media, schema };
      used.add(PATCH_TYPES.get(name)!);
    }
  }
  return used;
}
