// What `make format` rewrites: sources, and never a contract.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from './support/service.ts';

const CONTRACTS = {
  'openapi.yaml': 'openapi:   3.0.3\ninfo:   {title:   Shop}\n',
  'openapi.json': '{"openapi":   "3.0.3",\n"info":{}}',
  'contracts/shop.json': '{"openapi":   "3.1.0"}',
  'contracts/schemas/Order.yml': 'type:   object\n',
  'test/released/1.0.0.yaml': 'openapi:   3.0.3\n',
};

it('formats sources and leaves contracts of any name unchanged', () => {
  const { path, remove } = temporaryFolder();
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  };
  try {
    cpSync('biome.json', join(path, 'biome.json'));
    symlinkSync(resolve('node_modules'), join(path, 'node_modules'));
    write('.gitignore', 'node_modules\n');
    write('src/main.ts', 'export  const one = "1"');
    for (const [file, text] of Object.entries(CONTRACTS)) write(file, text);
    const biome = join(path, 'node_modules/.bin/biome');
    execFileSync(process.execPath, [biome, 'check', '--write', '.'], { cwd: path, stdio: 'pipe' });
    expect(readFileSync(join(path, 'src/main.ts'), 'utf8')).toBe("export const one = '1';\n");
    for (const [file, text] of Object.entries(CONTRACTS)) {
      expect([file, readFileSync(join(path, file), 'utf8')]).toEqual([file, text]);
    }
  } finally {
    remove();
  }
});
