// Hover, definition, references, rename and outline of a contract.
import { globSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { operationCallers, type Positions } from '@stubwright/cli/editor';
import {
  escapeToken,
  isObject,
  stringifyJson,
  tokensOf,
  unescapeToken,
} from '@stubwright/contract';
import { type FieldKind, objectType } from '@stubwright/contract/openapi-table';
import { Validators } from '@stubwright/contract/values';
import { Samples } from '@stubwright/mock/samples';
import {
  type DocumentSymbol,
  type Hover,
  type Location,
  type Position,
  SymbolKind,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver-types';
import { shownRange } from './findings.ts';
import type { EditedContract, Place } from './model.ts';
import { URI_OF } from './uris.ts';

/** Lines of a schema or an example in a hover. */
const MAX_LINES = 40;
/** References in references that a hover resolves. */
const MAX_DEPTH = 3;
/** Recorded requests that a hover reads. */
const MAX_RECORDS = 20_000;
const SCALARS: Readonly<Record<string, string>> = {
  ...{ name: 'a string that is not empty', scheme: 'the name of an HTTP authentication scheme' },
  ...{ uri: 'a URI reference', schemaName: 'the name of a schema, or a reference to one' },
  ...{ count: 'an integer of 0 or more', exclusive: 'a number; a boolean in OpenAPI 3.0' },
  ...{ strings: 'an array of strings', type: 'a type of JSON Schema, or an array of them' },
  ...{ data: 'any value', array: 'an array', namesByName: 'property names by property name' },
  ...{ dependencies: 'schemas or property names by property name' },
  ...{ string: 'a string', boolean: 'a boolean', number: 'a number' },
};

export async function hoverAt(
  edited: EditedContract,
  path: string,
  position: Position,
): Promise<Hover | null> {
  const cursor = edited.cursorAt(path, position);
  if (cursor === undefined) return null;
  const { tokens, positions } = cursor;
  const target = edited.targetAt(path, position);
  const place: Place = target ?? cursor;
  const parts = [
    ...fieldText(edited, path, tokens),
    ...(await callersText(edited, cursor)),
    ...(await schemaText(edited, place)),
  ];
  if (parts.length === 0) return null;
  const range = shownRange(positions, positions.find(tokens));
  return { contents: { kind: 'markdown', value: parts.join('\n\n') }, range };
}

/** The entry of a field in the table of objects. */
function fieldText(edited: EditedContract, path: string, tokens: readonly string[]): string[] {
  const parent = edited.kindAt(path, tokens.slice(0, -1));
  const name = tokens.at(-1);
  const at = edited.kindAt(path, tokens);
  if (parent === undefined || name === undefined || at === undefined) return [];
  const { minor } = edited;
  const requiredFields = at.kind.is === 'object' ? requiredText(at.kind.of, minor) : '';
  if (parent.kind.is !== 'object') return [`**${name}**: ${kindText(at.kind)}${requiredFields}`];
  const { required } = objectType(parent.kind.of, minor);
  const isRequired = required.includes(name) ? ', required' : '';
  const anchor = `${parent.kind.of.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}-object`;
  const page = `https://spec.openapis.org/oas/v3.${minor}.html#${anchor}`;
  return [
    `**${name}**${isRequired}: ${kindText(at.kind)}${requiredFields}`,
    `Field of the [${parent.kind.of} Object](${page}) of OpenAPI 3.${minor}`,
  ];
}

function requiredText(of: string, minor: number): string {
  const { required } = objectType(of, minor);
  return required.length === 0 ? '' : `, with ${required.join(', ')}`;
}

function kindText(kind: FieldKind): string {
  if (kind.is === 'object') return `a ${kind.of} Object`;
  if (kind.is === 'list') return `an array; each item is ${kindText(kind.of)}`;
  if (kind.is === 'map') return `an object; each value is ${kindText(kind.of)}`;
  if (kind.is === 'oneOf') return `one of ${kind.values.join(', ')}`;
  return SCALARS[kind.is] ?? kind.is;
}

/** Of one contract. */
let lastCallers: { readonly key: string; readonly texts: ReadonlyMap<string, string> } | undefined;

/** Of an operation, in the recording of stubwright.yaml. */
async function callersText(edited: EditedContract, place: Place): Promise<string[]> {
  const at = edited.kindAt(place.path, tokensOf(place.pointer));
  if (at?.kind.is !== 'object' || at.kind.of !== 'Operation') return [];
  const { file, traffic } = await edited.files.settings();
  if (file === undefined || traffic.length === 0) return [];
  const cwd = dirname(file);
  const files = globSync([...traffic], { cwd }).sort();
  if (files.length === 0) return [];
  try {
    const definition = await edited.definition;
    const stats = files.map((path) => statSync(join(cwd, path)));
    const key = JSON.stringify([
      ...[cwd, files, stats.map(({ mtimeMs, size }) => [mtimeMs, size])],
      ...definition.operations.map(({ route, pointer }) => [route, pointer]),
    ]);
    if (lastCallers?.key !== key) {
      const texts = await operationCallers(definition, { files, cwd, most: MAX_RECORDS });
      lastCallers = { key, texts };
    }
    const text = lastCallers.texts.get(edited.bundled(place) ?? '');
    return text === undefined ? [] : [`Called by ${text}`];
  } catch (error) {
    return [`No callers: ${(error as Error).message}`];
  }
}

/** A schema with its references resolved, and a value. */
async function schemaText(edited: EditedContract, place: Place): Promise<string[]> {
  const at = edited.kindAt(place.path, tokensOf(place.pointer));
  if (at?.kind.is !== 'object' || at.kind.of !== 'Schema' || !isObject(at.node)) return [];
  const file = edited.fileAt(place.path)!;
  const resolved = resolvedSchema(edited, { file, pointer: place.pointer, node: at.node }, 0);
  const sample = await sampleAt(edited, place);
  return [
    fenced(stringifyJson(resolved, 2)),
    ...(sample === undefined ? [] : ['Example:', fenced(stringifyJson(sample, 2))]),
  ];
}

function fenced(text: string): string {
  const lines = text.split('\n');
  const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '…'] : lines;
  return `\`\`\`json\n${shown.join('\n')}\n\`\`\``;
}

/** @returns a valid value of a schema; undefined if none is found, or if the contract has errors */
export async function sampleAt(edited: EditedContract, place: Place): Promise<unknown> {
  try {
    const definition = await edited.definition;
    const pointer = edited.bundled(place);
    if (pointer === undefined) return undefined;
    return new Samples(new Validators(definition, 'response')).at(pointer, 'example');
  } catch {
    return undefined;
  }
}

type Target = Parameters<typeof resolvedSchema>[1];

function resolvedSchema(
  edited: EditedContract,
  {
    file,
    pointer,
    node,
  }: {
    readonly file: NonNullable<ReturnType<EditedContract['fileAt']>>;
    readonly pointer: string;
    readonly node: unknown;
  },
  depth: number,
): unknown {
  if (typeof node !== 'object' || node === null) return node;
  const ref: unknown = Object(node).$ref;
  if (typeof ref === 'string') {
    if (depth >= MAX_DEPTH) return node;
    const from = { file, pointer: () => pointer, isSchema: true };
    const found = edited.contract.references.resolve(ref, from);
    return found === undefined ? node : resolvedSchema(edited, found as Target, depth + 1);
  }
  const below = (key: string | number, value: unknown) =>
    resolvedSchema(
      edited,
      { file, pointer: `${pointer}/${escapeToken(String(key))}`, node: value },
      depth,
    );
  if (Array.isArray(node)) return node.slice(0, MAX_LINES).map((value, at) => below(at, value));
  const entries = Object.entries(node).slice(0, MAX_LINES);
  return Object.fromEntries(entries.map(([key, value]) => [key, below(key, value)]));
}

export function definitionAt(
  edited: EditedContract,
  path: string,
  position: Position,
): Location | null {
  const target = edited.targetAt(path, position);
  const range = target && (edited.nameOf(target)?.range ?? edited.rangeAt(target));
  return target && range ? { uri: URI_OF.file(target.path), range } : null;
}

/** @returns the declaration too, the first */
export function referencesAt(edited: EditedContract, path: string, position: Position): Location[] {
  const target = edited.targetAt(path, position);
  if (target === undefined) return [];
  const declared = edited.nameOf(target)?.range ?? edited.rangeAt(target);
  const links = edited.links.filter((link) => isSamePlace(link.target, target));
  return [
    ...(declared ? [{ uri: URI_OF.file(target.path), range: declared }] : []),
    ...links.map((link) => {
      return { uri: URI_OF.file(link.path), range: edited.linkRange(link).range };
    }),
  ];
}

/** @returns the name at a position that can be renamed; null for other positions */
export function nameAt(edited: EditedContract, path: string, position: Position) {
  const target = edited.targetAt(path, position);
  const declared = target && edited.nameOf(target);
  if (target === undefined || declared === undefined) return null;
  const at = referencesAt(edited, path, position).find(
    ({ uri, range: { start, end } }) =>
      uri === URI_OF.file(path) &&
      start.line === position.line &&
      start.character <= position.character &&
      position.character <= end.character,
  );
  return at === undefined ? null : { range: at.range, placeholder: declared.name };
}

/** The names of components, and of other parts, which need no quotes in YAML. */
const NAME = /^[A-Za-z_][A-Za-z0-9._-]*$/;

/** @throws {Error} for a name that OpenAPI does not permit, or that is used */
export function renamed(
  edited: EditedContract,
  path: string,
  position: Position,
  name: string,
): WorkspaceEdit | null {
  const target = edited.targetAt(path, position);
  const declared = target && edited.nameOf(target);
  if (target === undefined || declared === undefined) return null;
  if (!NAME.test(name)) throw new Error(`got ${name}, expected a name that matches ${NAME.source}`);
  const tokens = tokensOf(target.pointer);
  const isComponent = tokens[0] === 'components';
  const { value } = edited.fileAt(target.path)!;
  const siblings = Object(Object(Object(value).components)[tokens[1]!]);
  if (isComponent && name !== declared.name && Object.hasOwn(siblings, name)) {
    throw new Error(`got ${name}, which is used, expected another name`);
  }
  const changes: Record<string, TextEdit[]> = {};
  const add = (file: string, edit: TextEdit) => {
    const uri = URI_OF.file(file);
    changes[uri] = [...(changes[uri] ?? []), edit];
  };
  const { text } = edited.fileAt(target.path)!.positions;
  add(target.path, {
    range: declared.range,
    newText: quotedAs(textIn(text, declared.range), name),
  });
  for (const link of edited.links) {
    const isBelow = link.isReference && link.target.pointer.startsWith(`${target.pointer}/`);
    if (!isSamePlace(link.target, target) && !(isBelow && link.target.path === target.path)) {
      continue;
    }
    const { range, text: written } = edited.linkRange(link);
    const newText = link.isReference
      ? withToken(written, tokens.length - 1, declared.name, name)
      : quotedAs(written, name);
    if (newText !== undefined) add(link.path, { range, newText });
  }
  return { changes };
}

/** Of one line. */
function textIn(text: string, { start, end }: Location['range']): string {
  return (text.split('\n', start.line + 1)[start.line] ?? '').slice(start.character, end.character);
}

function quotedAs(written: string, name: string): string {
  const [quote = ''] = /^['"]/.exec(written) ?? [];
  return quote + name + quote;
}

/** @returns the reference with another token of its pointer; undefined if its fragment is no such pointer */
function withToken(written: string, index: number, old: string, name: string): string | undefined {
  const [uri = '', fragment] = written.split('#');
  const parts = fragment?.split('/') ?? [];
  const token = parts[index + 1]?.replace(/['"]$/, '');
  if (token === undefined || unescapeToken(decodeURIComponent(token)) !== old) return undefined;
  parts[index + 1] = parts[index + 1]!.replace(token, () => escapeToken(name));
  return `${uri}#${parts.join('/')}`;
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.path === other.path && one.pointer === other.pointer;
}

/** Levels of a value that is no path and no component. */
const OUTLINE_DEPTH = 2;

export function outlineOf(positions: Positions): DocumentSymbol[] {
  const symbols = (tokens: readonly string[]): DocumentSymbol[] =>
    [...positions.entries(tokens)].map(([name, found]) => {
      const [at] = tokens;
      const isDeep = at === 'paths' || at === 'webhooks' || at === 'components';
      const below = tokens.length < (isDeep ? OUTLINE_DEPTH + 1 : OUTLINE_DEPTH) - 1;
      const isMethod = tokens.length === 2 && at !== 'components';
      const [start, end] = [found.keyStart, found.end].map((number) => {
        const { line, column } = positions.lineAndColumn(number);
        return { line: line - 1, character: column - 1 };
      });
      return {
        name: name || '""',
        kind: isMethod ? SymbolKind.Method : isDeep ? SymbolKind.Class : SymbolKind.Namespace,
        range: { start: start!, end: end! },
        selectionRange: shownRange(positions, { ...found, end: found.keyEnd }),
        ...(below && { children: symbols([...tokens, name]) }),
      };
    });
  return symbols([]);
}
