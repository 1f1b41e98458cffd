// Which values the `data` of an event represents, and for which events.

import { isJsonMediaType } from '../../operations/mediaType.ts';
import { commonTypes, type Schema } from '../../schema/model.ts';

/** A declaration of `data` as JSON. */
export interface DataContent {
  /** Of the value; undefined for any JSON. */
  readonly schema: Schema | undefined;
  /** True if the schema of `data` itself has no string: then it describes the value, not its text. */
  readonly isValue: boolean;
  /** The values of `event` for which it applies; undefined if `branch` decides. */
  readonly events: ReadonlySet<unknown> | undefined;
  /** The alternative that contains it; undefined if it always applies. */
  readonly branch: Schema | undefined;
}

/** @param item the schema of events @returns alternatives before what always applies */
export function dataContentsOf(item: Schema): DataContent[] {
  return collect(item, undefined, new Set());
}

function collect(schema: Schema, branch: Schema | undefined, seen: Set<Schema>): DataContent[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const parts = schema.conjuncts;
  const inner = parts.flatMap((part) =>
    [...part.list('oneOf'), ...part.list('anyOf')].flatMap((schema) =>
      collect(schema, schema, seen),
    ),
  );
  const data = parts.flatMap((part) => part.map('properties').get('data')?.conjuncts ?? []);
  const content = contentOf(data);
  if (content === undefined) return inner;
  return [...inner, { ...content, branch, events: branch && eventsOf(branch) }];
}

function contentOf(data: readonly Schema[]): Pick<DataContent, 'schema' | 'isValue'> | undefined {
  const json = data.find(({ keywords }) => isJsonMediaType(keywords.contentMediaType));
  if (json !== undefined) {
    const pointer = `${json.pointer}/contentSchema`;
    const schema = json.has('contentSchema') ? json.model.at(pointer) : undefined;
    return { schema, isValue: false };
  }
  const types = commonTypes(data);
  if (types === undefined || types.includes('string')) return undefined;
  return { schema: data.at(-1)!, isValue: true };
}

/** @returns the listed values of `event`; undefined if they are not listed */
function eventsOf({ conjuncts }: Schema): Set<unknown> | undefined {
  for (const part of conjuncts) {
    for (const { keywords } of part.map('properties').get('event')?.conjuncts ?? []) {
      if (keywords.const !== undefined) return new Set([keywords.const]);
      if (Array.isArray(keywords.enum)) return new Set(keywords.enum);
    }
  }
  return undefined;
}
