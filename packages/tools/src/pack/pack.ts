// Builds the packages as npm publishes them: `pack.ts DIR` writes DIR/contract, DIR/stubwright and so on, each
// with its compiled sources and its final manifest. npm sends the manifest of the folder that it publishes.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix, resolve } from 'node:path';
import { manifestOf, PACKAGES, project, published, ROOT } from './manifest.ts';

const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** What declarations contain of packages that have their types in another package, and that package. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/(?:from |import\()["']node:|\bBuffer\b|\bNodeJS\./, 'node'],
  [/(?:from |import\()["']koa["']/, 'koa'],
];

const [target = ''] = process.argv.slice(2);
if (target === '') {
  process.stderr.write('pack.ts: expected the folder to write the packages to\n');
  process.exit(2);
}
for (const name of PACKAGES) build(name, resolve(target));

function build(name: string, packages: string): void {
  const source = join(ROOT, 'packages', name);
  const folder = join(packages, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const manifest = manifestOf(name);
  compile(source, folder, packages);
  const others = manifest.files.filter((file) => file !== 'dist');
  for (const text of others) {
    cpSync(join(source, text), join(folder, text), { recursive: true });
  }
  const readme = readFileSync(join(source, 'README.md'), 'utf8');
  const links = {
    path: `packages/${name}/README.md`,
    repository: project().homepage,
    tag: `v${manifest.version}`,
  };
  writeFileSync(join(folder, 'README.md'), withAbsoluteLinks(readme, links));
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const types = withTypeReferences(join(folder, 'dist'));
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify(published(name, types), null, 2)}\n`,
  );
}

/**
 * Declarations refer to the types that they need, and the package depends on them: an application compiles
 * without `@types/node` of its own, for any value of its `types`.
 *
 * @returns the names of the packages of types
 */
function withTypeReferences(dist: string): ReadonlySet<string> {
  const packages = new Set<string>();
  for (const file of globSync(join(dist, '**/*.d.ts'))) {
    const text = readFileSync(file, 'utf8');
    const needed = TYPES.filter(([pattern]) => pattern.test(text)).map(([, name]) => name);
    for (const name of needed) packages.add(`@types/${name}`);
    const references = needed.map((name) => `/// <reference types="${name}" />\n`).join('');
    if (references !== '') writeFileSync(file, references + text);
  }
  return packages;
}

/** Writes `dist`: compiled TypeScript, its declarations, and the other files of `src`. */
function compile(source: string, folder: string, packages: string): void {
  const ownConfig = join(source, 'tsconfig.json');
  const config = {
    extends: existsSync(ownConfig) ? ownConfig : join(ROOT, 'packages/stubwright/tsconfig.json'),
    compilerOptions: {
      rootDir: join(source, 'src'),
      outDir: join(folder, 'dist'),
      paths: Object.fromEntries(
        PACKAGES.flatMap((folderName) => {
          const { name } = manifestOf(folderName);
          return [
            [name, [join(packages, folderName, 'dist/index.d.ts')]],
            [`${name}/*`, [join(packages, folderName, 'dist/*.d.ts')]],
          ];
        }),
      ),
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    include: [join(source, 'src')],
  };
  const path = join(folder, 'tsconfig.json');
  writeFileSync(path, JSON.stringify(config));
  execFileSync(process.execPath, [TSC, '-p', path], { stdio: 'inherit' });
  rmSync(path);
  cpSync(join(source, 'src'), join(folder, 'dist'), {
    recursive: true,
    filter: (file) => !file.endsWith('.ts') || file.endsWith('.d.ts'),
  });
}

/**
 * Relative links of a page lead to the files of a release: they work on npm.
 *
 * @param path of the page in the repository
 * @param repository its URL
 * @param tag of the release
 */
function withAbsoluteLinks(
  page: string,
  { path, repository, tag }: Readonly<Record<'path' | 'repository' | 'tag', string>>,
): string {
  const files = `${repository}/blob/${tag}`;
  return page.replace(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, link: string) => {
    const [file = '', ...anchor] = link.split('#');
    const target = posix.join(posix.dirname(path), file).replace(/\/$/, '');
    return `](${[`${files}/${target}`, ...anchor].join('#')})`;
  });
}
