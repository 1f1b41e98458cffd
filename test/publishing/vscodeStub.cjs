// Runs the extension outside of VS Code, with the real client: `vscodeStub.cjs EXTENSION FOLDER` prints each diagnostic.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join, resolve } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');

const [extension, folder] = process.argv.slice(2);
const CONTRACT = join(folder, 'openapi.yaml');

class Disposable {
  dispose() {}
}
class Diagnostic {
  constructor(range, message) {
    this.message = message;
  }
}
const on = () => new Disposable();
const uriOf = (path) => ({
  ...{ scheme: 'file', path, fsPath: path },
  toString: () => pathToFileURL(path).href,
});
const workspaceFolder = { uri: uriOf(folder), name: 'project', index: 0 };
const document = {
  ...{ uri: uriOf(CONTRACT), languageId: 'yaml', version: 1, isClosed: false },
  getText: () => readFileSync(CONTRACT, 'utf8'),
};
/** Functions of the API that are not named return a disposable. */
const withFunctions = (members) =>
  new Proxy(members, { get: (target, name) => (name in target ? target[name] : on) });
/** A class or an enumeration. */
const anyType = () =>
  new Proxy(Disposable, {
    get: (target, name) => (name in target || typeof name === 'symbol' ? target[name] : name),
  });
const log = (text) => process.stderr.write(`${text}\n`);
const api = {
  ...{ Disposable, Diagnostic, version: '1.100.0', env: { language: 'en', appHost: 'desktop' } },
  EventEmitter: class extends Disposable {
    event = on;
    fire() {}
  },
  CancellationTokenSource: class extends Disposable {
    token = { isCancellationRequested: false, onCancellationRequested: on };
  },
  Uri: {
    parse: (text) => (text.startsWith('file:') ? uriOf(fileURLToPath(text)) : new URL(text)),
    file: uriOf,
  },
  extensions: { getExtension: () => undefined },
  commands: withFunctions({}),
  workspace: withFunctions({
    ...{ workspaceFolders: [workspaceFolder], textDocuments: [document], notebookDocuments: [] },
    getWorkspaceFolder: () => workspaceFolder,
    getConfiguration: () => ({ get: (_, value) => value }),
    createFileSystemWatcher: () => withFunctions({}),
  }),
  window: withFunctions({
    ...{ visibleTextEditors: [], visibleNotebookEditors: [] },
    tabGroups: withFunctions({ all: [] }),
    createOutputChannel: () =>
      withFunctions({ append: log, appendLine: log, error: log, warn: log }),
    showWarningMessage: async (message) => process.stdout.write(`warning: ${message}\n`),
    showErrorMessage: async (message) => process.stdout.write(`error: ${message}\n`),
  }),
  languages: withFunctions({
    match: () => 10,
    createDiagnosticCollection: () =>
      withFunctions({
        set(_, diagnostics) {
          for (const { message } of diagnostics) process.stdout.write(`${message}\n`);
        },
      }),
  }),
};
const vscode = new Proxy(api, {
  get: (target, name) => (name in target ? target[name] : anyType()),
});
const load = Module._load;
Module._load = (name, ...others) => (name === 'vscode' ? vscode : load(name, ...others));
const { activate, deactivate } = require(resolve(extension));
void activate();
process.stdin.resume().once('end', async () => {
  await deactivate();
  process.exit();
});
