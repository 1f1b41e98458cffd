// Neovim, without a window: types a breaking change, reads the diagnostic, applies the code action.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { project, TOYS } from './editor.ts';
import { hasNeovim, shortenedInNeovim } from './neovim.ts';

(hasNeovim ? describe : describe.skip)('in Neovim', () => {
  it('a breaking change is a diagnostic, and the code action accepts it', async () => {
    await using editor = await project({ 'openapi.yaml': TOYS });
    const { folder } = editor;
    const main = resolve('packages/cli/src/main.ts');
    const text = await shortenedInNeovim(folder, [process.execPath, main, 'lsp']);
    expect(text).toContain('maxLength 20 became 10');
    expect(text).toContain('is refused: ');
    expect(text).toMatch(/^41:1 /m);
    expect(text).toContain('Accept this change in compatibility.yaml');
    expect(readFileSync(join(folder, 'compatibility.yaml'), 'utf8')).toMatch(
      /^ignore:\n {2}- rule: /,
    );
  });
});
