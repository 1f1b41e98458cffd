// Leaves out what the texts of two contracts have in common before they are parsed, which takes most of the time of
// a comparison. Lines take the place of what is left out, so that all positions stay.
import { escapeToken, isObject, type Node } from '@stubwright/contract';
import { partsToKeep } from './equalParts.ts';
import { parseText } from './parse.ts';
import {
  connectExtensions,
  type Parts,
  partAt,
  type ReferringPart,
  referringParts,
} from './referringParts.ts';

/** The lines of a path item, a webhook or a component; of JSON, without the comma. */
interface Entry {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The offset of the line after the key, if the value is a block of its own; else 0. */
  readonly inner: number;
}

/** An object whose entries are parts. */
interface Section {
  readonly pointer: string;
  readonly holder: Entry;
  readonly entries: readonly Entry[];
}

interface PartOfText extends ReferringPart {
  readonly isDiscriminated: boolean;
}

/** Thrown for a text that has to be parsed as a whole. */
class Unsplit extends Error {}

/** Anchors, which other parts may refer to; no character entities. */
const ANCHOR = /(?:^ *|[:?,[{-]\s+|[[{,]|!\S*\s+)&(?!\w+;)[^\s&]|\*\w+;/m;
/** An escaped letter of a keyword or of a reference; tabs and carriage returns. */
const UNUSUAL =
  /\\(?:u00|x|U000000)(?:2[3-57f]|3\d|[46][1-9a-f]|[57][\da]|7e)|[\r\ufeff]|^ *\t|^---./im;
const REFERENCE_TO_PART = /\$ref["']?:(?: *| +[>|]-?\n +| *\n +)["']?#\//g;
const POINTER = /["'\s]#(\/[^"'\n]*)/g;
const OPERATION_ID = /operationId["']?: *["']?([\w/.:(){}$-]+)["']?,?$/gm;
/** What has other references than its pointers. */
const CONNECTED = /discriminator|defaultMapping|\$(?:id|anchor|dynamic|self)/i;
const JSON_KEY = /"([^"\\\n]*)": /y;
const YAML_KEY =
  /(?:'([^'\n]*)'|"([^"\\\n]*)"|([\w/$.~](?:[^\n'"#: ]|:(?! |\n))*)):(?=[ \n]|(?![\s\S]))/y;
/** A quote that is not closed in its line. */
const OPEN_QUOTE = /(?:^|[\s,[{(:])(?:"(?:[^"\\\n]|\\.)*\\?|'(?:[^'\n]|'')*)$/gm;
const QUOTED = { '"': /"(?:[^"\\]|\\[\s\S])*"/y, "'": /'(?:[^']|'')*'/y } as const;
const OPEN_FLOW = /(?:^ *|[:-] +)[[{][^\n]*$/gm;
const BRACKET = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*'|[[\]{}]/g;

/**
 * @returns the texts without the path items, webhooks and components that are equal in both, and that no difference
 *   depends on; undefined if nothing can be left out, or if parts cannot be told without parsing
 */
export function withoutEqualText(
  before: string,
  after: string,
): readonly [before: string, after: string] | undefined {
  try {
    const [was, is] = [new PartsOfText(before), new PartsOfText(after)];
    const read = new Map<string, PartOfText>();
    const kept = partsToKeep(was.parts(read), is.parts(read));
    const left = new Set([...was.pointers].filter((pointer) => !kept.has(pointer)));
    return left.size === 0 ? undefined : [was.without(left), is.without(left)];
  } catch (error) {
    if (error instanceof Unsplit) return undefined;
    throw error;
  }
}

/** @returns the text without all path items, webhooks and components; the text itself if they cannot be told */
export function withoutParts(text: string): string {
  try {
    const parts = new PartsOfText(text);
    return parts.without(parts.pointers);
  } catch (error) {
    if (error instanceof Unsplit) return text;
    throw error;
  }
}

class PartsOfText {
  readonly pointers = new Set<string>();
  readonly #text: string;
  readonly #isJson: boolean;
  readonly #sections: readonly Section[];

  /** @throws {Unsplit} */
  constructor(text: string) {
    this.#text = text;
    this.#isJson = text.startsWith('{\n');
    if (UNUSUAL.test(text) || ANCHOR.test(text)) throw new Unsplit();
    this.#sections = [...this.#sectionsIn()];
    for (const { pointer, entries } of this.#sections) {
      for (const { name } of entries) this.pointers.add(pointer + escapeToken(name));
    }
  }

  /** References are at least those of the document. @throws {Unsplit} */
  parts(read: Map<string, PartOfText>): Parts {
    const parts = new Map<string, ReferringPart>();
    const discriminated: string[] = [];
    for (const { pointer: group, entries } of this.#sections) {
      for (const { name, start, end } of entries) {
        const text = this.#text.slice(start, end);
        const found = read.get(group + text) ?? this.#read(text, group, name);
        read.set(group + text, found);
        const pointer = group + escapeToken(name);
        if (found.isDiscriminated) discriminated.push(pointer);
        parts.set(pointer, { ...found, targets: new Set(found.targets) });
      }
    }
    connectExtensions(parts, discriminated, ({ value, targets }) =>
      String(value).includes('allOf') ? targets : [],
    );
    return parts;
  }

  #read(text: string, group: string, name: string): PartOfText {
    const targets = CONNECTED.test(text) ? undefined : this.#targetsIn(text);
    const operationIds = group === '/paths/' ? operationIdsIn(text) : [];
    if (targets !== undefined && operationIds !== undefined) {
      return { value: text, targets, operationIds, isDiscriminated: false };
    }
    const parsed = this.#isJson ? jsonMember(text) : parseText(text, false);
    const value: unknown = Object('value' in parsed ? parsed.value : undefined)[name];
    if (!isObject(value)) throw new Unsplit();
    const inner = group.split('/').slice(1, -1);
    const document = inner.reduceRight<Node>((node, key) => ({ [key]: node }), { [name]: value });
    const found = referringParts({ openapi: '', ...document })?.get(group + escapeToken(name));
    if (found === undefined) throw new Unsplit();
    return { ...found, value: text, isDiscriminated: text.includes('discriminator') };
  }

  /** @returns undefined if it may refer to something else */
  #targetsIn(text: string): Set<string> | undefined {
    const references = text.match(/\$ref/g)?.length ?? 0;
    if (references !== (text.match(REFERENCE_TO_PART)?.length ?? 0)) return undefined;
    const targets = new Set<string>();
    for (const [, fragment] of text.matchAll(POINTER)) {
      const target = partAt(`#${fragment}`);
      if (!this.pointers.has(target)) return undefined;
      targets.add(target);
    }
    return targets;
  }

  /** @returns the text with lines in place of these parts @throws {Unsplit} */
  without(left: ReadonlySet<string>): string {
    let text = '';
    let at = 0;
    for (const { pointer, holder, entries } of this.#sections) {
      const isLeft = entries.map(({ name }) => left.has(pointer + escapeToken(name)));
      const last = isLeft.lastIndexOf(false);
      if (!this.#isJson && entries.length > 0 && last < 0) {
        // A key without a value has the value null.
        text += `${this.#text.slice(at, holder.inner - 1)} {}`;
        at = holder.inner - 1;
      }
      for (const [index, { start, end }] of entries.entries()) {
        const part = this.#text.slice(start, end);
        const space = this.#text.slice(at, start);
        const lines = isLeft[index] ? '\n'.repeat(part.split('\n').length - 1) : part;
        if (this.#isJson) {
          if (isLeft[index] && !isMember(part)) throw new Unsplit();
          const comma = !isLeft[index] && index < last ? ',' : '';
          text += (index === 0 ? space : space.replace(',', '')) + lines + comma;
        } else {
          // A comment ends the scalar before it.
          text += space + (isLeft[index] ? `#${lines}` : lines);
        }
        at = end;
      }
    }
    return text + this.#text.slice(at);
  }

  *#sectionsIn(): Generator<Section> {
    const inner = this.#isJson ? 2 : 0;
    const root = { name: '', start: 0, end: this.#text.trimEnd().length, inner };
    for (const entry of this.#entriesIn(root)) {
      const { name } = entry;
      if (name === 'paths' || name === 'webhooks') yield this.#section(`/${name}/`, entry);
      else if (name !== 'components') this.#expectClosed(entry);
      else {
        for (const group of this.#blockOf(entry)) {
          const pointer = `/components/${escapeToken(group.name)}/`;
          if (group.name === 'securitySchemes') this.#expectClosed(group);
          else yield this.#section(pointer, group);
        }
      }
    }
  }

  #section(pointer: string, holder: Entry): Section {
    const entries = this.#blockOf(holder);
    for (const each of entries.length > 0 ? entries : [holder]) this.#expectClosed(each);
    return { pointer, holder, entries };
  }

  #blockOf(entry: Entry): Entry[] {
    return entry.inner === 0 ? [] : this.#entriesIn(entry);
  }

  /** @throws {Unsplit} */
  #entriesIn({ inner, end }: Entry): Entry[] {
    const text = this.#text;
    const to = this.#isJson ? text.lastIndexOf('\n', end - 1) + 1 : end;
    const first = /^( *)[^\s#]/gm;
    first.lastIndex = inner;
    const indent = first.exec(text)?.[1]?.length ?? 0;
    const starts: Omit<Entry, 'end'>[] = [];
    const lines = new RegExp(`^ {0,${indent}}(?=[^ \\n])`, 'gm');
    lines.lastIndex = inner;
    for (let line = lines.exec(text); line !== null && line.index < to; line = lines.exec(text)) {
      const { index: start } = line;
      const at = start + line[0].length;
      lines.lastIndex = at + 1;
      if (!this.#isJson && /#|-[ \n]/y.test(text.slice(at, at + 2))) continue;
      if (start === 0 && text.startsWith('---\n')) continue;
      if (line[0].length < indent) throw new Unsplit();
      if (this.#isJson && (text[at] === '}' || text[at] === ']')) continue;
      const key = this.#isJson ? JSON_KEY : YAML_KEY;
      key.lastIndex = at;
      const [, one, two, three] = key.exec(text) ?? [];
      const name = one ?? two ?? three;
      if (name === undefined) throw new Unsplit();
      const lineEnd = text.indexOf('\n', at);
      const rest = text.slice(key.lastIndex, lineEnd < 0 ? end : lineEnd);
      const isBlock = lineEnd >= 0 && rest.trimEnd() === (this.#isJson ? '{' : '');
      const isExact = isBlock && rest.length <= 1;
      starts.push({ name, start: this.#isJson ? at : start, inner: isExact ? lineEnd + 1 : 0 });
    }
    if (new Set(starts.map(({ name }) => name)).size < starts.length) throw new Unsplit();
    return starts.map((each, index) => {
      const next = starts[index + 1]?.start ?? to;
      return { ...each, end: this.#isJson ? this.#endBefore(next) : next };
    });
  }

  /** @returns the end of the value of JSON before an offset */
  #endBefore(offset: number): number {
    let end = offset;
    while (/\s/.test(this.#text[end - 1]!)) end--;
    if (this.#text[end - 1] === ',') end--;
    return end;
  }

  /** Common parsers accept lines of scalars and flow collections with less indentation. @throws {Unsplit} */
  #expectClosed({ start, end }: Entry): void {
    const part = this.#isJson ? '' : this.#text.slice(start, end);
    for (const { 0: found, index } of part.matchAll(OPEN_QUOTE)) {
      const at = /["']/.exec(found)!;
      const closed = QUOTED[at[0] as '"' | "'"];
      closed.lastIndex = index + at.index;
      if (!closed.test(part)) throw new Unsplit();
    }
    for (const { 0: found, index } of part.matchAll(OPEN_FLOW)) {
      let depth = 0;
      BRACKET.lastIndex = index + found.search(/[[{]/);
      do {
        const bracket = BRACKET.exec(part)?.[0];
        if (bracket === undefined) throw new Unsplit();
        if (bracket === '[' || bracket === '{') depth++;
        else if (bracket === ']' || bracket === '}') depth--;
      } while (depth > 0);
    }
  }
}

function isMember(text: string): boolean {
  return Object.keys(Object(jsonMember(text).value)).length === 1;
}

/** @param text a key and its value */
function jsonMember(text: string): { readonly value: unknown } {
  try {
    return { value: JSON.parse(`{${text}}`) };
  } catch {
    return { value: undefined };
  }
}

/** @returns undefined if it may have others */
function operationIdsIn(item: string): string[] | undefined {
  const ids = [...item.matchAll(OPERATION_ID)].map(([, id]) => id!);
  return ids.length === item.split('operationId').length - 1 ? ids : undefined;
}
