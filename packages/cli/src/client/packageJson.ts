// Writes the package.json of a generated client.
import type { Contract } from '@stubwright/contract';
import { isConverting, type ValueTypes } from '../types/valueTypes.ts';

interface PackageOptions {
  readonly name: string;
  readonly runtime: string;
  readonly files: readonly string[];
  readonly types: ValueTypes;
}

/** The modules besides the index. */
const ENTRIES = ['query', 'msw'];
/** The first version whose handlers have predicates. */
const MSW = {
  peerDependencies: { msw: '>=2.11' },
  peerDependenciesMeta: { msw: { optional: true } },
};

export function packageJson(
  { title, version, license }: Contract,
  { name, runtime, files, types }: PackageOptions,
): string {
  const entries = ENTRIES.filter((each) => files.includes(`${each}.js`));
  const manifest = {
    name,
    version: packageVersion(version),
    description: `A client of ${String(title ?? 'the API').replace(/\s+/g, ' ')}`,
    // A name with spaces is no SPDX identifier.
    ...(/^[\w.+-]+$/.test(license ?? '') && { license }),
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22.12' },
    files,
    exports: {
      '.': {
        require: { types: './index.d.cts', default: './index.cjs' },
        types: './index.d.ts',
        default: './index.js',
      },
      ...Object.fromEntries(
        entries.map((each) => [`./${each}`, { types: `./${each}.d.ts`, default: `./${each}.js` }]),
      ),
      './package.json': './package.json',
    },
    // The next generation uses them too.
    ...(isConverting(types) && { stubwright: types }),
    dependencies: { '@stubwright/client': `^${runtime}` },
    ...(entries.includes('msw') && MSW),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** `Toy store` -> `toy-store` */
export function packageName(title: unknown): string {
  const words = String(title ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-').slice(0, 214) ?? 'client';
}

const SEMANTIC =
  /^v?(\d+)\.(\d+)\.(\d+)((?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?)$/;

/** npm accepts semantic versions only: `v2.1` -> `2.1.0`, `2025-01-31` -> `2025.1.31`. */
export function packageVersion(version: unknown): string {
  const text = String(version ?? '').trim();
  const [, major, minor, patch, rest = ''] = SEMANTIC.exec(text) ?? [];
  const numbers = major === undefined ? (text.match(/\d+/g) ?? []) : [major, minor, patch];
  return [...numbers, 0, 0, 0].slice(0, 3).map(Number).join('.') + rest;
}
