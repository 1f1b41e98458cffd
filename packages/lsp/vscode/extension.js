// The extension for VS Code: runs the `stubwright` that the project has installed, so that editor and CI agree.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { window, workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const clients = [];

exports.activate = async () => {
  for (const { uri, name } of workspace.workspaceFolders ?? []) {
    const folder = uri.fsPath;
    const command = join(folder, 'node_modules/@stubwright/cli/dist/main.js');
    const package_ = join(folder, 'node_modules/@stubwright/lsp/package.json');
    if (!existsSync(command)) continue;
    if (!existsSync(package_)) {
      window.showWarningMessage(`${name}: npm install --save-dev @stubwright/lsp`);
      continue;
    }
    const { contract, base } = workspace.getConfiguration('stubwright', uri);
    const run = { command: 'node', args: [command, 'lsp'], options: { cwd: folder } };
    const pattern = `${folder}/**/*.{yaml,yml,json}`;
    const client = new LanguageClient('stubwright', `stubwright ${name}`, run, {
      documentSelector: [{ scheme: 'file', pattern }],
      workspaceFolder: workspace.getWorkspaceFolder(uri),
      initializationOptions: { contract: contract || undefined, base: base || undefined },
    });
    clients.push(client);
    await client.start();
  }
};

exports.deactivate = () => Promise.all(clients.map((client) => client.stop()));
