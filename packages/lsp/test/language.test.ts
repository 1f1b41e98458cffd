// What an editor asks the language server about a position, through the protocol.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  CodeAction,
  CompletionItem,
  DocumentSymbol,
  Hover,
  Location,
  Position,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type Editor, type Opened, positionOf, project, Server, TOYS, textAt } from './editor.ts';

const CONTRACT = 'openapi.yaml';

const NAMES = `openapi: 3.1.0
info: { title: Names, version: 1.0.0 }
tags:
  - name: shelf
security:
  - token: []
paths:
  /cats:
    get:
      operationId: listCats
      tags: [shelf]
      responses:
        '200':
          description: cats
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Cat/properties/name' }
          links:
            again: { operationId: listCats }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
  schemas:
    Cat:
      type: object
      properties:
        name: { type: string }
    Pet:
      oneOf:
        - $ref: '#/components/schemas/Cat'
        - $ref: "./shared/parts.yaml#/Dog"
      discriminator:
        propertyName: kind
        mapping:
          cat: Cat
          kitten: '#/components/schemas/Cat'
`;
const PARTS = `Dog:
  type: object
  properties:
    chases:
      $ref: ../openapi.yaml#/components/schemas/Cat
`;

/** @returns the text with the edits, which are those of one document */
function edited(text: string, edit: WorkspaceEdit | null, uri: string): string {
  const document = TextDocument.create(uri, 'yaml', 1, text);
  return TextDocument.applyEdits(document, edit?.changes?.[uri] ?? []);
}

interface Session {
  readonly editor: Editor;
  readonly opened: Opened;
  readonly uri: string;
}

const server = new Server();
let names: Session;
let toys: Session;

async function sessionWith(files: Readonly<Record<string, string>>): Promise<Session> {
  const editor = await project(files, server);
  const opened = await editor.open(CONTRACT, files[CONTRACT]!);
  return { editor, opened, uri: opened.uri };
}

beforeAll(async () => {
  names = await sessionWith({ [CONTRACT]: NAMES, 'shared/parts.yaml': PARTS });
  toys = await sessionWith({ [CONTRACT]: TOYS });
});

afterAll(async () => {
  for (const { editor } of [names, toys]) await editor[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

describe('names', () => {
  const within = (part: string) => positionOf(NAMES, part, 1);

  it.each([
    ['a $ref', "'#/components/schemas/Cat'", 'Cat'],
    ['a $ref to another file', '"./shared/parts.yaml', 'Dog'],
    ['a mapping by name', 'Cat\n          kitten', 'Cat'],
    ['a tag', 'shelf]', 'shelf'],
    ['a security scheme', 'token: []', 'token'],
    ['an operationId of a link', 'listCats }', 'listCats'],
  ])('of %s have a definition', async (_, part, name) => {
    const { editor, uri } = names;
    const found = await editor.ask<Location>('definition', uri, within(part));
    const text = found.uri === uri ? NAMES : PARTS;
    expect(textAt(text, found.range)).toBe(name);
    expect(found.uri).toBe(editor.uri(name === 'Dog' ? 'shared/parts.yaml' : CONTRACT));
  });

  it('have references in all files', async () => {
    const { editor, uri } = names;
    const context = { includeDeclaration: true };
    const found = await editor.ask<Location[]>('references', uri, within('Cat:'), { context });
    const texts = found.map(
      (each) => `${each.uri === uri} ${textAt(each.uri === uri ? NAMES : PARTS, each.range)}`,
    );
    expect(texts.sort()).toEqual([
      'false ../openapi.yaml#/components/schemas/Cat',
      "true '#/components/schemas/Cat'",
      "true '#/components/schemas/Cat'",
      'true Cat',
      'true Cat',
    ]);
  });

  it.each([
    ['Cat:', /\bCat\b/g],
    ['token:', /\btoken\b/g],
    ['listCats\n', /\blistCats\b/g],
    ['shelf]', /\bshelf\b/g],
  ])('are renamed everywhere: %s', async (part, all) => {
    const { editor, uri } = names;
    const at = within(part);
    expect(await editor.ask('prepareRename', uri, at)).not.toBeNull();
    const edit = await editor.ask<WorkspaceEdit>('rename', uri, at, { newName: 'renamed' });
    expect(edited(NAMES, edit, uri)).toBe(NAMES.replace(all, 'renamed'));
    const other = editor.uri('shared/parts.yaml');
    expect(edited(PARTS, edit, other)).toBe(PARTS.replace(all, 'renamed'));
  });

  it('are not renamed to one that is used or is no name', async () => {
    const { editor, uri } = names;
    const rename = (newName: string) => editor.ask('rename', uri, within('Cat:'), { newName });
    await expect(rename('Pet')).rejects.toThrow('expected another name');
    await expect(rename('a b')).rejects.toThrow('expected a name that matches');
    expect(await editor.ask('prepareRename', uri, within('type: object'))).toBeNull();
  });
});

describe('a position', () => {
  it.each([
    ['maxLength', ['**maxLength**: an integer of 0 or more', 'schema-object']],
    ['operationId', ['**operationId**', '[Operation Object]', '#operation-object']],
    ["'#/components/schemas/Toy'", ['"maxLength": 20', 'Example:']],
    ['title: Toys', ['**title**, required', 'Info Object']],
  ])('has a hover: %s', async (part, expected) => {
    const { editor, uri } = toys;
    const hover = await editor.ask<Hover>('hover', uri, positionOf(TOYS, part, 1));
    for (const each of expected) expect(Object(hover.contents).value).toContain(each);
  });

  it('has the callers of an operation, if their requests are recorded', async () => {
    const entry = (caller: string, path: string) =>
      JSON.stringify({
        startedDateTime: '2026-11-20T08:00:00Z',
        _caller: caller,
        request: { method: 'POST', url: `http://localhost${path}`, headers: [] },
      });
    const usage = { usage: 2, caller: 'mobile', operation: 'POST /toys', contract: '1.0.0' };
    const at = '2026-11-21T08:00:00Z';
    const counts = { requests: 1200, valid: 1200, first: at, last: at, responses: {}, parts: [] };
    await using editor = await project(
      {
        [CONTRACT]: TOYS,
        'stubwright.yaml': "traffic: ['recorded/*.jsonl', none.jsonl]\n",
        'recorded/a.jsonl': `${entry('web', '/toys')}\n${entry('web', '/other')}\n`,
        'recorded/b.jsonl': `${JSON.stringify({ ...usage, ...counts })}\n`,
      },
      server,
    );
    const { uri } = await editor.open(CONTRACT, TOYS);
    const textFor = async (part: string) =>
      Object((await editor.ask<Hover>('hover', uri, positionOf(TOYS, part, 1))).contents).value;
    expect(await textFor('post:')).toContain(
      'Called by mobile (1,200 requests, last 2026-11-21), web (1 request, last 2026-11-20)',
    );
    expect(await textFor('operationId')).not.toContain('Called by');
    // A line that is not one of a recording.
    editor.write('recorded/b.jsonl', '{}\n');
    await editor.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    expect(await textFor('post:')).toContain('recorded/b.jsonl:1');
    editor.write('stubwright.yaml', '');
    await editor.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    expect(await textFor('post:')).not.toContain('recorded');
  });

  it('is in an outline', async () => {
    const { editor, uri } = toys;
    const found = await editor.ask<DocumentSymbol[]>('documentSymbol', uri, positionOf(TOYS, 'o'));
    const flat = (each: DocumentSymbol): string[] => [
      each.name,
      ...(each.children ?? []).flatMap(flat).map((name) => `${each.name} ${name}`),
    ];
    expect(found.flatMap(flat)).toEqual(
      expect.arrayContaining(['paths /toys post', 'components schemas Toy', 'info']),
    );
  });
});

describe('completion', () => {
  const after = (part: string, typed: string): [string, Position] => {
    const at = TOYS.indexOf(part) + part.length;
    const lineEnd = part.endsWith('\n') ? '\n' : '';
    const text = TOYS.slice(0, at) + typed + lineEnd + TOYS.slice(at);
    return [text, positionOf(text, part + typed, part.length + typed.length)];
  };

  it.each([
    ['fields', after('operationId: createToy\n', '      dep'), 'deprecated', ['tags', 'scheme']],
    ['keywords', after('maxLength: 20\n', '          m'), 'minLength', ['maxLength', 'nullable1']],
    [
      'types',
      after('        color:\n          type: ', ''),
      ['string', 'integer', 'number', 'boolean', 'array', 'object'],
      ['null'],
    ],
    [
      'types of security schemes',
      after('  securitySchemes:\n', '    other:\n      type: '),
      ['apiKey', 'http', 'oauth2', 'openIdConnect'],
      [],
    ],
    ['formats', after('maxLength: 20\n', '          format: '), 'date-time', []],
    ['media types', after('        content:\n', '          text'), 'text/plain', []],
    ['statuses', after('      responses:\n', '        4'), '404', ['400']],
    [
      'references',
      after('maxLength: 20\n', "        size:\n          $ref: '#/"),
      '#/components/schemas/Toy',
      [],
    ],
    [
      'references to responses',
      after('description: invalid\n', "        '404':\n          "),
      '$ref',
      [],
    ],
    ['schemes', after('security:\n        - bearer: []\n', '        - '), 'bearer', []],
    ['booleans', after('operationId: createToy\n', '      deprecated: '), 'true', []],
    ['tags', after('tags: [', ''), 'shelf', []],
  ])('has %s', async (_, [text, position], wanted, unwanted) => {
    const { editor, opened } = toys;
    await editor.change(opened, TOYS);
    await editor.ask('hover', opened.uri, position);
    await editor.change(opened, text);
    const items = await editor.ask<CompletionItem[]>('completion', opened.uri, position);
    const labels = items.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining([wanted].flat()));
    for (const each of unwanted) expect(labels).not.toContain(each);
  });

  it('has references from a file in another folder', async () => {
    const { editor } = names;
    const opened = await editor.open('shared/parts.yaml', PARTS);
    const text = PARTS.replace(/(?<=ref: ).*/, "''");
    const position = positionOf(text, "'", 1);
    await editor.change(opened, text);
    const items = await editor.ask<CompletionItem[]>('completion', opened.uri, position);
    expect(items.map(({ label }) => label)).toContain('../openapi.yaml#/components/schemas/Pet');
  });
});

describe('a code action', () => {
  const actionsAt = (editor: Editor, uri: string, position: Position) =>
    editor.ask<CodeAction[]>('codeAction', uri, position, {
      ...{ range: { start: position, end: position }, context: { diagnostics: [] } },
    });

  it.each([
    ['no policy', undefined],
    ['a policy', '# kept\nversions: semver\n'],
    [
      'accepted changes',
      "ignore:\n  - rule: type-changed\n    change: a\n    location: b\n    reason: c\n    expires: '2999-01-01'\nversions: semver\n",
    ],
  ])('accepts a change, with %s', async (_, policy) => {
    const shorter = TOYS.replace('maxLength: 20', 'maxLength: 10');
    const files = policy === undefined ? {} : { 'compatibility.yaml': policy };
    await using editor = await project({ [CONTRACT]: TOYS, ...files }, server);
    const { uri } = await editor.open(CONTRACT, shorter);
    const changed = (source?: string) => source === 'stubwright diff';
    const isOpen = ({ severity, source }: { severity?: number; source?: string }) =>
      changed(source) && severity !== 4;
    await editor.until(uri, (each) => each.some(isOpen));
    const actions = await actionsAt(editor, uri, positionOf(shorter, 'maxLength: 10'));
    const accepting = actions.filter(({ title }) => title.startsWith('Accept'));
    expect(accepting.length).toBeGreaterThan(0);
    let text = policy ?? '';
    for (const { edit } of accepting) {
      const document = edit!.documentChanges!.find((each) => 'edits' in each)!;
      expect(document.textDocument.uri).toBe(editor.uri('compatibility.yaml'));
      const edits = document.edits as Parameters<typeof TextDocument.applyEdits>[1];
      text = TextDocument.applyEdits(TextDocument.create('a', 'yaml', 1, text), edits);
      if (accepting.length > 1) break;
    }
    await editor.open('compatibility.yaml', text);
    await editor.until(uri, (each) =>
      each.some(({ severity, source }) => changed(source) && severity === 4),
    );
    expect(text.startsWith((policy ?? '').slice(0, 7))).toBe(true);
  });

  it('adds an example, and the missing error responses', async () => {
    await using editor = await project({ [CONTRACT]: TOYS }, server);
    const opened = await editor.open(CONTRACT, TOYS);
    const apply = async (title: string, part: string, text: string) => {
      const actions = await actionsAt(editor, opened.uri, positionOf(text, part, 1));
      const { edit } = actions.find((each) => each.title.startsWith(title))!;
      const changed = edited(text, edit!, opened.uri);
      await editor.change(opened, changed);
      return changed;
    };
    const withExample = await apply('Add an example', 'maxLength', TOYS);
    expect(withExample).toContain('        name:\n          example: "');
    const text = await apply('Add the missing', 'operationId', withExample);
    await editor.until(opened.uri, (each) => each.length > 0 || editor.published.length > 3);
    expect(text).toContain('        \'401\': {"description":"invalid"}\n');
    const found = await actionsAt(editor, opened.uri, positionOf(text, 'operationId', 1));
    expect(found.map(({ title }) => title)).not.toContain(expect.stringContaining('missing'));
  });
});
