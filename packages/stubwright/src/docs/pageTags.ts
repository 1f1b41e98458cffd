// The tags of the documentation page: Swagger UI shows neither `summary`, `parent` nor `kind` (OpenAPI 3.2).
import { isObject, type Node } from '../document/definition.ts';

/** @returns a copy in which each tag follows its parent, and is described by these fields as well */
export function withShownTags(document: Node): Node {
  const { tags } = document;
  if (!Array.isArray(tags) || !tags.some(isOfVersion32)) return document;
  const children = Map.groupBy(tags.filter(isObject), (tag) => tag['parent']);
  const names = new Set(tags.map((tag) => tag?.name));
  const ordered = new Set<Node>();
  const add = (tag: Node) => {
    if (ordered.has(tag)) return;
    ordered.add(tag);
    for (const child of children.get(tag['name']) ?? []) add(child);
  };
  const isRoot = ({ parent }: Node) => parent === undefined || !names.has(parent);
  const all = tags.filter(isObject);
  // Tags that are their own ancestors have no root.
  for (const tag of [...all.filter(isRoot), ...all]) add(tag);
  return { ...document, tags: [...ordered].map(described) };
}

function isOfVersion32(tag: unknown): boolean {
  return isObject(tag) && ['summary', 'parent', 'kind'].some((field) => tag[field] !== undefined);
}

function described({ summary, parent, kind, ...tag }: Node): Node {
  const place = parent === undefined ? undefined : `in ${parent}`;
  const facts = [summary, kind, place].filter((each) => typeof each === 'string').join(' · ');
  const texts = [facts, tag['description']].filter(Boolean);
  return { ...tag, ...(texts.length > 0 && { description: texts.join('\n\n') }) };
}
