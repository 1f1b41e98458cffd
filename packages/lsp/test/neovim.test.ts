// Neovim, without a window: types a breaking change, reads the diagnostic, applies the code action.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Editor, TOYS } from './editor.ts';

const hasNeovim = spawnSync('nvim', ['--version']).status === 0;
if (!hasNeovim) {
  process.stderr.write(
    'SKIPPED: packages/lsp/test/neovim.test.ts found no Neovim: apt-get install neovim\n',
  );
}

/** Works in Neovim 0.7 too. */
const SCRIPT = `
local out = {}
local id = vim.lsp.start_client({
  name = 'stubwright', cmd = { vim.env.NODE, vim.env.COMMAND, 'lsp' }, root_dir = vim.fn.getcwd(),
})
vim.lsp.buf_attach_client(0, id)
local function diagnostics(isWanted)
  vim.wait(60000, function()
    return #vim.tbl_filter(isWanted, vim.diagnostic.get(0)) > 0
  end, 50)
  return vim.tbl_filter(isWanted, vim.diagnostic.get(0))
end
local function isChange(each) return each.source == 'stubwright diff' end
diagnostics(function() return true end)
vim.cmd('normal! gg/maxLength: 20\\rf2cw10')
local found = diagnostics(isChange)
for _, each in ipairs(found) do
  table.insert(out, each.lnum + 1 .. ':' .. each.severity .. ' ' .. each.message)
end
vim.api.nvim_win_set_cursor(0, { found[1].lnum + 1, found[1].col })
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
local replies = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 60000)
for _, action in ipairs(replies[id].result) do
  if vim.startswith(action.title, 'Accept') then
    table.insert(out, action.title)
    vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
    break
  end
end
vim.fn.writefile(vim.split(table.concat(out, '\\n'), '\\n'), 'out.txt')
vim.cmd('silent! wall!')
vim.lsp.stop_client(id)
vim.cmd('qall!')
`;

(hasNeovim ? describe : describe.skip)('in Neovim', () => {
  it('a breaking change is a diagnostic, and the code action accepts it', async () => {
    await using editor = new Editor({ 'openapi.yaml': TOYS });
    await editor.initialize();
    const { folder } = editor;
    writeFileSync(join(folder, 'try.lua'), SCRIPT);
    const env = {
      ...process.env,
      NODE: process.execPath,
      COMMAND: resolve('packages/cli/src/main.ts'),
    };
    const args = ['--headless', '--clean', 'openapi.yaml', '-c', 'luafile try.lua'];
    const neovim = spawn('nvim', args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    neovim.stderr.on('data', (text) => {
      output += text;
    });
    await new Promise((done) => neovim.once('exit', done));
    const path = join(folder, 'out.txt');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : output;
    expect(text).toContain('maxLength 20 became 10');
    expect(text).toContain('is refused: ');
    expect(text).toMatch(/^41:1 /m);
    expect(text).toContain('Accept this change in compatibility.yaml');
    expect(readFileSync(join(folder, 'compatibility.yaml'), 'utf8')).toMatch(
      /^ignore:\n {2}- rule: /,
    );
  });
});
