// Makes one document of a contract in several files: what others hold becomes a component, or replaces its reference.
import { basename } from 'node:path';
import {
  escapeToken,
  fragmentOf,
  isObject,
  type Node,
  setOwn,
  unescapeToken,
} from '@stubwright/contract';
import { type FieldKind, objectType } from '@stubwright/contract/openapi-table';
import type { SourceFile, Target } from './files.ts';
import { isReference, isStructured, kindOfProperty, type ReferenceResolver } from './walk.ts';

export interface Bundled {
  readonly document: Node;
  /** The source of each part that comes from another location, by JSON pointer in the document. */
  readonly origins: ReadonlyMap<string, Target>;
}

/** A value that is nested too deep when targets replace their references. */
export class NestedTooDeep extends Error {
  readonly location: Target;
  readonly limit: number;

  constructor(location: Target, limit: number) {
    super('the contract is nested too deep');
    this.location = location;
    this.limit = limit;
  }
}

/** Of objects and arrays that replace a reference in each other. */
const MAX_DEPTH = 100;

/** A value that is copied to a location of the document. */
interface Task extends Target {
  /** Undefined for data. */
  readonly kind: FieldKind | undefined;
  readonly holder: Node;
  readonly key: string;
  /** JSON pointer in the document. */
  readonly out: string;
  /** The references that led here, each replaced by its target. */
  readonly replaced: Replaced | undefined;
}

interface Replaced {
  readonly node: unknown;
  readonly out: string;
  readonly before: Replaced | undefined;
  readonly depth: number;
}

/** Copies a contract whose references are resolved, without references to other files. */
export class Bundler {
  readonly #root: SourceFile;
  readonly #references: ReferenceResolver;
  readonly #minor: number;
  readonly #origins = new Map<string, Target>();
  readonly #pending: Task[] = [];
  /** The names of components, by group. */
  readonly #names = new Map<string, Set<string>>();
  /** The names of components that are in other files, by group and location. */
  readonly #components = new Map<string, string>();
  /** The components that are added, by group. */
  readonly #added = new Map<string, Node>();

  constructor(root: SourceFile, references: ReferenceResolver, minor: number) {
    this.#root = root;
    this.#references = references;
    this.#minor = minor;
  }

  bundle(): Bundled {
    this.#readComponents();
    const result: { document: Node } = { document: {} };
    const kind: FieldKind = { is: 'object', of: 'Root' };
    const root = { file: this.#root, pointer: '', node: this.#root.value };
    this.#pending.push({
      ...root,
      kind,
      holder: result,
      key: 'document',
      out: '',
      replaced: undefined,
    });
    for (let task = this.#pending.pop(); task !== undefined; task = this.#pending.pop()) {
      this.#copy(task);
    }
    const { document } = result;
    if (this.#added.size > 0) document.components ??= {};
    for (const [group, added] of this.#added) {
      document.components[group] = { ...document.components[group], ...added };
    }
    return { document, origins: this.#origins };
  }

  /** A component that is a reference to another file gets its target. */
  #readComponents(): void {
    const own = this.#end({
      ...{ file: this.#root, pointer: '/components', node: (this.#root.value as Node).components },
    });
    for (const [group, written] of Object.entries(Object(own?.node))) {
      const map = this.#end({
        file: own!.file,
        pointer: `${own!.pointer}/${group}`,
        node: written,
      });
      if (!isObject(map?.node)) continue;
      const names = Object.keys(map.node);
      this.#names.set(group, new Set(names));
      for (const name of names) {
        const pointer = `${map.pointer}/${escapeToken(name)}`;
        const part: Target = { file: map.file, pointer, node: map.node[name] };
        for (const at of [part, this.#end(part)]) {
          if (at === undefined || (at.file === this.#root && at !== part)) continue;
          const key = keyOf(group, at);
          if (!this.#components.has(key)) this.#components.set(key, name);
        }
      }
    }
  }

  #copy(task: Task): void {
    const { node, kind, holder, key, out } = task;
    if (kind?.is === 'schemaName') setOwn(holder, key, this.#selected(task));
    else if (kind !== undefined && isReference(node)) this.#copyReference(task, node);
    else if (
      kind === undefined ||
      !isStructured(kind) ||
      typeof node !== 'object' ||
      node === null
    ) {
      setOwn(holder, key, node);
    } else {
      const copy: Node = Array.isArray(node) ? [] : {};
      setOwn(holder, key, copy);
      this.#copyParts(task, copy, out);
    }
  }

  #copyParts(task: Task, copy: Node, out: string): void {
    const { file, node, pointer, replaced } = task;
    const parts = Object.entries(node as Node).map(([key, value]): Task => {
      const token = `/${escapeToken(key)}`;
      const kind = kindOfProperty({ kind: task.kind!, node }, key, this.#minor);
      // In the order of the source, whichever is copied first.
      setOwn(copy, key, value);
      const at = { file, node: value, pointer: pointer + token, out: out + token };
      return { ...at, kind, holder: copy, key, replaced };
    });
    this.#pending.push(...parts.reverse());
  }

  #copyReference(task: Task, node: Node): void {
    const { kind, holder, key, out } = task;
    const target = this.#end(task);
    const { $ref, ...siblings } = node;
    const isPart = isStructured(kind!);
    const isOwnComponent = this.#isComponent(task, target);
    const isKept = isPart && target !== undefined && this.#isKept(task, $ref, target);
    const ref = isKept ? $ref : isPart && !isOwnComponent ? this.#refTo(target, task) : undefined;
    if (ref === undefined && target !== undefined) {
      if (this.#origins.get(out)?.node !== target.node) this.#origins.set(out, target);
      this.#replace(task, target, siblings);
      return;
    }
    const copy: Node = { ...node, $ref: ref ?? $ref };
    setOwn(holder, key, copy);
    this.#copyParts({ ...task, node: siblings }, copy, out);
  }

  /** True for a reference in the file of the contract, or in a schema with an `$id`. */
  #isKept({ file, pointer }: Task, ref: string, target: Target): boolean {
    if (!ref.startsWith('#') || target.file !== file) return false;
    if (file === this.#root) return ref.startsWith('#/');
    const from = { file, pointer: () => pointer, isSchema: true };
    return this.#references.isInResource(from, target);
  }

  #isComponent({ out }: Task, target: Target | undefined): boolean {
    const [, components, group = '', name = '', ...rest] = out.split('/');
    if (target === undefined || components !== 'components' || rest.length > 0) return false;
    return this.#components.get(keyOf(group, target)) === unescapeToken(name);
  }

  /** Properties beside a reference take precedence. */
  #replace(task: Task, target: Target, siblings: Node): void {
    const { kind, holder, key, out } = task;
    const depth = (task.replaced?.depth ?? 0) + 1;
    if (depth > MAX_DEPTH) throw new NestedTooDeep(task, MAX_DEPTH);
    const replaced = { node: target.node, out, before: task.replaced, depth };
    const inner = { ...target, kind, holder, key, out, replaced };
    if (!isObject(target.node) || Object.keys(siblings).length === 0) {
      this.#pending.push(inner);
      return;
    }
    const copy: Node = {};
    setOwn(holder, key, copy);
    this.#copyParts({ ...task, node: siblings }, copy, out);
    const others = Object.entries(target.node).filter(([name]) => !Object.hasOwn(siblings, name));
    this.#copyParts({ ...inner, node: Object.fromEntries(others) }, copy, out);
  }

  /** @returns undefined for a target that replaces the reference */
  #refTo(target: Target | undefined, { kind, replaced }: Task): string | undefined {
    if (target === undefined) return undefined;
    const name = kind?.is === 'object' ? kind.of : '';
    const group = this.#groupOf(name);
    if (group !== undefined) return this.#componentRef(target, group, kind!);
    if (target.file === this.#root && name === 'PathItem') return fragmentOf(target.pointer);
    for (let at = replaced; at !== undefined; at = at.before) {
      if (at.node === target.node) return fragmentOf(at.out);
    }
    return undefined;
  }

  #groupOf(name: string): string | undefined {
    const group = name === '' ? undefined : objectType(name, this.#minor).group;
    const hasGroup = group && objectType('Components', this.#minor).fields.has(group);
    return hasGroup ? group : undefined;
  }

  #componentRef(target: Target, group: string, kind: FieldKind): string {
    const key = keyOf(group, target);
    const known = this.#components.get(key);
    const toComponent = (name: string) => fragmentOf(`/components/${group}/${escapeToken(name)}`);
    if (known !== undefined) return toComponent(known);
    if (target.file === this.#root) return fragmentOf(target.pointer);
    const names = this.#names.get(group) ?? new Set();
    this.#names.set(group, names);
    const name = freeName(nameOf(target), names);
    names.add(name);
    this.#components.set(key, name);
    const holder = this.#added.get(group) ?? {};
    this.#added.set(group, holder);
    const out = `/components/${group}/${name}`;
    this.#origins.set(out, target);
    setOwn(holder, name, target.node);
    this.#pending.push({ ...target, kind, holder, key: name, out, replaced: undefined });
    return toComponent(name);
  }

  /** The value of a discriminator: the name of a schema, or a reference to one. */
  #selected({ file, pointer, node }: Task): unknown {
    const isName = typeof node !== 'string' || this.#names.get('schemas')?.has(node);
    if (isName || !/[/.#]/.test(node)) return node;
    const from = { file, pointer: () => pointer, isSchema: true };
    const found = this.#references.resolve(node, from);
    const target = found && this.#end(found);
    if (target === undefined) return node;
    if (file === this.#root && target.file === this.#root) return node;
    return this.#componentRef(target, 'schemas', { is: 'object', of: 'Schema' });
  }

  /** The end of references without properties beside them; undefined without a target. */
  #end(start: Target): Target | undefined {
    const seen = new Set<unknown>();
    let at: Target | undefined = start;
    for (let isFirst = true; at !== undefined && isReference(at.node); isFirst = false) {
      if (seen.has(at.node) || (!isFirst && Object.keys(at.node).length > 1)) return at;
      seen.add(at.node);
      const { file, pointer } = at;
      at = this.#references.resolve(at.node.$ref, { file, pointer: () => pointer, isSchema: true });
    }
    return at;
  }
}

function keyOf(group: string, { file, pointer }: Target): string {
  return `${group} ${file.path}#${pointer}`;
}

const MARKS = /\p{M}+/gu;
const EXTENSION = /\.(?:json|ya?ml)$/i;

/** @returns a name that the specification allows: of the last token of the pointer, or of the file */
function nameOf({ file, pointer }: Target): string {
  const last = unescapeToken(pointer.slice(pointer.lastIndexOf('/') + 1));
  const name = last === '' ? basename(file.path).replace(EXTENSION, '') : last;
  return (
    name
      .normalize('NFKD')
      .replace(MARKS, '')
      .replace(/[^a-zA-Z0-9._-]+/g, '_') || '_'
  );
}

function freeName(name: string, names: ReadonlySet<string>): string {
  let free = name;
  for (let at = 2; names.has(free); at++) free = `${name}-${at}`;
  return free;
}
