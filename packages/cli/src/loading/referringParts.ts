// The path items, webhooks and components of a parsed document, and the references between them.
import {
  type DocumentPart,
  escapeToken,
  isObject,
  type NamedPart,
  type Node,
  partsIn,
  rootPart,
  unescapeUri,
} from '@stubwright/contract';

/** A path item, a webhook or a component. */
interface ReferringPart {
  readonly value: unknown;
  /** The pointers of the parts that it refers to. */
  readonly targets: Set<string>;
}

/** By JSON pointer: `/components/schemas/Toy`. */
export type Parts = ReadonlyMap<string, ReferringPart>;

const SCHEMAS = '/components/schemas/';
/** By them, a reference may have another target than its pointer. `$recursiveRef` leads to an enclosing schema. */
const IDENTIFIERS = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor'];

/** An object whose properties are parts. */
interface Group extends DocumentPart {
  readonly pointer: string;
}

/** @returns undefined if a reference leads elsewhere, or depends on identifiers */
export function referringParts(document: Node): Parts | undefined {
  const parts = new Map<string, ReferringPart>();
  const discriminated: string[] = [];
  for (const { pointer: group, ...holder } of groupsIn(document)) {
    for (const part of partsIn(holder)) {
      const found = referencesIn(part);
      if (found === undefined) return undefined;
      const pointer = `${group}/${escapeToken(part.name)}`;
      parts.set(pointer, { value: part.node, targets: found.targets });
      if (found.hasDiscriminator) discriminated.push(pointer);
    }
  }
  connectExtensions(parts, discriminated);
  return parts;
}

/** Security requirements name their schemes without a reference. */
function* groupsIn(document: Node): Generator<Group> {
  for (const part of partsIn(rootPart(document))) {
    if (part.name === 'paths' || part.name === 'webhooks')
      yield { ...part, pointer: `/${part.name}` };
    if (part.name !== 'components') continue;
    for (const group of partsIn(part)) {
      const pointer = `/components/${escapeToken(group.name)}`;
      if (group.name !== 'securitySchemes') yield { ...group, pointer };
    }
  }
}

interface References {
  readonly targets: Set<string>;
  readonly hasDiscriminator: boolean;
}

function referencesIn(start: NamedPart): References | undefined {
  const targets = new Set<string>();
  let hasDiscriminator = false;
  const seen = new Set<object>();
  const pending: DocumentPart[] = [start];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const { node, kind } = part;
    if (kind === 'data' || kind === 'other' || seen.has(node)) continue;
    seen.add(node);
    const { $ref, discriminator } = node as Node;
    if (typeof $ref === 'string') targets.add(partAt($ref));
    if (isObject(discriminator)) {
      hasDiscriminator = true;
      for (const target of selectedBy(discriminator)) targets.add(target);
    }
    if (IDENTIFIERS.some((keyword) => typeof (node as Node)[keyword] === 'string'))
      return undefined;
    pending.push(...partsIn(part));
  }
  return targets.has('') ? undefined : { targets, hasDiscriminator };
}

function selectedBy({ mapping, defaultMapping }: Node): string[] {
  const selected = [...Object.values(Object(mapping)), defaultMapping];
  return selected
    .filter((to) => typeof to === 'string')
    .map((to) => (/[#/]/.test(to) ? partAt(to) : SCHEMAS + escapeToken(to)));
}

/** @returns the pointer of the part that a reference leads to; '' if it leads elsewhere */
function partAt(reference: string): string {
  if (!reference.startsWith('#/')) return '';
  const tokens = unescapeUri(reference.slice(2)).split('/');
  const length = tokens[0] === 'components' ? 3 : 2;
  const isPart = /^(?:components|paths|webhooks)$/.test(tokens[0]!) && tokens.length >= length;
  return isPart ? `/${tokens.slice(0, length).join('/')}` : '';
}

/** A discriminator selects the components that include its schema by `allOf`. */
function connectExtensions(parts: Parts, discriminated: readonly string[]): void {
  if (discriminated.length === 0) return;
  const extensions = new Map<string, string[]>();
  for (const [pointer, { value }] of parts) {
    if (!pointer.startsWith(SCHEMAS)) continue;
    for (const target of includedIn(value)) {
      extensions.set(target, [...(extensions.get(target) ?? []), pointer]);
    }
  }
  const reached = new Set(discriminated);
  for (const target of reached) {
    for (const extension of extensions.get(target) ?? []) {
      parts.get(target)?.targets.add(extension);
      reached.add(extension);
    }
  }
}

/** @returns the pointers of the parts whose schemas a schema includes */
function includedIn(schema: unknown): string[] {
  const included: string[] = [];
  const conjuncts = new Set([schema]);
  for (const conjunct of conjuncts) {
    if (!isObject(conjunct)) continue;
    if (typeof conjunct['$ref'] === 'string') included.push(partAt(conjunct['$ref']));
    for (const one of Array.isArray(conjunct['allOf']) ? conjunct['allOf'] : []) conjuncts.add(one);
  }
  return included;
}
