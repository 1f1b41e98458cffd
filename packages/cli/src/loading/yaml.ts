// Reads YAML 1.2 with js-yaml's events: values with exact integers, and the offsets of keys and values.
import { isObject, MAX_DEPTH, setOwn } from '@stubwright/contract';
import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE } from 'js-yaml';
import { repair } from './lenientYaml.ts';

/** The offsets of a value, and of what it holds. */
export interface TextNode {
  readonly start: number;
  /** After the last character. */
  readonly end: number;
  /** Of a map or array. */
  readonly entries?: readonly TextEntry[];
  readonly alias?: TextNode;
}

/** Of a map; of an array, the key is the item. */
export interface TextEntry {
  readonly name: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly node: TextNode;
}

/** An error at an offset. */
export interface TextIssue {
  readonly offset: number;
  readonly what: string;
  readonly expected: string;
}

type YamlText =
  | {
      readonly value: unknown;
      readonly root: TextNode;
      /** A violation of YAML that common parsers accept. */
      readonly warning?: TextIssue | undefined;
      readonly errors?: undefined;
    }
  /** Duplicate keys leave a value. */
  | {
      readonly errors: readonly TextIssue[];
      readonly value?: unknown;
      readonly root?: TextNode | undefined;
    };

const TWICE = { what: 'the key is a duplicate', expected: 'expected unique keys' };
const TOO_DEEP = {
  what: 'the nesting is too deep',
  expected: `expected at most ${MAX_DEPTH} levels`,
};
const expected = 'expected YAML';

/** Nodes that the aliases of one file may add; the largest known contracts have as many without aliases. */
const MAX_ALIASED_NODES = 250_000;
/** js-yaml counts more levels than there are collections. */
const MAX_LEVELS = 2 * MAX_DEPTH;

/** @returns the value and the offsets in the text, or the errors */
export function readYaml(text: string): YamlText {
  const events = eventsOf(text);
  if (Array.isArray(events)) return new Composer(text, events).read();
  const { text: repaired, violation, unclosed } = repair(text);
  const repairedEvents = repaired === text ? undefined : eventsOf(repaired);
  if (Array.isArray(repairedEvents)) {
    const found = new Composer(repaired, repairedEvents, text).read();
    const isAsWritten = found.errors !== undefined || violation === undefined;
    return isAsWritten ? found : { ...found, warning: { ...violation, expected } };
  }
  const deeper = eventsOf(text, 2 * MAX_LEVELS);
  const isTooDeep = Array.isArray(deeper) || deeper.offset !== events.offset;
  if (isTooDeep) return { errors: [{ offset: events.offset, ...TOO_DEEP }] };
  if (unclosed === undefined) return { errors: [events] };
  const what = `${text[unclosed]} is not closed`;
  const isQuote = text[unclosed] === '"' || text[unclosed] === "'";
  const isCutOff = isQuote || events.offset >= text.trimEnd().length;
  return { errors: [isCutOff ? { offset: text.length, what, expected } : events] };
}

function eventsOf(text: string, maxDepth = MAX_LEVELS): Event[] | TextIssue {
  try {
    return parseEvents(text, { maxDepth });
  } catch (error) {
    const { mark, reason } = error as { mark?: { position: number }; reason?: string };
    return { offset: mark?.position ?? 0, what: reason ?? String(error), expected };
  }
}

interface Composed {
  readonly value: unknown;
  readonly node: TextNode;
  /** The number of nodes after the expansion of aliases. */
  readonly size: number;
}

type NodeEvent = Exclude<Event, { type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>;
type Collection = Extract<Event, { type: typeof EVENT_ID.MAPPING | typeof EVENT_ID.SEQUENCE }>;
type Scalar = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;

class Refused extends Error {
  readonly issue: TextIssue;

  constructor(offset: number, what: string, most: string) {
    super(what);
    this.issue = { offset, what, expected: most };
  }
}

/** Space, comments and indicators before a node. */
const LEADING = /(?:[ \t\r\n\ufeff]+(?:#[^\r\n]*)?|[-:?,](?=[ \t\r\n]))*/y;
const BEFORE_KEY = /(?:[ \t\r\n\ufeff]+(?:#[^\r\n]*)?|[-?](?=[ \t\r\n]))*/y;
const BEFORE_VALUE = /(?:[ \t\r\n]+(?:#[^\r\n]*)?)*:?[ \t]*/y;
const BEFORE_ITEM = /(?:[ \t\r\n]+(?:#[^\r\n]*)?)*-[ \t]*/y;
const BEFORE_CLOSE = /(?:[ \t\r\n]+(?:#[^\r\n]*)?|,)*/y;
const TAGS_OF_PLAIN = /^(?:!!|!<tag:yaml\.org,2002:)(?:null|bool|int|float)>?$/;
const MERGE = '<<';

class Composer {
  readonly #text: string;
  readonly #events: readonly Event[];
  /** Of a repaired text. */
  readonly #original: string | undefined;
  readonly #anchors = new Map<string, Composed | undefined>();
  readonly #duplicates: TextIssue[] = [];
  #next = 0;
  /** The offset after the last node. */
  #end = 0;
  #added = 0;

  constructor(text: string, events: readonly Event[], original?: string) {
    this.#text = text;
    this.#events = events;
    this.#original = original;
  }

  read(): YamlText {
    try {
      // An empty text has no document.
      if (this.#events.length === 0) return { value: null, root: { start: 0, end: 0 } };
      this.#next = 1;
      const { value, node } = this.#node(0, LEADING);
      this.#next++;
      if (this.#next < this.#events.length) {
        const second = this.#text.indexOf('\n---', this.#end) + 1;
        throw new Refused(second, 'the file has several documents', expected);
      }
      if (this.#duplicates.length > 0) return { errors: this.#duplicates, value, root: node };
      return { value, root: node };
    } catch (error) {
      if (error instanceof Refused) return { errors: [error.issue] };
      throw error;
    }
  }

  /** @param before matches the text between the last node and this one */
  #node(depth: number, before: RegExp): Composed {
    const event = this.#events[this.#next++] as NodeEvent;
    if (depth > MAX_DEPTH) {
      throw new Refused(this.#startOf(event), TOO_DEEP.what, TOO_DEEP.expected);
    }
    if (event.type === EVENT_ID.ALIAS) return this.#alias(event.anchorStart, event.anchorEnd);
    const anchor =
      event.anchorStart < 0 ? undefined : this.#text.slice(event.anchorStart, event.anchorEnd);
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    const composed =
      event.type === EVENT_ID.SCALAR ? this.#scalar(event, before) : this.#collection(event, depth);
    if (anchor !== undefined) this.#anchors.set(anchor, composed);
    return composed;
  }

  #alias(start: number, end: number): Composed {
    const name = this.#text.slice(start, end);
    const from = start - 1;
    this.#end = end;
    const target = this.#anchors.get(name);
    if (target === undefined) {
      if (this.#anchors.has(name))
        throw new Refused(
          from,
          `the alias *${name} contains itself`,
          'expected an alias of another node',
        );
      throw new Refused(from, `the alias *${name} has no anchor before it`, expected);
    }
    this.#added += target.size;
    if (this.#added > MAX_ALIASED_NODES) {
      const most = `expected aliases that add at most ${MAX_ALIASED_NODES} nodes`;
      throw new Refused(from, 'the aliases expand to too many nodes', most);
    }
    const node = { start: from, end, alias: target.node };
    return { value: target.value, node, size: target.size };
  }

  #scalar(event: Scalar, before: RegExp): Composed {
    const { valueStart, valueEnd, style } = event;
    const start = this.#startOf(event, before);
    const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
    this.#end = valueStart < 0 ? start : isQuoted ? valueEnd + 1 : valueEnd;
    return { value: this.#valueOf(event), node: { start, end: this.#end }, size: 1 };
  }

  #valueOf(event: Scalar): unknown {
    // Joined lines of a scalar are folded as written.
    const text =
      this.#original === undefined
        ? getScalarValue(this.#text, event)
        : getScalarValue(this.#original, { ...event, fast: false });
    if (event.tagStart >= 0) {
      const tag = this.#text.slice(event.tagStart, event.tagEnd);
      return TAGS_OF_PLAIN.test(tag) ? plainScalar(text) : text;
    }
    if (event.style !== SCALAR_STYLE.PLAIN) return text;
    return event.valueStart < 0 ? null : plainScalar(text);
  }

  #collection(event: Collection, depth: number): Composed {
    const isMap = event.type === EVENT_ID.MAPPING;
    const { start } = event;
    const bracket = this.#text[start];
    const isFlow = event.style === 2 && (bracket === '{' || bracket === '[');
    this.#end = isFlow ? start + 1 : start;
    const entries: TextEntry[] = [];
    const composed = isMap
      ? this.#map(entries, depth, isFlow)
      : this.#items(entries, depth, isFlow);
    this.#next++;
    if (isFlow) {
      this.#end = this.#skip(BEFORE_CLOSE) + 1;
    }
    return { ...composed, node: { start, end: this.#end, entries } };
  }

  #isOpen(): boolean {
    return this.#events[this.#next]!.type !== EVENT_ID.POP;
  }

  #items(entries: TextEntry[], depth: number, isFlow: boolean): { value: unknown; size: number } {
    const value: unknown[] = [];
    let size = 1;
    while (this.#isOpen()) {
      const item = this.#node(depth + 1, isFlow ? BEFORE_CLOSE : BEFORE_ITEM);
      const { start, end } = item.node;
      entries.push({ name: String(value.length), keyStart: start, keyEnd: end, node: item.node });
      value.push(item.value);
      size += item.size;
    }
    return { value, size };
  }

  #map(entries: TextEntry[], depth: number, isFlow: boolean): { value: unknown; size: number } {
    const value: Record<string, unknown> = {};
    const own = new Set<string>();
    let size = 1;
    while (this.#isOpen()) {
      const event = this.#events[this.#next] as NodeEvent;
      const key = this.#node(depth + 1, isFlow ? BEFORE_CLOSE : BEFORE_KEY);
      const isMerge = isPlainScalar(event) && key.value === MERGE;
      const held = this.#node(depth + 1, BEFORE_VALUE);
      size += key.size + held.size;
      const { start, end } = key.node;
      if (typeof key.value === 'object' && key.value !== null) {
        throw new Refused(start, 'a key is a map or an array', 'expected a string');
      }
      const name = String(key.value ?? '');
      entries.push({ name, keyStart: start, keyEnd: end, node: held.node });
      if (isMerge) {
        size += this.#merge(value, held.value, start);
        continue;
      }
      if (own.has(name)) this.#duplicates.push({ offset: start, ...TWICE });
      own.add(name);
      setOwn(value, name, held.value);
    }
    return { value, size };
  }

  /** Own keys, and those of earlier sources, remain. @returns the number of entries */
  #merge(value: Record<string, unknown>, merged: unknown, at: number): number {
    let count = 0;
    for (const source of Array.isArray(merged) ? merged : [merged]) {
      if (!isObject(source)) {
        throw new Refused(at, 'a merge key has no map', 'expected a map, or an array of maps');
      }
      for (const [name, each] of Object.entries(source)) {
        if (!Object.hasOwn(value, name)) setOwn(value, name, each);
        count++;
      }
    }
    return count;
  }

  #startOf(event: NodeEvent, before = LEADING): number {
    if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
    if (event.type !== EVENT_ID.SCALAR) return event.start;
    const { valueStart, style, anchorEnd, tagEnd } = event;
    if (
      valueStart < 0 ||
      style === SCALAR_STYLE.LITERAL_BLOCK ||
      style === SCALAR_STYLE.FOLDED_BLOCK
    ) {
      const properties = Math.max(anchorEnd, tagEnd);
      if (properties < 0) return this.#skip(valueStart < 0 ? before : LEADING);
      return valueStart < 0 ? properties : this.#skip(LEADING, properties);
    }
    return style === SCALAR_STYLE.PLAIN ? valueStart : valueStart - 1;
  }

  #skip(pattern: RegExp, from = this.#end): number {
    pattern.lastIndex = from;
    return pattern.test(this.#text) ? pattern.lastIndex : from;
  }
}

function isPlainScalar(event: NodeEvent): event is Scalar {
  return event.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN;
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);
const INTEGER = /^(?:[-+]?\d+|0o[0-7]+|0x[\da-fA-F]+)$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;

/** A scalar of the core schema of YAML 1.2. @returns a bigint for an integer that a number cannot represent */
function plainScalar(text: string): unknown {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.\d]/.test(text)) return text;
  if (INTEGER.test(text)) {
    const integer = BigInt(text.replace(/^\+/, ''));
    return BigInt(Number(integer)) === integer ? Number(integer) : integer;
  }
  if (FLOAT.test(text)) return Number.parseFloat(text);
  if (INFINITE.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return NOT_A_NUMBER.test(text) ? Number.NaN : text;
}
