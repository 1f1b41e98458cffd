// The manifest of a package as npm publishes it.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

type Texts = Readonly<Record<string, string>>;

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Texts;
  readonly bin?: Texts;
  readonly files: readonly string[];
  readonly dependencies?: Texts;
  readonly devDependencies?: Texts;
  readonly peerDependencies?: Texts;
  readonly [field: string]: unknown;
}

/** The addresses of all packages. The root's `repository` is the setting. */
interface Addresses {
  readonly repository: { readonly type: string; readonly url: string };
  readonly homepage: string;
  readonly bugs: { readonly url: string };
}

export const ROOT = resolve(import.meta.dirname, '../../../..');
/** Each after those whose declarations it reads. */
export const PACKAGES = [
  'contract',
  'mock',
  'webhooks',
  'traffic',
  'stubwright',
  'versions',
  'service',
  'store',
  'diff',
  'client',
  'cli',
  'lsp',
] as const;

export function project(): Addresses {
  const { repository } = read('package.json');
  // `git+https://host/owner/name.git` -> `https://host/owner/name`
  const homepage = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  return { repository, homepage, bugs: { url: `${homepage}/issues` } };
}
export const manifestOf = (name: string): Manifest => read(`packages/${name}/package.json`);

function read(path: string) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/**
 * The sources mark their manifests as private: only the built packages can be published. Their `devDependencies`
 * are dependencies of the built package: an installation of the plant store for production omits them.
 *
 * @param types the packages of types that its declarations need
 */
export function published(name: string, types: ReadonlySet<string>): object {
  const { private: _, scripts: __, devDependencies = {}, ...manifest } = manifestOf(name);
  const { repository, homepage, bugs } = project();
  // Any version: an application has one of its own.
  const typeRanges = Object.fromEntries([...types].map((text) => [text, '*']));
  return {
    ...manifest,
    repository: { ...repository, directory: `packages/${name}` },
    homepage,
    bugs,
    exports: compiledExports(manifest.exports),
    bin: compiledBin(manifest.bin),
    dependencies: publishedRanges(
      { ...typeRanges, ...manifest.dependencies, ...devDependencies },
      '',
    ),
    peerDependencies: publishedRanges(manifest.peerDependencies, '^'),
  };
}

/**
 * In the workspace a package accepts any version of the others, which npm sets one after the other. The
 * published ones have the same version.
 */
function publishedRanges(ranges: Texts = {}, prefix: '' | '^'): Texts {
  const { version } = manifestOf('stubwright');
  return Object.fromEntries(
    Object.entries(ranges).map(([name, range]) => [
      name,
      /^(?:@stubwright\/|stubwright$)/.test(name) ? prefix + version : range,
    ]),
  );
}

function compiledExports(exports: Texts): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(exports).map(([path, file]) => [
      path,
      file.startsWith('./src/')
        ? { types: compiled(file, '.d.ts'), default: compiled(file, '.js') }
        : file,
    ]),
  );
}

/** npm corrects a path that starts with `./`, with a warning. */
function compiledBin(bin: Texts = {}): Texts {
  return Object.fromEntries(
    Object.entries(bin).map(([name, file]) => [name, compiled(file, '.js').slice('./'.length)]),
  );
}

function compiled(path: string, extension: string): string {
  return path.replace(/^\.\/src\//, './dist/').replace(/\.[jt]s$/, extension);
}
