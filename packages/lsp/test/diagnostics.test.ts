// The diagnostics of the language server, through the protocol.
import { spawn, spawnSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { isTestAll } from '@stubwright/test-support/testAll';
import { createProtocolConnection, type Diagnostic } from 'vscode-languageserver-protocol/node';
import { Editor, positionOf, project, Server, TOYS, textAt } from './editor.ts';

const CONTRACT = 'openapi.yaml';
const SHORTER = TOYS.replace('maxLength: 20', 'maxLength: 10');
const has = (code: string) => (diagnostics: readonly Diagnostic[]) =>
  diagnostics.some((diagnostic) => diagnostic.code === code);
/** Of the cases that need no options and no crash. */
const server = new Server();
afterAll(() => server[Symbol.asyncDispose]());
const changesIn = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.filter(({ source }) => source === 'stubwright diff');
const hasChanges = (diagnostics: readonly Diagnostic[]) => changesIn(diagnostics).length > 0;
const says = (text: string) => (diagnostics: readonly Diagnostic[]) =>
  diagnostics.some(({ message }) => `${message}`.includes(text));

/** @returns the contract without its schemas, with a reference for that of a toy */
const referring = (reference: string) =>
  TOYS.slice(0, TOYS.indexOf('  schemas:')).replaceAll('#/components/schemas/Toy', reference);

/** With the shared server. @param files the revision that is compared with */
const projectOf = (files: Readonly<Record<string, string>> = { [CONTRACT]: TOYS }) =>
  project(files, server);

describe('the diagnostics of changes', () => {
  it('show a breaking change at its range, with the refused value and the base', async () => {
    await using editor = await projectOf();
    const opened = await editor.open(CONTRACT, TOYS);
    await editor.until(opened.uri, (each) => changesIn(each).length === 0);
    const start = positionOf(TOYS, 'maxLength: 20', 'maxLength: '.length);
    const end = { ...start, character: start.character + 2 };
    await editor.change(opened, '10', { start, end });
    const found = changesIn(await editor.until(opened.uri, hasChanges));
    const request = found.find(({ severity }) => severity === 1)!;
    expect(textAt(SHORTER, request.range)).toBe('maxLength: 10');
    expect(request.message).toContain('maxLength 20 became 10');
    expect(request.message).toMatch(/is refused: /);
    expect(request.codeDescription?.href).toMatch(/^https:/);
    const [related] = request.relatedInformation!;
    expect(textAt(TOYS, related!.location.range)).toBe('maxLength: 20');
    expect(related!.message).toMatch(/^in HEAD:openapi\.yaml:\d+:\d+$/);
  });

  it('show a removed part at its container', async () => {
    await using editor = await projectOf();
    const text = TOYS.replace('        color:\n          type: string\n', '');
    const { uri } = await editor.open(CONTRACT, text);
    const found = changesIn(await editor.until(uri, hasChanges));
    expect(new Set(found.map(({ range }) => textAt(text, range)))).toEqual(new Set(['properties']));
  });

  it('compare with the newest release, a base of stubwright.yaml, and one that the client names', async () => {
    const longer = TOYS.replace('maxLength: 20', 'maxLength: 5');
    const files = { [CONTRACT]: TOYS, 'test/released/1.0.0.yaml': longer, 'old.yaml': SHORTER };
    const setting = { 'stubwright.yaml': 'base: old.yaml\n' };
    for (const [options, others, was] of [
      [undefined, {}, 5],
      [undefined, setting, 10],
      [{ base: '1.0.0' }, setting, 5],
    ] as const) {
      const shared = options === undefined ? server : undefined;
      await using editor = new Editor({ ...files, ...others }, shared);
      await editor.initialize(options);
      const { uri } = await editor.open(CONTRACT, TOYS);
      const found = changesIn(await editor.until(uri, hasChanges));
      expect(found[0]!.message).toContain(`maxLength ${was} became 20`);
    }
  });

  it('are hints if compatibility.yaml accepts them, once its document says so', async () => {
    await using editor = await projectOf();
    const { uri } = await editor.open(CONTRACT, SHORTER);
    const found = changesIn(await editor.until(uri, hasChanges));
    const isHint = ({ severity }: Diagnostic) => severity === 4;
    expect(found.some(isHint)).toBe(false);
    const entry =
      "  - { rule: '%', change: '*', location: '#/components/schemas', reason: a, expires: '2999-01-01' }";
    const entries = [...new Set(found.map(({ code }) => entry.replace('%', String(code))))];
    await editor.open('compatibility.yaml', `ignore:\n${entries.join('\n')}\n`);
    const all = await editor.until(uri, (each) => changesIn(each).every(isHint));
    expect(changesIn(all)).toHaveLength(found.length);
  });

  it('are information if the version permits them', async () => {
    await using editor = await projectOf();
    const text = SHORTER.replace('version: 1.0.0', 'version: 2.0.0');
    const { uri } = await editor.open(CONTRACT, text);
    const found = changesIn(await editor.until(uri, hasChanges));
    expect(found.some(({ severity }) => severity === 1)).toBe(false);
  });

  it('have UTF-16 positions, with emoji and CRLF', async () => {
    const withEmoji = (limit: number) =>
      TOYS.replace(
        '          maxLength: 20\n',
        `          maxLength: ${limit} # 🧸\n          x-🧸🧸: { a: 🧸, b: 1 }\n`,
      ).replace(
        'type: string\n          maxLength',
        "description: '🧸🧸'\n          type: string\n          maxLength",
      );
    const flow = (limit: number) =>
      withEmoji(20).replace(
        'color:\n          type: string',
        `'🧸🧸': { description: 🧸🧸, type: string, maxLength: ${limit} }`,
      );
    for (const lineEnd of ['\n', '\r\n', '\r']) {
      const before = flow(20).replaceAll('\n', lineEnd);
      const after = flow(10).replaceAll('\n', lineEnd);
      await using editor = await projectOf({ [CONTRACT]: before });
      const opened = await editor.open(CONTRACT, before);
      const start = positionOf(before, 'maxLength: 20 }', 'maxLength: '.length);
      await editor.change(opened, '10', {
        start,
        end: { ...start, character: start.character + 2 },
      });
      const found = changesIn(await editor.until(opened.uri, hasChanges));
      expect(textAt(after, found[0]!.range)).toBe('maxLength: 10');
    }
  });

  it('are those of each file of a contract, open or not, and buffers count before files', async () => {
    const root = referring('./parts/toy.yaml#/Toy');
    const part = (limit: number) =>
      `Toy:\n  type: object\n  properties:\n    name: { type: string, maxLength: ${limit} }\n`;
    await using editor = await projectOf({ [CONTRACT]: root, 'parts/toy.yaml': part(20) });
    // Only the part is open.
    const opened = await editor.open('parts/toy.yaml', part(10));
    const found = changesIn(await editor.until(opened.uri, hasChanges));
    expect(textAt(part(10), found[0]!.range)).toBe('maxLength: 10');
    expect(editor.published.some(({ uri }) => uri === editor.uri(CONTRACT))).toBe(true);
    // Only the contract is open: the part is read from the disk.
    editor.write('parts/toy.yaml', part(9));
    await editor.open(CONTRACT, root);
    await editor.close(opened.uri);
    const closed = await editor.until(opened.uri, says('became 9'));
    expect(closed.length).toBeGreaterThan(0);
    await editor.close(editor.uri(CONTRACT));
    await editor.until(opened.uri, (each) => each.length === 0);
  });
});

it.each([
  ['paths: 5', ['paths: 5']],
  ['paths: {}', ['paths: {}', 'openapi: 3.1.0']],
])('the whole document has its diagnostics at its keys: %s', async (paths, expected) => {
  const text = `# Toys\nopenapi: 3.1.0\n${paths}\n`;
  await using editor = await projectOf();
  const { uri } = await editor.open(CONTRACT, text);
  const found = await editor.until(uri, (diagnostics) => diagnostics.length > 0);
  expect(found.map(({ range }) => textAt(text, range))).toEqual(expected);
});

describe('a file that is renamed', () => {
  it('has its diagnostics under the new name', async () => {
    const part = 'type: object\nproperties:\n  name: { type: string, maxLength: 10 }\n';
    const [before, after] = ['parts/toy.yaml', 'parts/bear.yaml'];
    const files = { [CONTRACT]: referring(before), [before]: part.replace('10', '20') };
    await using editor = await projectOf(files);
    const root = await editor.open(CONTRACT, referring(before));
    const { uri } = await editor.open(before, part);
    await editor.until(uri, hasChanges);
    renameSync(join(editor.folder, before), join(editor.folder, after));
    await editor.close(uri);
    const renamed = await editor.open(after, part);
    await editor.change(root, referring(after));
    const found = await editor.until(renamed.uri, hasChanges);
    expect(textAt(part, changesIn(found)[0]!.range)).toBe('maxLength: 10');
    expect(await editor.until(uri, (each) => each.length === 0)).toEqual([]);
  });
});

describe('a part of two contracts', () => {
  it('has the diagnostics of both, and of the one that stays open', async () => {
    const part = (toy: number, robot: number) =>
      [['Toy', toy] as const, ['Robot', robot] as const]
        .map(([name, limit]) => {
          const property = `name: { type: string, maxLength: ${limit} }`;
          return `${name}:\n  type: object\n  properties:\n    ${property}\n`;
        })
        .join('');
    const files = {
      'toys.yaml': referring('./parts.yaml#/Toy'),
      'robots.yaml': referring('./parts.yaml#/Robot'),
    };
    await using editor = await projectOf({ ...files, 'parts.yaml': part(20, 20) });
    for (const [name, text] of Object.entries(files)) await editor.open(name, text);
    for (const name of Object.keys(files))
      await editor.until(editor.uri(name), has('errors-declared'));
    const opened = await editor.open('parts.yaml', part(10, 9));
    const hasBoth = (all: readonly Diagnostic[]) => says('became 10')(all) && says('became 9')(all);
    await editor.until(opened.uri, hasBoth);
    await editor.close(editor.uri('robots.yaml'));
    // The part is open, thus the other contract is watched until it closes, too.
    await editor.change(opened, part(10, 20));
    const left = await editor.until(opened.uri, (all) => !says('became 9')(all));
    expect(says('became 10')(left)).toBe(true);
  });
});

describe('the URI of a document', () => {
  it.each(['a b+(c)@d/openapi.yaml', 'ä/🧸 %20#?/openapi.yaml'])(
    'is published as the editor wrote it: %s',
    async (path) => {
      await using editor = await projectOf({ [path]: TOYS });
      const folder = pathToFileURL(editor.folder).href;
      const uri = `${folder}/${path.split('/').map(encodeStrictly).join('/')}`;
      await editor.connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'yaml', version: 1, text: SHORTER },
      });
      const found = await editor.until(uri, hasChanges);
      expect(found.length).toBeGreaterThan(0);
      expect(new Set(editor.published.map((each) => each.uri))).toEqual(new Set([uri]));
      await editor.close(uri);
      await editor.until(uri, (each) => each.length === 0);
    },
  );
});

/** As VS Code does: all but unreserved characters. */
function encodeStrictly(name: string): string {
  return encodeURIComponent(name).replace(/[!'()*]/g, (found) => {
    return `%${found.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

describe('a text that is typed', () => {
  it('keeps the diagnostics outside of the broken part, where they are now', async () => {
    await using editor = await projectOf();
    const opened = await editor.open(CONTRACT, SHORTER);
    await editor.until(opened.uri, has('errors-declared'));
    const broken = SHORTER.replace('  title: Toys\n', '  title: Toys\n  description: "a\n\n');
    await editor.change(opened, broken);
    const isBroken = says('not closed');
    const found = await editor.until(opened.uri, isBroken);
    expect(textAt(broken, changesIn(found)[0]!.range)).toBe('maxLength: 10');
    // In the broken part, a diagnostic does not survive.
    const other = SHORTER.replace('maxLength: 10', 'maxLength: [');
    await editor.change(opened, other);
    const left = await editor.until(opened.uri, (each) => changesIn(each).length === 0);
    expect(left.length).toBeGreaterThan(0);
    await editor.change(opened, SHORTER);
    await editor.until(opened.uri, (each) => !isBroken(each) && changesIn(each).length > 0);
  });

  it('never has the diagnostics of an older one', async () => {
    await using editor = await projectOf();
    const opened = await editor.open(CONTRACT, TOYS);
    const texts = [TOYS, TOYS];
    for (let limit = 19; limit > 9; limit--) {
      const text = TOYS.replace(
        'maxLength: 20',
        `${'# a\n          '.repeat(limit)}maxLength: ${limit}`,
      );
      texts.push(text);
      await editor.change(opened, text);
      // Some are read, others are replaced while they are.
      if (limit % 3 === 0) await editor.until(opened.uri, says(`became ${limit}`));
    }
    await editor.until(opened.uri, says('became 10'));
    for (const { uri, version, diagnostics } of editor.published) {
      if (uri !== opened.uri) continue;
      for (const { range, message } of changesIn(diagnostics)) {
        const [, limit] = /became (\d+)/.exec(`${message}`)!;
        expect(textAt(texts[version!]!, range)).toBe(`maxLength: ${limit}`);
      }
    }
  });

  /** Replaces a text by another again and again, while it is read or before. @returns what is published of the other */
  async function alternating(editor: Editor, text: string, other: string) {
    const opened = await editor.open(CONTRACT, TOYS);
    await editor.until(opened.uri, has('errors-declared'));
    const versions = new Set<number>();
    for (let delayMs = 0; delayMs < 40; delayMs += 4) {
      await editor.change(opened, text);
      await setTimeout(delayMs);
      await editor.change(opened, other);
      versions.add(opened.version);
    }
    const published = () =>
      editor.published
        .filter(({ version }) => versions.has(version!))
        .flatMap(({ diagnostics }) => diagnostics);
    return { opened, published };
  }

  it('never has the errors of an older one', async () => {
    await using editor = await projectOf();
    const broken = TOYS.replace('title: Toys', 'title: "Toys');
    const { opened, published } = await alternating(editor, broken, TOYS);
    await editor.change(opened, SHORTER);
    await editor.until(opened.uri, hasChanges);
    expect(says('not closed')(published())).toBe(false);
  });

  it('never has the changes of an older one', async () => {
    await using editor = await projectOf();
    const permitted = SHORTER.replace('version: 1.0.0', 'version: 2.0.0');
    const { opened, published } = await alternating(editor, SHORTER, permitted);
    const isError = ({ severity }: Diagnostic) => severity === 1;
    await editor.until(opened.uri, (all) => changesIn(all).length > 0 && !all.some(isError));
    expect(published().filter(isError)).toEqual([]);
  });

  it('survives a crash of the thread that reads it', async () => {
    await using editor = await projectOf();
    const opened = await editor.open(CONTRACT, TOYS);
    await editor.until(opened.uri, has('errors-declared'));
    const before = editor.threads.length;
    await editor.threads.at(-1)!.terminate();
    await editor.change(opened, SHORTER);
    await editor.until(opened.uri, hasChanges);
    // The changes, then the findings of `check`.
    const isRead = () => editor.published.filter(({ version }) => version === 2).length === 2;
    await editor.until(opened.uri, isRead);
    // While it reads, and no change follows.
    await editor.change(opened, TOYS.replace('maxLength: 20', 'maxLength: 7'));
    await setTimeout(5);
    await editor.threads.at(-1)!.terminate();
    const found = await editor.until(opened.uri, says('became 7'));
    expect(found.length).toBeGreaterThan(0);
    expect(editor.threads.length - before).toBe(2);
  });

  it.each([
    ['nesting', `${TOYS}x-deep: ${'['.repeat(20_000)}`],
    [
      'aliases',
      `${TOYS}x-a: &a [1,1,1,1,1,1,1,1,1,1]\n${'bcdefghi'
        .split('')
        .map((name, at) => `x-${name}: &${name} [${`*${'abcdefghi'[at]},`.repeat(10)}]\n`)
        .join('')}`,
    ],
    [
      'a cycle',
      TOYS.replace('      type: object\n', "      allOf: [{ $ref: '#/components/schemas/Toy' }]\n"),
    ],
    ['a long line', `${TOYS}x-long: "${'a'.repeat(isTestAll ? 10_000_000 : 1_000_000)}"\n`],
    ['a reference out of the folder', TOYS.replace("'#/components/schemas/Toy'", '/etc/passwd')],
    ['no mapping', '- openapi: 3.0.3\n'],
    ['nothing', ''],
  ])('may be hostile: %s', async (_, text) => {
    await using editor = await projectOf();
    const opened = await editor.open(CONTRACT, TOYS);
    await editor.ask('hover', opened.uri, { line: 0, character: 0 });
    const before = editor.threads.length;
    await editor.change(opened, text);
    await editor.ask('hover', opened.uri, { line: 0, character: 0 });
    await editor.change(opened, SHORTER);
    await editor.until(opened.uri, hasChanges);
    expect(editor.threads).toHaveLength(before);
  });
});

describe('the command `lsp`', () => {
  it.each([
    ['ends with 0 after a shutdown', ['shutdown', 'exit'], 0],
    ['ends with 1 without a shutdown', ['exit'], 1],
    ['ends with 1 once its input ends', [], 1],
  ])('%s', async (_, messages, exitCode) => {
    const lsp = spawn(process.execPath, ['packages/cli/src/main.ts', 'lsp', '--stdio']);
    const exited = new Promise((done) => lsp.once('exit', done));
    const connection = createProtocolConnection(lsp.stdout, lsp.stdin);
    connection.listen();
    const params = { processId: null, capabilities: {}, rootUri: null };
    expect(await connection.sendRequest('initialize', params)).toMatchObject({
      capabilities: { hoverProvider: true },
    });
    if (messages.includes('shutdown')) await connection.sendRequest('shutdown');
    if (messages.includes('exit')) await connection.sendNotification('exit');
    else lsp.stdin.end();
    expect(await exited).toBe(exitCode);
    connection.dispose();
  });

  it('ends with 1 at the end of a file', () => {
    const args = ['packages/cli/src/main.ts', 'lsp', '--stdio'];
    const { status, stderr } = spawnSync(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect([status, `${stderr}`]).toEqual([1, '']);
  });
});
