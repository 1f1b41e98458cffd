// Code actions: accept a change, add the error responses that are missing, add an example.
import { resolve } from 'node:path';
import { POLICY, parseText, type Sources, undeclaredErrors } from '@stubwright/cli/editor';
import { isObject, stringifyJson } from '@stubwright/contract';
import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  type Position,
  type TextDocumentEdit,
  type TextEdit,
} from 'vscode-languageserver-types';
import type { AcceptableChange } from './findings.ts';
import { sampleAt } from './language.ts';
import { type EditedContract, pointerTo } from './model.ts';
import { URI_OF } from './uris.ts';

/** Days for which a change is accepted. */
const ACCEPTED_DAYS = 90;
const DAY_MS = 86_400_000;

/** @param diagnostics of changes at the position, with their data */
export async function actionsAt(
  edited: EditedContract | undefined,
  {
    path,
    position,
    diagnostics,
    cwd,
    sources,
  }: {
    readonly path: string;
    readonly position: Position;
    readonly diagnostics: readonly Diagnostic[];
    readonly cwd: string;
    readonly sources: Sources;
  },
): Promise<CodeAction[]> {
  const accepting = diagnostics.map((diagnostic) => accept(diagnostic, { cwd, sources }));
  const others =
    edited === undefined
      ? []
      : [exampleAt(edited, path, position), errorResponsesAt(edited, path, position)];
  return (await Promise.all([...accepting, ...others])).filter((action) => action !== undefined);
}

/** Adds the change to compatibility.yaml. */
async function accept(
  diagnostic: Diagnostic,
  { cwd, sources }: { readonly cwd: string; readonly sources: Sources },
): Promise<CodeAction | undefined> {
  const { rule, change, locations } = diagnostic.data as AcceptableChange;
  const path = resolve(cwd, POLICY);
  const isNew = !sources.exists(path);
  const text = isNew ? '' : (await sources.read(path)).toString();
  const edit = acceptance(text, (indent) => entriesOf({ rule, change, locations }, indent));
  if (edit === undefined) return undefined;
  const uri = URI_OF.file(path);
  const document: TextDocumentEdit = { textDocument: { uri, version: null }, edits: [edit] };
  return {
    title: `Accept this change in ${POLICY}`,
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnostic],
    edit: { documentChanges: [...(isNew ? [{ kind: 'create' as const, uri }] : []), document] },
  };
}

function entriesOf({ rule, change, locations }: AcceptableChange, indent: string): string {
  const expires = new Date(Date.now() + ACCEPTED_DAYS * DAY_MS).toISOString().slice(0, 10);
  return locations
    .map((location) =>
      [
        `${indent}- rule: ${rule}`,
        `${indent}  change: ${JSON.stringify(change)}`,
        `${indent}  location: ${JSON.stringify(location)}`,
        `${indent}  reason: say here why no client is affected`,
        `${indent}  expires: ${JSON.stringify(expires)}`,
        '',
      ].join('\n'),
    )
    .join('');
}

/** @returns undefined for a policy that cannot be extended by lines */
function acceptance(text: string, entries: (indent: string) => string): TextEdit | undefined {
  const { value, errors, positions } = parseText(text, false);
  if (errors !== undefined) return undefined;
  const { ignore } = Object(value);
  const list: unknown[] = Array.isArray(ignore) ? ignore : [];
  const lines = text.split('\n');
  if (list.length === 0) {
    if (ignore !== undefined) return undefined;
    const separator = text === '' || text.endsWith('\n') ? '' : '\n';
    const at = { line: lines.length - 1, character: lines.at(-1)!.length };
    return { range: { start: at, end: at }, newText: `${separator}ignore:\n${entries('  ')}` };
  }
  const first = positions.lineAndColumn(positions.find(['ignore', '0']).start);
  const [indent] = /^\s*(?=- )/.exec(lines[first.line - 1]!) ?? [];
  if (indent === undefined) return undefined;
  const { end } = positions.find(['ignore', String(list.length - 1)]);
  const { line } = positions.lineAndColumn(end);
  const isLast = line >= lines.length;
  const at = isLast
    ? { line: line - 1, character: lines[line - 1]!.length }
    : { line, character: 0 };
  return { range: { start: at, end: at }, newText: (isLast ? '\n' : '') + entries(indent) };
}

/** For a schema or a media type without example. */
async function exampleAt(
  edited: EditedContract,
  path: string,
  position: Position,
): Promise<CodeAction | undefined> {
  const cursor = edited.cursorAt(path, position);
  for (let tokens = cursor?.tokens ?? []; tokens.length > 0; tokens = tokens.slice(0, -1)) {
    const at = edited.kindAt(path, tokens);
    if (at?.kind.is !== 'object' || !isObject(at.node)) continue;
    const isMediaType = at.kind.of === 'MediaType';
    if (!isMediaType && at.kind.of !== 'Schema') return undefined;
    const { $ref, example, examples, schema } = at.node;
    if ($ref !== undefined || example !== undefined || examples !== undefined) return undefined;
    if (isMediaType && schema === undefined) return undefined;
    const pointer = pointerTo(isMediaType ? [...tokens, 'schema'] : tokens);
    const sample = await sampleAt(edited, { path, pointer });
    if (sample === undefined) return undefined;
    const text = stringifyJson(sample);
    const isList = !isMediaType && edited.minor > 0;
    const edit = added(edited, path, tokens, isList ? `examples: [${text}]` : `example: ${text}`);
    return edit && action('Add an example', path, edit);
  }
  return undefined;
}

/** For the operation at the position: a copy of an error response that it declares, else a description. */
async function errorResponsesAt(
  edited: EditedContract,
  path: string,
  position: Position,
): Promise<CodeAction | undefined> {
  const tokens = edited.cursorAt(path, position)?.tokens ?? [];
  const length = tokens.findIndex((_, at) => {
    const kind = edited.kindAt(path, tokens.slice(0, at + 1))?.kind;
    return kind?.is === 'object' && kind.of === 'Operation';
  });
  if (length < 0) return undefined;
  const operation = tokens.slice(0, length + 1);
  const definition = await edited.definition.catch(() => undefined);
  const pointer = edited.bundled({ path, pointer: pointerTo(operation) });
  if (definition === undefined || pointer === undefined) return undefined;
  const found = await undeclaredErrors(definition, undefined);
  const missing = found.find(
    (errorFinding) => errorFinding.pointer === `${pointer}/responses`,
  )?.undeclared;
  const responses = Object(edited.kindAt(path, operation)?.node).responses;
  if (missing === undefined || !isObject(responses)) return undefined;
  const model = Object.entries(responses).find(([status]) => /^[45]/.test(status))?.[1];
  const lines = missing.statuses.map((status) => {
    const response = model ?? { description: `Error ${status}` };
    return `'${status}': ${stringifyJson(response)}`;
  });
  const holder = [...operation, 'responses'];
  const edit = added(edited, path, holder, ...lines);
  const title = `Add the missing error responses: ${missing.statuses.join(', ')}`;
  return edit && action(title, path, edit);
}

/** @returns an edit that adds entries to a block mapping of YAML; undefined for another one */
function added(
  edited: EditedContract,
  path: string,
  tokens: readonly string[],
  ...entries: readonly string[]
): TextEdit | undefined {
  const { positions } = edited.fileAt(path)!;
  const [first] = positions.entries(tokens).values();
  const { start } = positions.find(tokens);
  if (first === undefined || positions.text[start] === '{') return undefined;
  const { line, column } = positions.lineAndColumn(first.keyStart);
  const indent = ' '.repeat(column - 1);
  const at = { line: line - 1, character: column - 1 };
  return {
    range: { start: at, end: at },
    newText: entries.map((entry) => `${entry}\n${indent}`).join(''),
  };
}

function action(title: string, path: string, edit: TextEdit): CodeAction {
  return {
    ...{ title, kind: CodeActionKind.QuickFix },
    edit: { changes: { [URI_OF.file(path)]: [edit] } },
  };
}
