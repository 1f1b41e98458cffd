// The served versions, each linked to the next one.
import { ContractErrors, type LoadedContract } from '@stubwright/contract';
import type { ServedEntry } from './configuration.ts';
import type { VersionConverters } from './converters.ts';
import type { Level } from './level.ts';
import { VersionLink } from './versionLink.ts';

/** What a served version needs. */
export interface VersionSource {
  readonly contract: LoadedContract;
  readonly converters: VersionConverters;
}

export type LoadVersion = (entry: ServedEntry) => Promise<VersionSource>;

export interface ChainLink {
  readonly link: VersionLink;
  readonly contract: LoadedContract;
}

/** Each version converts to the next one, the last to the current contract. */
export class VersionChain {
  readonly #entries: readonly ServedEntry[];
  readonly #load: LoadVersion;
  readonly #current: Level;
  readonly #links = new Map<string, Promise<ChainLink>>();

  constructor(entries: readonly ServedEntry[], load: LoadVersion, current: Level) {
    this.#entries = entries;
    this.#load = load;
    this.#current = current;
  }

  link(version: string): Promise<ChainLink> {
    const known = this.#links.get(version) ?? this.#open(version);
    this.#links.set(version, known);
    return known;
  }

  async #open(version: string): Promise<ChainLink> {
    const at = this.#entries.findIndex((each) => each.version === version);
    const entry = this.#entries[at]!;
    const next = this.#entries[at + 1];
    const newer = next === undefined ? this.#current : (await this.link(next.version)).link;
    const { contract, converters } = await this.#load(entry);
    const link = new VersionLink({ version, definition: contract.definition, converters, newer });
    const { errors } = link;
    if (errors.length > 0) throw new ContractErrors(errors);
    return { link, contract };
  }
}
