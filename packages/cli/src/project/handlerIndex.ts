// src/handlers/index.ts: its text, and the entries of an existing one.
import ts from 'typescript';
import { propertyKey } from './names.ts';

/** The first line; without it `stubwright generate` leaves the handlers alone. */
export const HEADER = '// The handlers by operationId; a missing one is a type error.';

export interface Entry {
  readonly operationId: string;
  readonly name: string;
}

export function indexText(entries: readonly Entry[]): string {
  const imports = [
    ...entries.map(({ name }) => [name, `import { ${name} } from "./${name}.ts";`] as const),
    ['operation', 'import type { Handlers } from "./operation.ts";'] as const,
    ['services', 'import type { Services } from "./services.ts";'] as const,
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    HEADER,
    ...imports.map(([, line]) => line),
    '',
    'export const handlers: Handlers<Services> = {',
    ...entries.map((entry) => `  ${propertyOf(entry)},`),
    '};',
    '',
  ].join('\n');
}

function propertyOf({ operationId, name }: Entry): string {
  if (operationId === name) return name;
  const key = propertyKey(operationId);
  // As Prettier breaks a line of more than 80 characters.
  return key.length + name.length > 75 ? `${key}:\n    ${name}` : `${key}: ${name}`;
}

/**
 * @returns the entries of an index as {@link indexText} writes it, in any formatting; undefined for one
 *   with other content
 */
export function indexEntriesOf(text: string): Entry[] | undefined {
  const entries = propertiesIn(text).map(entryOf);
  if (!entries.every((entry) => entry !== undefined)) return undefined;
  return tokensOf(text).join('\n') === tokensOf(indexText(entries)).join('\n')
    ? entries
    : undefined;
}

/** @returns the keys of the exported object, also in an index with other content */
export function operationsIn(text: string): Set<string> {
  const keys = propertiesIn(text).map(keyIn);
  return new Set(keys.filter((key) => key !== undefined));
}

/** @returns the properties of the objects that variables of a module hold */
function propertiesIn(text: string): ts.ObjectLiteralElementLike[] {
  const { statements } = ts.createSourceFile('index.ts', text, ts.ScriptTarget.Latest);
  const declared = statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations);
  return declared.flatMap(({ initializer }) =>
    initializer !== undefined && ts.isObjectLiteralExpression(initializer)
      ? initializer.properties
      : [],
  );
}

function entryOf(property: ts.ObjectLiteralElementLike): Entry | undefined {
  const operationId = keyIn(property);
  if (operationId === undefined) return undefined;
  if (ts.isShorthandPropertyAssignment(property)) return { operationId, name: operationId };
  if (!ts.isPropertyAssignment(property) || !ts.isIdentifier(property.initializer)) {
    return undefined;
  }
  return { operationId, name: property.initializer.text };
}

function keyIn({ name }: ts.ObjectLiteralElementLike): string | undefined {
  const key = name !== undefined && ts.isComputedPropertyName(name) ? name.expression : name;
  const isText = key !== undefined && (ts.isIdentifier(key) || ts.isStringLiteral(key));
  return isText ? key.text : undefined;
}

/** Sorted, because formatters sort imports; without separators and quotes, which they change. */
function tokensOf(text: string): string[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false);
  scanner.setText(text);
  const tokens: string[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    const value = kind === ts.SyntaxKind.StringLiteral ? scanner.getTokenValue() : undefined;
    const token = (value ?? scanner.getTokenText()).trim();
    if (token !== '' && token !== ',' && token !== ';') tokens.push(token);
  }
  return tokens.sort();
}
