// Reads YAML with js-yaml, in half the time of the package `yaml`, and the offsets of its nodes.
import { MAX_DEPTH } from '@stubwright/contract';
import { FAILSAFE_SCHEMA, type LoadOptions, load, type State, Type } from 'js-yaml';
import type { JsonEntry } from './jsonPositions.ts';
import { plainScalar } from './yamlScalars.ts';

/** A node without anchor, alias and tag. */
export interface YamlNode {
  /** The offset in the text. */
  readonly start: number;
  readonly entries: ReadonlyMap<string, YamlEntry>;
}

interface YamlEntry {
  /** The offset of the key; of an array item, of the item. */
  readonly key: number;
  readonly node: YamlNode;
}

/** An under-indented line of a quoted scalar, which common parsers accept. */
export interface UnderIndentedLine {
  /** Of the end of the line before it. */
  readonly offset: number;
  readonly what: string;
}

export interface YamlText {
  readonly value: unknown;
  /** Undefined for a text that `yaml` may read in another way, or may reject. */
  readonly root: YamlNode | undefined;
  /** The first one. */
  readonly violation: UnderIndentedLine | undefined;
}

interface Child {
  readonly node: YamlNode;
  readonly value: unknown;
  /** The offset after it. */
  readonly end: number;
}

/** An open node. */
interface Frame {
  /** The offset of the end of the node before it. */
  readonly from: number;
  readonly children: Child[];
}

/** Of the parser; the types lack some. */
interface ParserState extends State {
  readonly tag: string | null;
  readonly anchor: string | null;
}

const PLAIN = 'plain';
const SCHEMA = FAILSAFE_SCHEMA.extend({
  implicit: [
    new Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (text) => text === '<<' }),
    new Type(PLAIN, { kind: 'scalar', construct: plainScalar }),
  ],
});
/** Directives, tabs, explicit keys, escaped and empty lines, spaces at the end: `yaml` reads some in another way. */
const UNUSUAL = /[\r\ufeff]|^%|^---.|^ *\t|^[ -]*\?(?: |$)|\\\n *\n|\n +(?![\s\S])/m;
/** `yaml` drops such a line from a block scalar with explicit indentation. */
const BLANK_LAST_LINE = /(?:^|\n) +\n*$/;
const EXPLICIT_INDENTATION = /[|>][-+]?[1-9]/y;
const SPACES = /[ \t]*/y;
const SEPARATION = /(?:[ \t\n]+(?:#[^\n]*)?)*/y;
/** YAML limits keys to 1,024 characters. */
const MAX_KEY_LENGTH = 1_000;
const NO_ENTRIES: ReadonlyMap<string, YamlEntry> = new Map();
const NO_NODE: YamlNode = { start: 0, entries: NO_ENTRIES };

/** @returns undefined for a text that js-yaml rejects */
export function readYaml(text: string): YamlText | undefined {
  const reader = new Reader(text);
  try {
    const options: LoadOptions & { readonly maxDepth: number } = {
      schema: SCHEMA,
      // Collections in sequences count twice.
      maxDepth: 2 * MAX_DEPTH + 2,
      listener: (event, state) =>
        event === 'open' ? reader.open(state) : reader.close(state as ParserState),
    };
    return { value: load(text, options), root: reader.root, violation: reader.violation };
  } catch {
    return undefined;
  }
}

export class YamlPositions {
  readonly #root: YamlNode;

  constructor(root: YamlNode) {
    this.#root = root;
  }

  /** @returns the nearest existing entry on the path */
  find(tokens: readonly string[]): JsonEntry {
    let found: YamlEntry = { key: this.#root.start, node: this.#root };
    for (const token of tokens) {
      const next = found.node.entries.get(token);
      if (next === undefined) break;
      found = next;
    }
    return { key: found.key, value: found.node.start };
  }
}

class Reader {
  readonly #text: string;
  readonly #open: Frame[] = [{ from: 0, children: [] }];
  #isUsual: boolean;
  violation: UnderIndentedLine | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#isUsual = !UNUSUAL.test(text);
  }

  get root(): YamlNode | undefined {
    const [root] = this.#open[0]!.children;
    return this.#isUsual && isCollection(root?.value) ? root.node : undefined;
  }

  refuse(): void {
    this.#isUsual = false;
  }

  /** @param at the offset of an under-indented line of a scalar or flow collection */
  underIndented(at: number): void {
    const lineEnd = this.#text.lastIndexOf('\n', at);
    const start = this.#start(this.#open.at(-1)!.from, '');
    const first = this.#text[start]!;
    const column = at - lineEnd - 1;
    if (first === '{' || first === '[') {
      const [indent] = /^ */.exec(this.#text.slice(this.#text.lastIndexOf('\n', start) + 1))!;
      if (!/[\]}]/.test(this.#text[at]!) || column !== indent.length) this.refuse();
    } else this.violation ??= { offset: lineEnd, what: `Missing closing ${first}quote` };
  }

  open(state: State): void {
    if (this.#open.length === 1) this.#watchWarnings(state);
    this.#open.push({ from: state.position, children: [] });
  }

  /** js-yaml reads this property where it would warn: for a warning, it would copy the lines of the whole text. */
  #watchWarnings(state: State): void {
    const get = (): null => {
      this.underIndented(state.position);
      return null;
    };
    Object.defineProperty(state, 'onWarning', { get, configurable: true });
  }

  close({ position, tag, anchor, kind, result }: ParserState): void {
    const { from, children } = this.#open.pop()!;
    // `yaml` requires space after quoted scalars and flow collections.
    const isJoined = /^[^\s][^\s,:\]}]/.test(
      this.#text.slice(Math.max(position - 1, 0), position + 1),
    );
    if ((tag !== null && tag !== PLAIN) || anchor !== null || isJoined) this.refuse();
    if (kind === 'scalar' && BLANK_LAST_LINE.test(String(result))) {
      EXPLICIT_INDENTATION.lastIndex = this.#start(from, kind);
      if (EXPLICIT_INDENTATION.test(this.#text)) this.refuse();
    }
    if (!this.#isUsual) return;
    const [first] = children;
    // js-yaml reads a flow collection as a key first.
    const isRead = children.length === 1 && isCollection(result) && first!.value === result;
    const node = isRead ? first!.node : this.#nodeOf(this.#start(from, kind), children, result);
    this.#open.at(-1)!.children.push({ node, value: result, end: position });
  }

  #start(from: number, kind: string | null): number {
    const space = kind === null ? SPACES : SEPARATION;
    space.lastIndex = from;
    space.test(this.#text);
    return space.lastIndex;
  }

  #nodeOf(start: number, children: readonly Child[], value: unknown): YamlNode {
    if (!isCollection(value)) return { start, entries: NO_ENTRIES };
    if (!Array.isArray(value)) return this.#mapping(start, children);
    return { start, entries: this.#items(value, start, children) };
  }

  #items(value: readonly unknown[], start: number, children: readonly Child[]) {
    const entries = new Map<string, YamlEntry>();
    let at = 0;
    let end = start;
    for (const [index, item] of value.entries()) {
      const child = children[at];
      let node = item === null ? this.#emptyItem(end, child) : undefined;
      end = node?.start ?? child?.end ?? end;
      if (node === undefined) {
        at++;
        node = child?.node ?? NO_NODE;
        if (!Object.is(child?.value, item)) {
          // `[key: value]` has an item of one pair.
          if (!isCollection(item) || child === undefined) this.refuse();
          else node = this.#mapping(child.node.start, [child, ...children.slice(at, ++at)]);
        }
      }
      entries.set(String(index), { key: node.start, node });
    }
    if (at !== children.length) this.refuse();
    return entries;
  }

  /** js-yaml reports no node for it. @returns undefined if the item is the next child */
  #emptyItem(from: number, child: Child | undefined): YamlNode | undefined {
    const dash = this.#start(from, '');
    if (this.#text[dash] !== '-' || child?.node.start === this.#start(dash + 1, ''))
      return undefined;
    return { start: this.#start(dash + 1, null), entries: NO_ENTRIES };
  }

  #mapping(start: number, children: readonly Child[]): YamlNode {
    const entries = new Map<string, YamlEntry>();
    for (let at = 0; at + 1 < children.length; at += 2) {
      const [key, { node }] = [children[at]!, children[at + 1]!];
      const name = String(key.value);
      if (typeof key.value === 'object' || name.length > MAX_KEY_LENGTH) this.refuse();
      entries.set(name, { key: key.node.start, node });
    }
    // `{key}` has no node for the value.
    if (2 * entries.size !== children.length) this.refuse();
    return { start, entries };
  }
}

function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
