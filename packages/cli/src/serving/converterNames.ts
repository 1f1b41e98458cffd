// The names of the types of converters: the messages of the compiler consist of them.
import { freeName } from '../types/identifier.ts';
import type { ConverterMember } from './conversions.ts';
import type { NeededConverter } from './converterEntries.ts';

const KINDS: Readonly<Record<ConverterMember, string>> = {
  toNew: 'requests of ',
  toOld: 'replies of ',
  request: 'requests of ',
  reply: 'replies of ',
  item: 'items of ',
  call: 'calls of ',
};

/** @returns `replies of listToys and 2 more` */
export function labelOf({ member, operations }: NeededConverter): string {
  return `${KINDS[member]}${operationsOf(operations)}`;
}

export function operationsOf([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** Gives each text an identifier of its own. */
export class TypeIdentifiers {
  readonly #taken = new Set<string>();

  /** @returns `replies_of_listToys_and_2_more` */
  of(text: string): string {
    const name = text.replace(/[^\p{ID_Continue}$]+/gu, '_');
    return freeName(/^[\p{ID_Start}$_]/u.test(name) ? name : `_${name}`, this.#taken);
  }
}
