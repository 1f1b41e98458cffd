// Applies overlays (OpenAPI Overlay 1.0 and 1.1) to the value of a text, and locates their values.
import { isObject, setOwn } from '@stubwright/contract';
import { JSONPathError, type JSONPathNode, query } from 'json-p3';
import type { Positions, TextRange } from './parse.ts';
import { parseText, type SyntaxIssue } from './parse.ts';

/** A value, and the positions in its text. */
interface Layer {
  /** The name of the file in messages. */
  readonly file: string;
  readonly value: unknown;
  readonly positions: Positions;
}

/** Where a value is written. */
interface LayerRange extends TextRange {
  readonly file: string;
  readonly positions: Positions;
}

interface LayerIssue extends SyntaxIssue {
  readonly file: string;
}

interface Overlaid {
  readonly value: unknown;
  readonly errors: readonly LayerIssue[];
  /** Targets that select nothing. */
  readonly warnings: readonly LayerIssue[];
  /** @param tokens a path in the result @returns the range of the nearest existing value */
  find(tokens: readonly string[]): LayerRange;
}

const VERSION = /^1\.[01]\.\d+$/;
const MODIFIERS = ['update', 'copy', 'remove'] as const;
const ROOT_FIELDS = ['overlay', 'info', 'extends', 'actions'];
const ACTION_FIELDS = ['target', 'description', ...MODIFIERS];

/**
 * @param overlays in order: each one applies to the result of those before it
 * @returns the value of the base if there are errors
 */
export function applyOverlays(
  base: Layer,
  overlays: readonly { readonly file: string; readonly text: string }[],
): Overlaid {
  const applying = new Applying(base);
  for (const { file, text } of overlays) {
    const parsed = parseText(text, /\.json$/i.test(file));
    if (parsed.errors === undefined) applying.apply({ ...parsed, file });
    else applying.errors.push(...parsed.errors.map((error) => ({ ...error, file })));
  }
  return applying;
}

/** A value of a layer, by the path to it. */
interface Origin {
  readonly layer: Layer;
  readonly path: readonly string[];
}

type Holder = Record<string, unknown>;
type Kind = 'object' | 'array' | 'value';

class Applying implements Overlaid {
  readonly errors: LayerIssue[] = [];
  readonly warnings: LayerIssue[] = [];
  readonly #base: Layer;
  readonly #root: { readonly value: unknown };
  /** Of the members of the objects and arrays that an overlay has changed; other members keep their paths. */
  readonly #origins = new Map<unknown, Map<string, Origin>>();

  constructor(base: Layer) {
    this.#base = base;
    this.#root = { value: copyOf(base.value) };
  }

  get value(): unknown {
    return this.errors.length === 0 ? this.#root.value : this.#base.value;
  }

  find(tokens: readonly string[]): LayerRange {
    const { layer, path } = this.#originOf(tokens);
    return { ...layer.positions.find(path), file: layer.file, positions: layer.positions };
  }

  apply(layer: Layer): void {
    const { value } = layer;
    const issue = (path: readonly string[], what: string, expected: string): LayerIssue => {
      const { positions, file } = layer;
      return { file, ...positions.lineAndColumn(positions.find(path).start), what, expected };
    };
    const fail = (...args: Parameters<typeof issue>) => this.errors.push(issue(...args));
    if (!isObject(value)) {
      fail([], 'no overlay', 'expected a map with overlay, info and actions');
      return;
    }
    const { overlay, actions } = value;
    if (!VERSION.test(String(overlay)))
      fail(['overlay'], `got ${shown(overlay)}`, 'expected 1.0.0 or 1.1.0');
    const isFirst = String(overlay).startsWith('1.0.');
    for (const key of unknownIn(value, ROOT_FIELDS)) {
      fail([key], `got ${key}`, `expected ${ROOT_FIELDS.join(', ')}`);
    }
    if (!Array.isArray(actions)) {
      fail(['actions'], `got ${shown(actions)}`, 'expected an array of actions');
      return;
    }
    for (const [index, action] of actions.entries()) {
      const path = ['actions', String(index)];
      const before = this.errors.length;
      if (!isObject(action) || typeof action['target'] !== 'string') {
        fail(path, 'no target', 'expected a JSONPath as target');
        continue;
      }
      for (const key of unknownIn(action, ACTION_FIELDS)) {
        fail([...path, key], `got ${key}`, `expected ${ACTION_FIELDS.join(', ')}`);
      }
      const changes = MODIFIERS.filter((name) => name in action);
      // Version 1.0 ignores an update beside `remove: true`.
      const isSingle = changes.length < 2 || (isFirst && !changes.includes('copy'));
      const what = `${shown(action['target'])} has ${isSingle ? 'no' : 'more than one'} change`;
      if (!isSingle) fail(path, what, 'expected update, copy or remove');
      if (this.errors.length > before) continue;
      if (changes.length === 0) {
        this.warnings.push(issue(path, what, 'expected update, copy or remove'));
        continue;
      }
      try {
        this.#act(action, { layer, path }, (name, what, expected) => {
          this.warnings.push(issue([...path, name], what, expected));
        });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        fail([...path, error.field], error.message, error.expected);
      }
    }
  }

  #act(
    action: Holder,
    { layer, path }: Origin,
    warn: (name: string, what: string, expected: string) => void,
  ): void {
    const target = String(action['target']);
    const nodes = this.#select(target, 'target');
    if (nodes.length === 0) {
      warn('target', `${target} selects nothing`, 'expected a JSONPath of existing values');
      return;
    }
    if (action['remove'] === true) {
      // From the end: the indexes of the items before one stay.
      for (const node of nodes.toReversed()) this.#remove(node);
    }
    if (action['remove'] === true || !('update' in action || 'copy' in action)) return;
    const kinds = new Set(nodes.map(({ value }) => kindOf(value)));
    if (kinds.size > 1) {
      const got = `${target} selects values of several kinds`;
      throw new Refused('target', got, 'expected objects, arrays or other values alone');
    }
    if ('update' in action) {
      const origin = { layer, path: [...path, 'update'] };
      for (const node of nodes) this.#change(node, action['update'], origin, 'update');
      return;
    }
    const copied = this.#select(String(action['copy']), 'copy');
    const [source] = copied;
    if (source === undefined || copied.length > 1) {
      throw new Refused(
        'copy',
        `it selects ${copied.length} values`,
        'expected a JSONPath of one value',
      );
    }
    const origin = this.#originOf(source.location.map(String));
    const value = copyOf(source.value);
    for (const node of nodes) this.#change(node, value, origin, 'copy');
  }

  #select(path: string, field: string): JSONPathNode[] {
    try {
      return [...query(path, this.#root.value as Parameters<typeof query>[1])];
    } catch (error) {
      if (!(error instanceof JSONPathError)) throw error;
      throw new Refused(
        field,
        `${path} is no JSONPath: ${error.message}`,
        'expected JSONPath (RFC 9535)',
      );
    }
  }

  #remove({ location }: JSONPathNode): void {
    const path = location.map(String);
    const name = path.at(-1);
    if (name === undefined)
      throw new Refused('target', 'it selects the whole contract', 'expected a part of it');
    const holderPath = path.slice(0, -1);
    const holder = this.#valueAt(holderPath);
    const origins = this.#ownOrigins(holder, holderPath);
    if (Array.isArray(holder)) {
      holder.splice(Number(name), 1);
      const left = [...origins.entries()].filter(([key]) => key !== name);
      origins.clear();
      for (const [key, origin] of left) {
        origins.set(String(Number(key) - (Number(key) > Number(name) ? 1 : 0)), origin);
      }
    } else if (isObject(holder)) {
      delete holder[name];
      origins.delete(name);
    }
  }

  #change({ value, location }: JSONPathNode, update: unknown, origin: Origin, field: string): void {
    const path = location.map(String);
    if (kindOf(value) !== 'value') {
      this.#merge(value, path, update, origin, field);
      return;
    }
    if (kindOf(update) !== 'value') throw mismatch(field, value, update);
    const name = path.at(-1);
    if (name === undefined) throw mismatch(field, value, update);
    const holder = this.#valueAt(path.slice(0, -1));
    this.#write(holder, path.slice(0, -1), name, update, origin);
  }

  #merge(
    value: unknown,
    path: readonly string[],
    update: unknown,
    origin: Origin,
    field: string,
  ): void {
    if (Array.isArray(value)) {
      const origins = this.#ownOrigins(value, path);
      const items = Array.isArray(update) ? [...update.entries()] : [[undefined, update] as const];
      for (const [index, item] of items) {
        const inner = index === undefined ? origin.path : [...origin.path, String(index)];
        origins.set(String(value.length), { ...origin, path: inner });
        value.push(copyOf(item));
      }
      return;
    }
    if (!isObject(value) || !isObject(update)) throw mismatch(field, value, update);
    for (const [name, each] of Object.entries(update)) {
      const inner = { ...origin, path: [...origin.path, name] };
      const old = Object.hasOwn(value, name) ? value[name] : undefined;
      const isMerged = kindOf(old) !== 'value' && kindOf(old) === kindOf(each);
      if (isMerged) this.#merge(old, [...path, name], each, inner, field);
      else if (old !== undefined && kindOf(old) !== kindOf(each)) throw mismatch(field, old, each);
      else this.#write(value, path, name, each, inner);
    }
  }

  #write(
    holder: unknown,
    path: readonly string[],
    name: string,
    value: unknown,
    origin: Origin,
  ): void {
    this.#ownOrigins(holder, path).set(name, origin);
    setOwn(holder as Holder, name, copyOf(value));
  }

  /** @returns the origins of the members of an object or array at a path, from now on in the map */
  #ownOrigins(holder: unknown, path: readonly string[]): Map<string, Origin> {
    const known = this.#origins.get(holder);
    if (known !== undefined) return known;
    const { layer, path: inLayer } = this.#originOf(path);
    const origins = Object.keys(holder as object).map(
      (name) => [name, { layer, path: [...inLayer, name] }] as const,
    );
    const made = new Map<string, Origin>(origins);
    this.#origins.set(holder, made);
    return made;
  }

  /** @returns the origin of the nearest existing value */
  #originOf(path: readonly string[]): Origin {
    let origin: Origin = { layer: this.#base, path: [] };
    let value = this.#root.value;
    for (const name of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) break;
      const known = this.#origins.get(value)?.get(name);
      origin = known ?? { ...origin, path: [...origin.path, name] };
      value = (value as Holder)[name];
    }
    return origin;
  }

  #valueAt(path: readonly string[]): unknown {
    return path.reduce((value, name) => (value as Holder)[name], this.#root.value);
  }
}

class Refused extends Error {
  readonly field: string;
  readonly expected: string;

  constructor(field: string, what: string, expected: string) {
    super(what);
    this.field = field;
    this.expected = expected;
  }
}

function mismatch(field: string, target: unknown, update: unknown): Refused {
  const got = `got ${shown(update)} for ${target === undefined ? 'the contract' : shown(target)}`;
  const kind = kindOf(target);
  return new Refused(
    field,
    got,
    `expected ${kind === 'value' ? 'a string, number, boolean or null' : `an ${kind}`}`,
  );
}

function kindOf(value: unknown): Kind {
  if (Array.isArray(value)) return 'array';
  return isObject(value) ? 'object' : 'value';
}

function unknownIn(holder: Holder, known: readonly string[]): string[] {
  return Object.keys(holder).filter((key) => !known.includes(key) && !key.startsWith('x-'));
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return kindOf(value) === 'value' ? JSON.stringify(value) : `an ${kindOf(value)}`;
}

/** Without shared parts, as aliases of YAML make them: each is changed alone. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each)]));
}
