// The entries of a generated package besides its index.
import type { Contract } from '@stubwright/contract';
import type { ValueTypes } from '../types/valueTypes.ts';
import type { ClientOperation } from './declarations.ts';
import type { QueryLibrary } from './query/queryModule.ts';

/** The entries that a package has. */
export interface EntryOptions {
  /** The library of queries. */
  readonly query?: QueryLibrary | undefined;
  /** True for handlers of Mock Service Worker. */
  readonly msw?: boolean | undefined;
}

interface PackageEntryOptions extends EntryOptions {
  /** Of the package. */
  readonly name: string;
  readonly types: ValueTypes;
}

export interface Entries {
  readonly entries: readonly string[];
  /** Versions of packages that the entries import. */
  readonly optionalPeers: Readonly<Record<string, string>>;
  readonly sources: ReadonlyMap<string, string>;
}

/** The first version whose handlers have predicates. */
const MSW = { msw: '>=2.11' };

export async function packageEntries(
  definition: Contract,
  operations: readonly ClientOperation[],
  { query, msw = false, name, types }: PackageEntryOptions,
): Promise<Entries> {
  const sources = new Map<string, string>();
  const add = (files: ReadonlyMap<string, string>) => {
    for (const [file, text] of files) sources.set(file, text);
  };
  if (query !== undefined) {
    const { queryFiles } = await import('./query/queryModule.ts');
    add(queryFiles(definition, operations, { library: query, scope: name }));
  }
  if (msw) {
    const { mswFiles } = await import('./msw/mswModule.ts');
    add(await mswFiles(definition, operations, types));
  }
  return {
    entries: [...(query === undefined ? [] : ['query']), ...(msw ? ['msw'] : [])],
    optionalPeers: msw ? MSW : {},
    sources,
  };
}
