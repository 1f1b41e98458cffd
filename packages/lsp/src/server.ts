// The language server: the protocol, the open documents, and when a contract is read again.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Worker } from 'node:worker_threads';
import {
  CodeActionKind,
  CodeActionRequest,
  CompletionRequest,
  createProtocolConnection,
  DefinitionRequest,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  DocumentSymbolRequest,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  type InitializeParams,
  InitializeRequest,
  LogMessageNotification,
  LSPErrorCodes,
  MessageType,
  type Position,
  PrepareRenameRequest,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  ReferencesRequest,
  RegistrationRequest,
  RenameRequest,
  ResponseError,
  type ServerCapabilities,
  ShutdownRequest,
  TextDocumentSyncKind,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { Analysis, ThreadEnded } from './analysis.ts';
import type { ContractOfProject, Diagnosed } from './findings.ts';
import type { CallName } from './thread.ts';
import { pathOfUri, URI_OF } from './uris.ts';
import { distinct, FINDING_SOURCES, type FindingSource, WatchedContract } from './watched.ts';

/** The options of {@link runServer}. */
export interface LanguageServerOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Called with each thread that reads contracts: the first, and one after each crash. */
  readonly onThread?: (thread: Worker) => void;
  /** Between the last change and the first diagnostics; by default 150. */
  readonly pauseMs?: number;
}

/** `initializationOptions` of a client. */
interface ClientOptions {
  /** The path of the contract in the workspace, for files that are parts of it; by default `openapi.yaml`. */
  readonly contract?: string;
  /** By default that of stubwright.yaml, else the newest release, else `HEAD`. */
  readonly base?: string;
}

interface Question {
  readonly uri: string;
  readonly position: Position;
  /** Of code actions. */
  readonly diagnostics?: readonly Diagnostic[];
}

const PAUSE_MS = 150;
const CONTRACT_NAMES = ['openapi.yaml', 'openapi.yml', 'openapi.json'];
const POLICY = 'compatibility.yaml';
/** A project has one of these. */
const PROJECT_FILES = [POLICY, 'package.json', 'test/released'];
const IS_CONTRACT = /^\s*\{?\s*["']?openapi["']?\s*:/m;
/** `openapi` is usually the first key. */
const HEAD_LENGTH = 20_000;

const CAPABILITIES: ServerCapabilities = {
  textDocumentSync: {
    openClose: true,
    change: TextDocumentSyncKind.Incremental,
    save: { includeText: false },
  },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  completionProvider: { triggerCharacters: ['/', '#', '"', "'", ' '] },
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
};

/**
 * Runs a language server until its client asks it to exit, or closes the input.
 *
 * @returns the exit code of the protocol: 0 after a shutdown
 */
export async function runServer({
  input,
  output,
  ...options
}: LanguageServerOptions): Promise<number> {
  const connection = createProtocolConnection(input, output);
  const server = new LanguageServer(connection, options);
  // A file as standard input ends without a close.
  input.once('end', () => server.end());
  connection.listen();
  const exitCode = await server.ended;
  connection.dispose();
  return exitCode;
}

class LanguageServer {
  /** @returns the exit code */
  readonly ended: Promise<number>;
  readonly end: () => Promise<void>;
  readonly #connection: ProtocolConnection;
  readonly #analysis: Analysis;
  readonly #pauseMs: number;
  /** By absolute path. */
  readonly #documents = new Map<string, TextDocument>();
  /** Of documents that are or were open, as the client writes them: an escape has several forms. */
  readonly #uris = new Map<string, string>();
  readonly #watched = new Map<string, WatchedContract>();
  #options: ClientOptions = {};
  #folders: readonly string[] = [];
  #mayWatch = false;
  #isShutDown = false;
  #isEnded = false;

  constructor(
    connection: ProtocolConnection,
    { onThread, pauseMs = PAUSE_MS }: Omit<LanguageServerOptions, 'input' | 'output'>,
  ) {
    this.#connection = connection;
    this.#analysis = new Analysis(onThread);
    this.#pauseMs = pauseMs;
    const { promise, resolve } = Promise.withResolvers<number>();
    this.ended = promise;
    this.end = async () => {
      this.#isEnded = true;
      for (const { timer } of this.#watched.values()) clearTimeout(timer);
      await this.#analysis.end();
      resolve(this.#isShutDown ? 0 : 1);
    };
    connection.onNotification(ExitNotification.type, this.end);
    connection.onClose(this.end);
    this.#listen();
  }

  #listen(): void {
    const on = this.#connection;
    on.onRequest(InitializeRequest.type, (params) => this.#initialize(params));
    on.onNotification(InitializedNotification.type, () => this.#watchFiles());
    on.onRequest(ShutdownRequest.type, () => {
      this.#isShutDown = true;
    });
    on.onNotification(DidOpenTextDocumentNotification.type, ({ textDocument }) => {
      const { uri, languageId, version, text } = textDocument;
      this.#open(TextDocument.create(uri, languageId, version, text));
    });
    on.onNotification(DidChangeTextDocumentNotification.type, (params) => {
      const path = pathOfUri(params.textDocument.uri);
      const document = path === undefined ? undefined : this.#documents.get(path);
      if (document === undefined) return;
      const { version } = params.textDocument;
      this.#open(TextDocument.update(document, params.contentChanges, version));
    });
    on.onNotification(DidCloseTextDocumentNotification.type, ({ textDocument: { uri } }) => {
      const path = pathOfUri(uri);
      if (path === undefined || !this.#documents.delete(path)) return;
      this.#analysis.set(path, undefined);
      for (const watchedContract of this.#contractsOf(path)) {
        const isOpen = [...watchedContract.files, watchedContract.project.contract].some((file) =>
          this.#documents.has(file),
        );
        if (isOpen) this.#schedule(watchedContract);
        else this.#forget(watchedContract);
      }
    });
    on.onNotification(DidSaveTextDocumentNotification.type, () => this.#readAll());
    on.onNotification(DidChangeWatchedFilesNotification.type, () => this.#readAll());
    this.#answerQuestions(on);
  }

  #answerQuestions(on: ProtocolConnection): void {
    type At = { textDocument: { uri: string }; position: Position };
    const ask =
      <Result>(name: CallName, fallback: Result) =>
      ({ textDocument, position, ...others }: At & object) =>
        this.#ask(name, { uri: textDocument.uri, position, ...others }, fallback);
    on.onRequest(HoverRequest.type, ask('hover', null));
    on.onRequest(DefinitionRequest.type, ask('definition', null));
    on.onRequest(ReferencesRequest.type, ask('references', null));
    on.onRequest(PrepareRenameRequest.type, ask('name', null));
    on.onRequest(RenameRequest.type, ask('rename', null));
    on.onRequest(CompletionRequest.type, ask('completion', []));
    on.onRequest(DocumentSymbolRequest.type, ({ textDocument }) =>
      this.#ask('outline', { uri: textDocument.uri, position: { line: 0, character: 0 } }, []),
    );
    on.onRequest(CodeActionRequest.type, ({ textDocument: { uri }, range }) => {
      const path = pathOfUri(uri);
      const isAt = ({ range: { start, end } }: Diagnostic) =>
        start.line <= range.end.line && range.start.line <= end.line;
      const diagnostics = [...this.#watched.values()].flatMap(({ found }) =>
        (found.changes.get(path ?? '')?.diagnostics ?? []).filter(
          (diagnostic) => diagnostic.data !== undefined && isAt(diagnostic),
        ),
      );
      return this.#ask('actions', { uri, position: range.start, diagnostics }, []);
    });
  }

  #initialize(params: InitializeParams) {
    const { workspaceFolders, rootUri, initializationOptions, capabilities } = params;
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    this.#folders = uris.flatMap((uri) => pathOfUri(uri) ?? []);
    this.#options = Object(initializationOptions);
    const { didChangeWatchedFiles } = capabilities.workspace ?? {};
    this.#mayWatch = didChangeWatchedFiles?.dynamicRegistration ?? false;
    return { capabilities: CAPABILITIES, serverInfo: { name: 'stubwright' } };
  }

  async #watchFiles(): Promise<void> {
    if (!this.#mayWatch) return;
    const { method } = DidChangeWatchedFilesNotification.type;
    const registerOptions = { watchers: [{ globPattern: '**/*.{yaml,yml,json}' }] };
    const registrations = [{ id: method, method, registerOptions }];
    await this.#connection.sendRequest(RegistrationRequest.type, { registrations }).catch(() => {});
  }

  #open(document: TextDocument): void {
    const path = pathOfUri(document.uri);
    if (path === undefined) return;
    this.#documents.set(path, document);
    this.#uris.set(path, document.uri);
    this.#analysis.set(path, document.getText());
    this.#changed(path);
  }

  /** Reads the contracts again that have the file. */
  #changed(path: string): void {
    const watched = this.#contractsOf(path);
    const isPolicy = path.endsWith(POLICY);
    for (const watchedContract of isPolicy ? this.#watched.values() : watched)
      this.#schedule(watchedContract);
  }

  #readAll(): void {
    this.#analysis.forget();
    for (const watchedContract of this.#watched.values()) this.#schedule(watchedContract);
  }

  #contractsOf(path: string): readonly WatchedContract[] {
    const known = [...this.#watched.values()].filter(
      ({ project, files }) => project.contract === path || files.has(path),
    );
    if (known.length > 0) return known;
    const contract = this.#contractFor(path);
    if (contract === undefined) return [];
    const cwd = this.#projectFolder(contract);
    const { base } = this.#options;
    const watched = this.#watched.get(contract) ?? new WatchedContract({ contract, cwd, base });
    this.#watched.set(contract, watched);
    return [watched];
  }

  /** @returns the document itself if it is a contract, else the nearest contract above it */
  #contractFor(path: string): string | undefined {
    const text = this.#documents.get(path)?.getText();
    if (text === undefined || !/\.(?:json|ya?ml)$/i.test(path)) return undefined;
    if (IS_CONTRACT.test(text.slice(0, HEAD_LENGTH))) return path;
    const names = this.#options.contract ? [this.#options.contract] : CONTRACT_NAMES;
    const isContract = (file: string) => this.#documents.has(file) || existsSync(file);
    return this.#above(path, (folder) =>
      names.map((name) => resolve(folder, name)).find((file) => file !== path && isContract(file)),
    );
  }

  #projectFolder(contract: string): string {
    const found = this.#above(contract, (folder) =>
      PROJECT_FILES.some((name) => existsSync(join(folder, name))) ? folder : undefined,
    );
    const workspace = this.#folders.find((text) => contract.startsWith(`${text}/`));
    return found ?? workspace ?? dirname(contract);
  }

  /** From the folder of a file up to its workspace. */
  #above(path: string, find: (folder: string) => string | undefined): string | undefined {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const found = find(folder);
      if (found !== undefined) return found;
      if (this.#folders.includes(folder) || folder === dirname(folder)) return undefined;
    }
  }

  #schedule(watched: WatchedContract): void {
    watched.generation++;
    // Those of older texts.
    watched.clearErrors();
    clearTimeout(watched.timer);
    watched.timer = setTimeout(() => void this.#read(watched), this.#pauseMs);
  }

  /** At most one at a time: a change in the meantime is read next. */
  async #read(watched: WatchedContract): Promise<void> {
    if (watched.isRunning) return;
    watched.isRunning = true;
    const { generation } = watched;
    const texts = new Map(
      [...this.#documents].map(([path, textDocument]) => [path, textDocument.getText()]),
    );
    for (const source of FINDING_SOURCES) {
      const diagnosed = await this.#diagnosed(source, watched.project);
      if (watched.generation !== generation) break;
      if (diagnosed !== undefined) watched.keep(source, { diagnosed, texts });
      // The reason why a contract cannot be compared follows.
      if (source === 'check' || diagnosed?.isComplete) this.#publish(watched);
    }
    watched.isRunning = false;
    const isOver = watched.isForgotten || this.#isEnded;
    if (watched.generation !== generation && !isOver) this.#schedule(watched);
  }

  /** Once more after a crash. */
  async #diagnosed(
    source: FindingSource,
    project: ContractOfProject,
    attempts = 2,
  ): Promise<Diagnosed | undefined> {
    try {
      return await this.#analysis.call<Diagnosed>(source, project);
    } catch (error) {
      this.#log(`${project.contract}: ${(error as Error).message}`);
      const isRepeated = error instanceof ThreadEnded && attempts > 1 && !this.#isEnded;
      return isRepeated ? this.#diagnosed(source, project, attempts - 1) : undefined;
    }
  }

  #publish(watched: WatchedContract): void {
    for (const path of watched.files) this.#send(path);
  }

  /** Publishes what all contracts with the file found in it. */
  #send(path: string): void {
    const document = this.#documents.get(path);
    const text = document?.getText();
    const diagnostics = distinct(
      [...this.#watched.values()].flatMap((watched) => watched.diagnosticsOf(path, text)),
    );
    const params = { uri: this.#uris.get(path) ?? URI_OF.file(path), diagnostics };
    const sent = document === undefined ? params : { ...params, version: document.version };
    this.#notify(PublishDiagnosticsNotification.method, sent);
  }

  /** The client may have left. */
  #notify(method: string, params: object): void {
    if (!this.#isEnded) void this.#connection.sendNotification(method, params).catch(() => {});
  }

  /** Of a contract without open documents. */
  #forget(watched: WatchedContract): void {
    clearTimeout(watched.timer);
    watched.generation++;
    watched.isForgotten = true;
    this.#watched.delete(watched.project.contract);
    for (const path of watched.files) this.#send(path);
  }

  /** @throws {ResponseError} for a request that cannot be done, with the reason */
  async #ask<Result>(
    name: CallName,
    { uri, ...asked }: Question,
    fallback: Result,
  ): Promise<Result> {
    const path = pathOfUri(uri);
    const [watched] = path === undefined ? [] : this.#contractsOf(path);
    if (watched === undefined) return fallback;
    const argument = { project: watched.project, path, ...asked };
    try {
      return (await this.#analysis.call<Result | null>(name, argument)) ?? fallback;
    } catch (error) {
      if (!(error instanceof ThreadEnded)) {
        throw new ResponseError(LSPErrorCodes.RequestFailed, (error as Error).message);
      }
      this.#log(`${path}: ${error.message}`);
      return fallback;
    }
  }

  #log(message: string): void {
    this.#notify(LogMessageNotification.method, { type: MessageType.Warning, message });
  }
}
