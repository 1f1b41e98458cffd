// Completion: fields, keywords, values, media types, statuses, names and references.
import { STATUS_CODES } from 'node:http';
import { dirname, relative, sep } from 'node:path';
import { parseText } from '@stubwright/cli/editor';
import { escapeToken, formats, INTEGER_FORMATS, isObject } from '@stubwright/contract';
import { type FieldKind, objectType } from '@stubwright/contract/openapi-table';
import {
  type CompletionItem,
  CompletionItemKind,
  type Position,
} from 'vscode-languageserver-types';
import type { EditedContract } from './model.ts';

const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];
/** Besides those that the engine enforces. */
const FORMATS = [
  ...Object.keys(formats),
  ...Object.keys(INTEGER_FORMATS),
  ...['float', 'double', 'binary', 'password'],
];
const MEDIA_TYPES = [
  ...['application/json', 'application/problem+json', 'application/x-www-form-urlencoded'],
  ...['application/octet-stream', 'multipart/form-data', 'text/plain', 'text/event-stream'],
];
/** Takes the place of the word at the cursor: a text that is typed rarely parses. */
const MARKER = 'stubwrightCursor';
const WORD = /["']?[\w$./#~*+-]*/;
const BEFORE = new RegExp(`${WORD.source}$`);
const AFTER = /^[\w$./#~*+-]*["']?/;

interface Typed {
  readonly tokens: readonly string[];
  readonly isKey: boolean;
  /** The other keys. */
  readonly siblings: readonly string[];
}

export function completionsAt(
  edited: EditedContract,
  path: string,
  { line, character }: Position,
  text: string,
): CompletionItem[] {
  const lines = text.split('\n');
  const written = lines[line] ?? '';
  const [before = ''] = BEFORE.exec(written.slice(0, character)) ?? [];
  const [after = ''] = AFTER.exec(written.slice(character)) ?? [];
  const range = {
    start: { line, character: character - before.length },
    end: { line, character: character + after.length },
  };
  const head = written.slice(0, range.start.character);
  const tail = written.slice(range.end.character);
  const isValue = /[:[,]\s*$/.test(head) && !/[{]\s*$/.test(head);
  const withLine = (marker: string) =>
    [...lines.slice(0, line), head + marker + tail, ...lines.slice(line + 1)].join('\n');
  const offset = lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + head.length;
  const keys = [`${MARKER}:`, `"${MARKER}": 0`, `"${MARKER}": 0,`];
  const values = [MARKER, `"${MARKER}"`, `"${MARKER}",`];
  for (const marker of isValue ? [...values, ...keys] : [...keys, ...values]) {
    const typed = typedIn(withLine(marker), offset + marker.indexOf(MARKER));
    if (typed === undefined) continue;
    const hasColon = /^\s*:/.test(tail);
    return itemsFor(edited, path, typed).map((item) => {
      const isQuoted = /^["']/.test(before) || (!item.isKey && /[#*]|^\d/.test(item.label));
      const quote = /^["']/.exec(before)?.[0] ?? "'";
      const name = isQuoted || /^\d/.test(item.label) ? quote + item.label + quote : item.label;
      const newText = item.isKey && !hasColon ? `${name}:${item.isScalar ? ' ' : ''}` : name;
      const { label, detail } = item;
      const kind = item.isKey ? CompletionItemKind.Field : CompletionItemKind.Value;
      return {
        ...{ label, kind, ...(detail && { detail }) },
        filterText: name,
        textEdit: { range, newText },
      };
    });
  }
  return [];
}

/** @returns undefined if the text with the marker cannot be parsed, or has it elsewhere */
function typedIn(text: string, offset: number): Typed | undefined {
  const { positions, errors } = parseText(text, false);
  if (errors !== undefined) return undefined;
  const tokens = positions.pathAt(offset);
  const found = positions.find(tokens);
  const isKey = tokens.at(-1) === MARKER;
  if (!isKey && !positions.text.slice(found.start, found.end).includes(MARKER)) return undefined;
  const holder = isKey ? tokens.slice(0, -1) : tokens;
  const siblings = isKey ? [...positions.entries(holder).keys()] : [];
  return { tokens: isKey ? holder : tokens, isKey, siblings };
}

interface Item {
  readonly label: string;
  readonly isKey: boolean;
  readonly isScalar?: boolean;
  readonly detail?: string;
}

function itemsFor(
  edited: EditedContract,
  path: string,
  { tokens, isKey, siblings }: Typed,
): Item[] {
  const name = tokens.at(-1);
  const parent = edited.kindAt(path, tokens.slice(0, -1));
  if (!isKey && name === '$ref' && parent?.kind.is === 'object') {
    return valuesOf(references(edited, path, parent.kind.of));
  }
  const at = edited.kindAt(path, tokens);
  if (at === undefined) return isKey ? [] : valuesOf(listed(edited, parent?.kind, tokens));
  const { kind } = at;
  if (kind.is === 'object' || kind.is === 'map') {
    const keys = keysOf(edited, kind).filter(({ label }) => !siblings.includes(label));
    return keys;
  }
  if (isKey) return [];
  if (kind.is === 'boolean') return valuesOf(['true', 'false']);
  if (kind.is === 'oneOf') return valuesOf(kind.values);
  if (kind.is === 'type') return valuesOf(edited.minor === 0 ? TYPES.slice(0, -1) : TYPES);
  if (name === 'format' && kindName(parent?.kind) === 'Schema') return valuesOf(FORMATS);
  if (name === 'operationId' && kindName(parent?.kind) === 'Link') {
    return valuesOf([...operationIds(edited)]);
  }
  if (kind.is === 'schemaName') return valuesOf(references(edited, path, 'Schema'));
  return valuesOf(listed(edited, kind, tokens));
}

/** The names that an item of a list may have. */
function listed(
  edited: EditedContract,
  kind: FieldKind | undefined,
  tokens: readonly string[],
): string[] {
  if (kind?.is !== 'strings' || !tokens.includes('tags')) return [];
  const { tags } = Object(edited.contract.root.value);
  return (Array.isArray(tags) ? tags : []).flatMap((tag) => Object(tag).name ?? []).map(String);
}

function keysOf(edited: EditedContract, kind: FieldKind): Item[] {
  const { minor, contract } = edited;
  const { components } = Object(contract.root.value);
  if (kind.is === 'map') {
    const of = kindName(kind.of);
    if (of === 'Response' && kind.names !== undefined) {
      const statuses = Object.entries(STATUS_CODES).filter(([status]) => !status.startsWith('1'));
      return [
        ...statuses.map(([label, detail]) => ({ label, isKey: true, detail: `${detail}` })),
        { label: 'default', isKey: true },
      ];
    }
    return of === 'MediaType' ? MEDIA_TYPES.map((label) => ({ label, isKey: true })) : [];
  }
  if (kind.is !== 'object') return [];
  const type = objectType(kind.of, minor);
  const names = kind.of === 'SecurityRequirement' ? Object(components).securitySchemes : undefined;
  if (isObject(names)) return Object.keys(names).map((label) => ({ label, isKey: true }));
  const fields = [...type.fields].map(([label, field]): Item => {
    const isScalar = !['object', 'list', 'map'].includes(field.is);
    const detail = type.required.includes(label) ? 'required' : '';
    return { label, isKey: true, isScalar, detail };
  });
  const isReferring = type.group !== undefined && !type.fields.has('$ref');
  return isReferring ? [...fields, { label: '$ref', isKey: true, isScalar: true }] : fields;
}

function references(edited: EditedContract, path: string, of: string): string[] {
  const { group } = objectType(of, edited.minor);
  const { root } = edited.contract;
  if (group === undefined) return [];
  const names = Object.keys(Object(Object(Object(root.value).components)[group]));
  const file = path === root.path ? '' : relative(dirname(path), root.path).split(sep).join('/');
  return names.map((name) => `${file}#/components/${group}/${escapeToken(name)}`);
}

function* operationIds({ contract }: EditedContract): Generator<string> {
  for (const { kind, node } of contract.visits) {
    const { operationId } = Object(node);
    if (kindName(kind) === 'Operation' && typeof operationId === 'string') yield operationId;
  }
}

function kindName(kind: FieldKind | undefined): string | undefined {
  return kind?.is === 'object' ? kind.of : undefined;
}

function valuesOf(labels: readonly string[]): Item[] {
  return labels.map((label) => ({ label, isKey: false }));
}
