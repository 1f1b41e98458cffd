// Writes the package.json of a generated client.
import type { Contract } from '@stubwright/contract';
import { isConverting, type ValueTypes } from '../types/valueTypes.ts';

export interface PackageOptions {
  /** By default from the title of the contract. */
  readonly name?: string | undefined;
  /** The version of @stubwright/client. */
  readonly runtime: string;
  readonly files: readonly string[];
  /** The names of its modules besides the index. */
  readonly entries?: readonly string[];
  /** Versions of packages that entries use. */
  readonly optionalPeers?: Readonly<Record<string, string>>;
  readonly types: ValueTypes;
}

/** @returns package.json */
export function packageJson(
  { title, version, license }: Contract,
  { name, runtime, files, types, entries = [], optionalPeers = {} }: PackageOptions,
): string {
  const peers = Object.keys(optionalPeers);
  const manifest = {
    name: name ?? packageName(title),
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
    ...(peers.length > 0 && {
      peerDependencies: optionalPeers,
      peerDependenciesMeta: Object.fromEntries(peers.map((each) => [each, { optional: true }])),
    }),
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
