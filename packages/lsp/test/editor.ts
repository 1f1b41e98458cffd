// An editor: speaks the protocol with a server in the same process.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { runServer } from '@stubwright/lsp';
import {
  createProtocolConnection,
  type Diagnostic,
  type Position,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
} from 'vscode-languageserver-protocol/node';

export const TOYS = `openapi: 3.0.3
info:
  title: Toys
  version: 1.0.0
tags:
  - name: shelf
paths:
  /toys:
    post:
      operationId: createToy
      tags: [shelf]
      security:
        - bearer: []
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: '#/components/schemas/Toy'
      responses:
        '200':
          description: created
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Toy'
        '400':
          description: invalid
components:
  securitySchemes:
    bearer:
      type: http
      scheme: bearer
  schemas:
    Toy:
      type: object
      required: [name]
      properties:
        name:
          type: string
          maxLength: 20
        color:
          type: string
`;

const REPOSITORIES = mkdtempSync(join(tmpdir(), 'lsp-git-'));
const EMPTY_REPOSITORY = join(REPOSITORIES, 'empty');
gitIn(EMPTY_REPOSITORY, 'init', '--quiet', '--bare', '--template=');
gitIn(EMPTY_REPOSITORY, 'config', 'core.bare', 'false');
process.once('exit', () => rmSync(REPOSITORIES, { recursive: true }));

/** The repository whose one commit has these files, as `fast-import` reads them. */
const committed = new Map<string, string>();

function gitIn(repository: string, ...args: string[]): void {
  execFileSync('git', args, { env: { ...process.env, GIT_DIR: repository } });
}

const LINE_END = /\r\n|\r|\n/;

export interface Opened {
  readonly uri: string;
  version: number;
}

/** A server in this process, and its client. */
export class Server {
  readonly threads: Worker[] = [];
  readonly connection: ProtocolConnection;
  readonly exitCode: Promise<number>;
  /** Everything that was published, in order. */
  readonly published: { uri: string; version?: number; diagnostics: Diagnostic[] }[] = [];
  readonly #waiting = new Set<() => void>();
  #initialized: Promise<{ capabilities: object }> | undefined;

  constructor() {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    const onThread = (thread: Worker) => void this.threads.push(thread);
    this.exitCode = runServer({ input: toServer, output: toClient, onThread, pauseMs: 0 });
    this.connection = createProtocolConnection(toClient, toServer);
    this.connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
      this.published.push(params as (typeof this.published)[number]);
      for (const next of this.#waiting) next();
    });
    this.connection.listen();
  }

  /** Once. */
  initialize(folder: string, initializationOptions?: object): Promise<{ capabilities: object }> {
    this.#initialized ??= this.#initialize(folder, initializationOptions);
    return this.#initialized;
  }

  async #initialize(folder: string, initializationOptions?: object) {
    const result = await this.connection.sendRequest('initialize', {
      ...{ processId: null, capabilities: {}, rootUri: pathToFileURL(folder).href },
      initializationOptions,
    });
    await this.connection.sendNotification('initialized', {});
    return result as { capabilities: object };
  }

  /** @returns the diagnostics of a document once they meet the condition */
  async until(
    uri: string,
    isMet: (diagnostics: readonly Diagnostic[]) => boolean,
  ): Promise<readonly Diagnostic[]> {
    for (;;) {
      const last = this.published.findLast((each) => each.uri === uri);
      if (last !== undefined && isMet(last.diagnostics)) return last.diagnostics;
      await new Promise<void>((resolve) => {
        const next = () => {
          this.#waiting.delete(next);
          resolve();
        };
        this.#waiting.add(next);
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    await this.exitCode;
    this.connection.dispose();
  }
}

/** A project that is open in an editor. */
export class Editor {
  readonly folder: string;
  readonly server: Server;
  readonly #isOwnServer: boolean;
  readonly #opened = new Set<string>();

  /** @param files by path, committed as the first revision; `server` by default one of its own */
  constructor(files: Readonly<Record<string, string>>, server?: Server) {
    this.folder = mkdtempSync(join(tmpdir(), 'lsp-'));
    // It makes the folder a project.
    const project = { 'package.json': '{}', ...files };
    for (const [path, text] of Object.entries(project)) this.write(path, text);
    this.#commit(project);
    this.server = server ?? new Server();
    this.#isOwnServer = server === undefined;
  }

  get threads() {
    return this.server.threads;
  }

  get connection() {
    return this.server.connection;
  }

  /** What was published of this project, in order. */
  get published() {
    const root = pathToFileURL(this.folder).href;
    return this.server.published.filter(({ uri }) => uri.startsWith(root));
  }

  /** In one process: a revision needs no index. Most projects have the same files, thus copies of one repository. */
  #commit(files: Readonly<Record<string, string>>): void {
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
    const entries = Object.entries(files).map(
      ([path, text]) => `M 100644 inline ${JSON.stringify(path)}\n${data(text)}`,
    );
    const input = `commit HEAD\ncommitter a <a@b.c> 0 +0000\n${data('base')}${entries.join('')}`;
    let repository = committed.get(input);
    if (repository === undefined) {
      repository = join(REPOSITORIES, String(committed.size));
      cpSync(EMPTY_REPOSITORY, repository, { recursive: true });
      const env = { ...process.env, GIT_DIR: repository };
      execFileSync('git', ['fast-import', '--quiet'], { env, input });
      committed.set(input, repository);
    }
    cpSync(repository, join(this.folder, '.git'), { recursive: true });
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  uri(path: string): string {
    return pathToFileURL(join(this.folder, path)).href;
  }

  initialize(initializationOptions?: object) {
    return this.server.initialize(this.folder, initializationOptions);
  }

  async open(path: string, text: string): Promise<Opened> {
    const uri = this.uri(path);
    this.#opened.add(uri);
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
    return { uri, version: 1 };
  }

  /** Replaces a range, or the whole text. */
  async change(opened: Opened, text: string, range?: { start: Position; end: Position }) {
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: opened.uri, version: ++opened.version },
      contentChanges: [range === undefined ? { text } : { range, text }],
    });
  }

  close(uri: string): Promise<void> {
    return this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  until(uri: string, isMet: (diagnostics: readonly Diagnostic[]) => boolean) {
    return this.server.until(uri, isMet);
  }

  ask<Result>(method: string, uri: string, position: Position, others: object = {}) {
    return this.connection.sendRequest<Result>(`textDocument/${method}`, {
      ...{ textDocument: { uri }, position },
      ...others,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOwnServer) await this.server[Symbol.asyncDispose]();
    else for (const uri of this.#opened) await this.close(uri);
    rmSync(this.folder, { recursive: true });
  }
}

/** @returns an editor of a project, which has said hello to the server */
export async function project(files: Readonly<Record<string, string>>, server?: Server) {
  const editor = new Editor(files, server);
  await editor.initialize();
  return editor;
}

/** @returns the position of the first occurrence of a text, in UTF-16 code units */
export function positionOf(text: string, part: string, offset = 0): Position {
  const before = text.slice(0, text.indexOf(part) + offset).split(LINE_END);
  return { line: before.length - 1, character: before.at(-1)!.length };
}

/** @returns the text of a range */
export function textAt(text: string, { start, end }: Diagnostic['range']): string {
  const lines = text.split(LINE_END).slice(start.line, end.line + 1);
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.character);
  lines[0] = lines[0]!.slice(start.character);
  return lines.join('\n');
}
