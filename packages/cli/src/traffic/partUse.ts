// Which callers use the part of a change, by the counts of the parts that they send.
import type { ChangeMessage } from '../diff/rules.ts';

/** Requests of one caller. */
export interface Count {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly last: number;
}

/** What one caller sent to one operation. */
export interface OperationUse {
  valid: number;
  last: number;
  /** By name, as `request body /tag`. */
  readonly parts: Map<string, Count>;
  isTruncated: boolean;
}

type ChangedPart = Pick<ChangeMessage, 'rule' | 'what'> & { readonly part: string };

/** Changes that concern requests without the part. */
const WITHOUT_PART = new Set<string>([
  'required-parameter-added',
  'parameter-became-required',
  'request-required-body-added',
  'request-body-became-required',
  'request-default-changed',
]);

/** @returns the requests that a change may concern, at least all that it does; undefined for none */
export function useOf({ rule, what, part }: ChangedPart, use: OperationUse): Count | undefined {
  const { valid, last } = use;
  if (valid === 0) return undefined;
  if (part === '') return { count: valid, last };
  const { name, mediaType } = splitPart(part);
  if (mediaType !== undefined && !use.parts.has(`request body ${mediaType}`)) return undefined;
  if (WITHOUT_PART.has(rule)) return usesWithout(name, use);
  if (rule === 'request-property-became-required') {
    const property = /^(.+) became required$/s.exec(what)?.[1];
    if (property !== undefined) return usesWithout(pathOf(name, property), use);
  }
  if (rule === 'request-enum-value-removed') {
    const value = removedValue(what);
    if (value !== undefined && !use.isTruncated) return use.parts.get(`${name} ${value}`);
  }
  return usesOf(name, use);
}

/** `request body application/json /name` has a media type if the body has several. */
export function splitPart(part: string): { name: string; mediaType: string | undefined } {
  if (!part.startsWith('request body')) return { name: part, mediaType: undefined };
  const mediaType = /^request body ([^\s/]+\/\S+)/.exec(part)?.[1];
  // Without a pointer: the encoding of a field.
  const pointer = / \/.*$/s.exec(part)?.[0] ?? '';
  return { name: `request body${pointer}`, mediaType };
}

/** `request body /a (then)/b` -> `request body /a`: requests have no such part. */
export function withoutKeyword(name: string): string {
  return name.replace(/ ?\([^()]*\).*$/s, '');
}

function usesOf(name: string, use: OperationUse): Count | undefined {
  const container = withoutKeyword(name);
  if (container !== name) {
    const uses = [usesOf(container, use), usesExactly(name, use)];
    return maximum(uses.flatMap((each) => each ?? []));
  }
  return usesExactly(name, use);
}

function usesExactly(name: string, { parts, isTruncated }: OperationUse): Count | undefined {
  const used = [...parts].filter(([each]) => {
    const own = withoutValue(each);
    if (isWithin(own, name)) return true;
    if (!isWithin(name, own)) return false;
    // A container of the changed part: it counts if its own parts are not known.
    return isTruncated || ![...parts.keys()].some((other) => isWithin(withoutValue(other), own, 1));
  });
  return maximum(used.map(([, count]) => count));
}

/** Of the value that should have the part. */
function usesWithout(name: string, use: OperationUse): Count | undefined {
  const { parts, valid, last } = use;
  const slash = name.lastIndexOf('/');
  const hasContainer = / \//.test(name.slice(0, slash + 1)) && slash > 0;
  const container = hasContainer ? name.slice(0, slash).trimEnd() : undefined;
  const all = container === undefined ? { count: valid, last } : usesOf(container, use);
  if (all === undefined) return undefined;
  // Of items, only the requests are counted.
  if (/\/\*(?:\/|$)/.test(name) || use.isTruncated) return all;
  const sent = name === 'request body' ? bodies(parts) : (parts.get(name)?.count ?? 0);
  return sent < all.count ? { count: all.count - sent, last: all.last } : undefined;
}

function bodies(parts: OperationUse['parts']): number {
  return [...parts]
    .filter(([name]) => /^request body [^\s/]+\/\S+$/.test(name))
    .reduce((sum, [, { count }]) => sum + count, 0);
}

/** @returns JSON; undefined for a value that is shortened */
function removedValue(what: string): string | undefined {
  const [, text] = /^the value (".*") was removed$/s.exec(what) ?? [];
  if (text === undefined || text.includes('…')) return undefined;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** `request body /kind "soft"` -> `request body /kind`, `request body text/csv` -> `request body` */
function withoutValue(name: string): string {
  return name.replace(/ "(?:[^"\\]|\\.)*"$/, '').replace(/^(request body) [^\s/]+\/\S+$/, '$1');
}

/** True if `inner` is `outer` or a part of it, at least `deeper` levels below. */
export function isWithin(inner: string, outer: string, deeper = 0): boolean {
  const [own, all] = [segments(inner), segments(outer)];
  if (own.length < all.length + deeper) return false;
  return all.every((each, at) => each === own[at] || ((each === '*' || own[at] === '*') && at > 0));
}

/** The tokens of a name; `*` for each item and each property without a name. */
function segments(name: string): string[] {
  const at = name.indexOf(' /');
  if (at < 0) return [name];
  const pointer = name.slice(at + 2).split('/');
  return [
    name.slice(0, at),
    ...pointer.map((each) => (/^(?:\d+|\[\]|\{\})$/.test(each) ? '*' : each)),
  ];
}

function pathOf(name: string, property: string): string {
  return `${name}${name.includes(' /') ? '' : ' '}/${property}`;
}

function maximum(counts: readonly Count[]): Count | undefined {
  if (counts.length === 0) return undefined;
  return {
    count: Math.max(...counts.map(({ count }) => count)),
    last: Math.max(...counts.map(({ last }) => last)),
  };
}
