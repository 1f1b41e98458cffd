// Around `npm pack` of a package: `before` compiles src/ to dist/ and lets package.json export that;
// `after` restores package.json. In the repository the packages export their TypeScript sources.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

type Exports = Record<string, string>;

const ORIGINAL = 'package.json.original';
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc');

if (process.argv[2] === 'before') before();
else renameSync(ORIGINAL, 'package.json');

function before(): void {
  compile('.');
  copyFileSync('package.json', ORIGINAL);
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const { scripts: _, ...rest } = manifest;
  const published = {
    ...rest,
    exports: compiledExports(manifest.exports),
    bin: compiledBin(manifest.bin),
  };
  writeFileSync('package.json', `${JSON.stringify(published, null, 2)}\n`);
}

/** Those that it depends on come first: their declarations are read. */
function compile(folder: string): void {
  const { name, peerDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (name !== 'stubwright' && 'stubwright' in peerDependencies) compile('../stubwright');
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  execFileSync(process.execPath, [TSC, '-p', folder], { stdio: 'inherit' });
  cpSync(join(folder, 'src'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  });
}

function compiledExports(exports: Exports): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(exports).map(([path, target]) => [
      path,
      target.endsWith('.ts')
        ? { types: compiled(target, '.d.ts'), default: compiled(target, '.js') }
        : target,
    ]),
  );
}

function compiledBin(bin: Exports | undefined): Exports | undefined {
  const entries = Object.entries(bin ?? {}).map(([name, path]) => [name, compiled(path, '.js')]);
  return bin && Object.fromEntries(entries);
}

function compiled(path: string, extension: string): string {
  return path.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, extension);
}
