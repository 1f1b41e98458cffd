// A stranger opens a contract in Neovim with the published language server.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import { TOYS } from '../../packages/lsp/test/editor.ts';
import { hasNeovim, shortenedInNeovim } from '../../packages/lsp/test/neovim.ts';
import { install } from './install.ts';

/** @returns the folder of the extension, as vsce packages it */
function packagedExtension(folder: string): string {
  cpSync('packages/lsp/vscode', folder, { recursive: true });
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  npm('ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error');
  npm('run', 'package');
  execFileSync('unzip', ['-q', 'stubwright.vsix', '-d', 'unpacked'], { cwd: folder });
  return join(folder, 'unpacked/extension');
}

describe('a project with the language server', () => {
  const folder = temporaryFolder();
  const cwd = folder.path;
  const main = join(cwd, 'node_modules/@stubwright/cli/dist/main.js');

  beforeAll(() => {
    writeFileSync(join(cwd, 'package.json'), '{"private": true}');
    writeFileSync(join(cwd, '.gitignore'), 'node_modules\n');
    writeFileSync(join(cwd, 'openapi.yaml'), TOYS);
    install(cwd, ['--save-dev', '@stubwright/cli']);
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-qm', 'base'],
    ]) {
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd });
    }
  });
  afterAll(() => folder.remove());

  it('gets it from a package of its own', () => {
    expect(readdirSync(join(cwd, 'node_modules/@stubwright'))).not.toContain('lsp');
    expect(readdirSync(join(cwd, 'node_modules'))).not.toContain('vscode-languageserver-protocol');
    const { status, stderr } = spawnSync(process.execPath, [main, 'lsp'], {
      cwd,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('npm install --save-dev @stubwright/lsp'),
    });
    install(cwd, ['--save-dev', '@stubwright/lsp']);
  });

  (hasNeovim ? it : it.skip)('sees in Neovim the breaking change that diff reports', async () => {
    const shown = await shortenedInNeovim(cwd, [process.execPath, main, 'lsp']);
    const diff = (...args: string[]) =>
      spawnSync(process.execPath, [main, 'diff', 'HEAD', ...args], { cwd, encoding: 'utf8' });
    // Neovim saved the contract, and accepted the change.
    expect(diff()).toMatchObject({ status: 0 });
    rmSync(join(cwd, 'compatibility.yaml'));
    const { changes } = JSON.parse(diff('--format', 'json').stdout);
    const breaking = changes.filter(
      ({ severity }: { severity: string }) => severity === 'breaking',
    );
    expect(breaking.length).toBeGreaterThan(0);
    for (const { message } of breaking) expect(shown).toContain(`:1 ${message}`);
  });

  it('has it in VS Code: the packaged extension starts the one of the project', async () => {
    writeFileSync(join(cwd, 'openapi.yaml'), TOYS.replace('maxLength: 20', 'maxLength: 10'));
    const extension = packagedExtension(join(cwd, 'extension'));
    const args = [resolve('test/publishing/vscodeStub.cjs'), extension, cwd];
    const vscode = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    let shown = '';
    vscode.stdout.on('data', (text) => {
      shown += text;
      if (/maxLength 20 became 10|error: /.test(shown)) vscode.stdin.end();
    });
    expect(await once(vscode, 'exit')).toEqual([0, null]);
    expect(shown).toContain('maxLength 20 became 10');
  });
});
