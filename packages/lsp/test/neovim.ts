// Neovim, without a window, in a folder with a contract.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const hasNeovim = spawnSync('nvim', ['--version']).status === 0;
if (!hasNeovim) {
  process.stderr.write('SKIPPED: tests found no Neovim: apt-get install neovim\n');
}

/** Works in Neovim 0.7 too. */
const SCRIPT = `
local out = {}
local id = vim.lsp.start_client({
  name = 'stubwright', cmd = vim.split(vim.env.COMMAND, '\\n'), root_dir = vim.fn.getcwd(),
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

/**
 * Types 10 over the first `maxLength: 20` of openapi.yaml, and accepts the change in compatibility.yaml.
 *
 * @param command of the language server
 * @returns the diagnostics, and the title of the code action
 */
export async function shortenedInNeovim(
  folder: string,
  command: readonly string[],
): Promise<string> {
  writeFileSync(join(folder, 'try.lua'), SCRIPT);
  const neovim = spawn('nvim', ['--headless', '--clean', 'openapi.yaml', '-c', 'luafile try.lua'], {
    cwd: folder,
    env: { ...process.env, COMMAND: command.join('\n') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  neovim.stderr.on('data', (text) => {
    errors += text;
  });
  await new Promise((done) => neovim.once('exit', done));
  const path = join(folder, 'out.txt');
  return existsSync(path) ? readFileSync(path, 'utf8') : errors;
}
